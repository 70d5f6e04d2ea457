"""What a running estimate needs of an identification, and its file: no model runs beside the test, only polynomials that many runs gave."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.comparison import Settings
from rig.config.bench import Bench
from rig.config.experiment import Experiment, Limit
from rig.config.transport import to_json
from rig.config.units.estimated import columns
from rig.errors import ConfigError
from rig.files.tree_leaves import leaves
from rig.identification.cycle_rows import CycleRows
from rig.identification.surface import Region, Surface, SurfaceFit
from rig.identification.weighting import Weighting

Floats = NDArray[np.float64]

FORMAT = "estimate of a running test, 1"
OTHERWISE = ("cycles", "soft_start", "soft_stop", "name")
"""Of a trajectory: what a cycle in the midst of the test does not depend on."""
ARRAYS = ("low", "high", "off", "bias", "half", "scatter", "command")
SEED = 1
"""Of the places at which a surface is looked at first: any."""


@dataclass(frozen=True)
class Fitted:
    """Of p free numbers, d figures of a cycle.

    keys, units; low, high (p,): bounds of the numbers, SI, between which their shares go from 0 to 1. off (d,): what right specimens are
    off their model by on average. bias, half (p,): in shares, what a fit of a right specimen is off by on average, and half of the
    interval that 95 % of them lie in. scatter (p, p): covariance of the fits of single cycles of one specimen. command
    (2 harmonics + 1,): mean cycle of the command, transformed; period: of a cycle, s. unexplained: sum of squares that 99 % of the
    cycles of right specimens stay below. runs: which records it comes from, with their digests. conditions: what else it holds for, by key.
    """

    keys: tuple[str, ...]
    units: tuple[str, ...]
    low: Floats
    high: Floats
    rows: CycleRows
    surface: Surface
    weighting: Weighting
    off: Floats
    bias: Floats
    half: Floats
    scatter: Floats
    command: Floats
    period: float
    unexplained: float
    runs: tuple[str, ...]
    conditions: dict[str, Json]

    def fit(self) -> SurfaceFit:
        """By which one row of figures gives the shares."""
        return SurfaceFit(self.surface, self.weighting, SEED)

    def values(self, shares: Floats) -> Floats:
        """SI (..., p) of shares (..., p)."""
        return np.asarray(self.low + shares * (self.high - self.low))

    def covers(self) -> tuple[Floats, Floats]:
        """From where to where (p,), SI, the polynomials go."""
        return self.values(self.surface.region.low), self.values(self.surface.region.high)

    def write(self, path: Path) -> None:
        """Raises OSError."""
        settings = self.rows.settings
        about = {
            "format": FORMAT, "conditions": self.conditions, "keys": self.keys, "units": self.units, "runs": self.runs,
            "period": self.period, "unexplained": self.unexplained, "rate": self.rows.rate, "channels": self.rows.channels,
            "loop": self.rows.loop, "points": self.rows.points, "harmonics": self.rows.harmonics, "lowpass": settings.lowpass,
            "band": settings.band, "discard_cycles": settings.discard_cycles, "remove_delay": settings.remove_delay,
        }  # fmt: skip
        with h5py.File(path, "w") as file:
            file.attrs["about"] = json.dumps(about)
            for name in ARRAYS:
                file[name] = getattr(self, name)
            file["region"] = np.stack((self.surface.region.low, self.surface.region.high))
            file["coefficients"], file["beside"] = self.surface.coefficients, self.surface.beside
            file["covariance"] = self.weighting.covariance

    @classmethod
    def read(cls, path: Path) -> Fitted:
        """Raises ConfigError for a file that is none, or is damaged."""
        try:
            with h5py.File(path) as file:
                about = json.loads(file.attrs["about"])
                if about["format"] != FORMAT:
                    raise ConfigError(f"{path}: expected {FORMAT!r}, got {about['format']!r}; make it anew: rig identify RUN --live FILE")
                arrays = {name: np.asarray(file[name][...]) for name in ARRAYS}
                region, coefficients, beside, covariance = (
                    np.asarray(file[name][...]) for name in ("region", "coefficients", "beside", "covariance")
                )
            band, loop = about["band"], about["loop"]
            settings = Settings(
                about["lowpass"], about["discard_cycles"], about["remove_delay"], band=None if band is None else (band[0], band[1])
            )
            rows = CycleRows(
                about["rate"], settings, tuple(about["channels"]), None if loop is None else (loop[0], loop[1]), about["points"],
                about["harmonics"],
            )  # fmt: skip
            return cls(
                tuple(about["keys"]), tuple(about["units"]), rows=rows, surface=Surface(Region(*region), coefficients, beside),
                weighting=Weighting(covariance), period=about["period"], unexplained=about["unexplained"], runs=tuple(about["runs"]),
                conditions=about["conditions"],
                **arrays,
            )  # fmt: skip
        except FileNotFoundError:
            raise ConfigError(f"{path}: there is no such file; expected one that `rig identify RUN --live FILE` has written") from None
        except (OSError, LookupError, TypeError, ValueError, np.linalg.LinAlgError) as error:
            raise ConfigError(f"{path}: expected a file that `rig identify RUN --live FILE` has written, got {error}") from error

    @classmethod
    def of(cls, experiment: Experiment, bench: Bench) -> Fitted:
        """Of a test that asks for an estimate. Raises ConfigError where it does not fit that."""
        assert experiment.estimate is not None
        path = Path(experiment.estimate.file)
        made = cls.read(path)
        keys, channels = [one.key for one in experiment.identify.free], [one.name for one in bench.channels]
        problems = made.problems(keys, channels, experiment.acquisition.rate) or [
            *unlike(made.conditions, conditions(experiment, keys)), *made.beyond(experiment.limits),
        ]  # fmt: skip
        if problems:
            raise ConfigError([f"estimate.file: {path}: {text}" for text in problems])
        return made

    def beyond(self, limits: Sequence[Limit]) -> Iterator[str]:
        """Limits that would never act, as the polynomials do not go that far."""
        names = dict(columns(self.keys, self.units)[: 4 * len(self.keys)])
        for k, (name, unit) in enumerate(names.items()):
            half = float(self.half[k % len(self.keys)] * (self.high - self.low)[k % len(self.keys)])
            low, high = (float(end[k % len(self.keys)]) for end in self.covers())
            low, high = low - half * name.endswith("_low"), high + half * name.endswith("_high")
            for limit in limits:
                for what, value in (("minimum", limit.minimum), ("maximum", limit.maximum)):
                    if limit.channel == name and value is not None and not low < value < high:
                        yield (
                            f"{what} {value:.6g} {unit} of {name} is outside of what it covers, {low:.6g} to {high:.6g} {unit}, and would "
                            "not act as it is meant; make the file with a larger --reach, or change the limit"
                        )

    def problems(self, keys: Sequence[str], channels: Sequence[str], rate: float) -> list[str]:
        """What keeps it from serving a test with these free numbers, measured channels and rate (Hz), in words."""
        found = []
        if tuple(keys) != self.keys:
            found.append(f"it estimates {', '.join(self.keys)}; identify.free of this experiment has {', '.join(keys)}: expected the same")
        if missing := [name for name in self.rows.needed if name not in channels]:
            found.append(f"it needs channels that this bench does not have: {', '.join(missing)}; it has {', '.join(channels)}")
        if abs(rate - self.rows.rate) > SAME_RATE * rate:
            found.append(f"it was made from a record at {self.rows.rate:g} Hz, and this test runs at {rate:g} Hz: expected the same")
        return found


SAME_RATE = 1e-6
"""Clocks of a device have steps: of a rate that is asked for, the one that it gives is as near as that."""


def conditions(experiment: Experiment, keys: Sequence[str]) -> dict[str, Json]:
    """By key: the mechanism beside what is free, the trajectory, and what is fitted."""
    whole = to_json(experiment)
    trajectory = {key: value for key, value in _table(whole["trajectory"]).items() if key not in OTHERWISE}
    fed = _table(whole["predictor"])["source"]
    tree: Json = {
        "mechanism": whole["mechanism"],
        "trajectory": trajectory,
        "predictor": {"source": fed},
        "command": {"mode": experiment.command.mode},
    }
    free = {f"mechanism.{key}" for key in keys}
    return {key: value for key, value in leaves(tree, lambda number, _: f"[{number}]") if key not in free}


def unlike(made: Mapping[str, Json], now: Mapping[str, Json]) -> Iterator[str]:
    """What the test has otherwise, in words."""
    for key in dict.fromkeys((*made, *now)):
        if made.get(key) != now.get(key):
            yield f"it was made with {key} = {json.dumps(made.get(key))}, and this test has {json.dumps(now.get(key))}: expected the same"


def _table(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}
