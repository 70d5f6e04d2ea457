"""The ensemble of an experiment: its members made, and the band of a whole simulation."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from model.ensemble import Band, Ensemble, Member, band, drawn
from model.errors import ModelError, NotConverged
from model.mechanisms.mechanism import Mechanism
from rig.config.experiment import Ensemble as Settings
from rig.config.spreads import in_si
from rig.errors import ConfigError

Floats = NDArray[np.float64]

BLOCK = 2000  # input samples at a time: what all members give for them is kept until the band is made


class Described(TypedDict):
    """For the JSON object; metrics of the members by channel: largest and root mean square, their mean, band and largest."""

    members: int
    seed: int
    coverage: float
    threads: int
    rtf: float
    metrics: dict[str, dict[str, Mapping[str, float]]]


@dataclass(frozen=True)
class Simulated:
    """Band at the output samples (N, channels), and each member's own largest and root mean square (members, channels)."""

    band: Band
    settings: Settings
    max_abs: Floats
    rms: Floats
    threads: int
    rtf: float

    def described(self, channels: tuple[tuple[str, str], ...]) -> Described:
        """For the JSON object."""
        metrics = {
            name: {"max_abs": self._over(self.max_abs[:, i]), "rms": self._over(self.rms[:, i])} for i, (name, _) in enumerate(channels)
        }
        told = self.settings
        return {
            "members": told.members, "seed": told.seed, "coverage": told.coverage, "threads": self.threads, "rtf": self.rtf,
            "metrics": metrics,
        }  # fmt: skip

    def _over(self, values: Floats) -> Mapping[str, float]:
        low, high = np.quantile(values, [0.5 * (1.0 - self.settings.coverage), 0.5 * (1.0 + self.settings.coverage)])
        return {"mean": float(values.mean()), "low": float(low), "high": float(high), "max": float(values.max())}


def members(mechanism: Mechanism, settings: Settings, create: Callable[[Mechanism], Member]) -> Ensemble[Member]:
    """The members, not started; create(mechanism) makes a stepper. Raises ModelError for a spread that leaves a number's bounds."""
    configs = drawn(mechanism, in_si(mechanism, settings), settings.members, settings.seed)
    return Ensemble([create(config) for config in configs], settings.threads)


def start(ensemble: Ensemble, settings: Settings, samples: Floats) -> None:
    """Put the members at their starts. Raises ConfigError for a spread that the mechanism cannot start with."""
    try:
        ensemble.start(samples, settings.state, settings.seed)
    except NotConverged:
        raise
    except ModelError as error:
        raise ConfigError(f"simulate.ensemble.state: {error}") from error


def simulate(ensemble: Ensemble, settings: Settings, value: Floats, part: int, channels: int, duration: float) -> Simulated:
    """Run all members on the input `value`; every `part`-th sample is an output sample. Raises NotConverged, which names the member."""
    start(ensemble, settings, value[: ensemble.lookahead])
    bands, squares, largest, spent, rows = [], 0.0, 0.0, 0.0, 0
    for first in range(ensemble.lookahead, len(value), BLOCK * part):
        begun = time.perf_counter()
        values, low, high = ensemble.advance_with_extremes(value[first : first + BLOCK * part])
        spent += time.perf_counter() - begun
        values = values[:, ::part]
        bands.append(band(values, settings.coverage))
        squares, rows = squares + (values**2).sum(axis=1), rows + values.shape[1]
        largest = np.maximum(largest, np.maximum(-low.min(axis=1), high.max(axis=1))[:, :channels] + 0.0)
    ensemble.close()
    whole = Band(*(np.concatenate(pieces) for pieces in zip(*bands, strict=True)))
    return Simulated(whole, settings, np.asarray(largest), np.sqrt(squares / rows), ensemble.threads, spent / duration)
