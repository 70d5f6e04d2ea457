"""What a comparison of one channel says. Definitions and formulas: docs/comparison.md."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.bands.agreement import BandAgreement
from rig.comparison.impacts.agreement import ImpactAgreement
from rig.comparison.uncertainty.changes import Change
from rig.comparison.uncertainty.interval import Interval

CONVENTION = "predicted - measured"
"""Sign of every error and difference: in the JSON, the table, the page and the window."""

LISTED = 1000
"""Cycles of a channel that JSON lists, at most, and WORST beside them: a test of a week has a million, and its summary would be a gigabyte.
The record has the peaks of every one."""
WORST = 10
APART = ("cycles", "band_cycles", "changes", "ensemble", "impacts", "intervals", "ends", "with_ends", "contact_loss_hidden", "warnings")


@dataclass(frozen=True, slots=True)  # there are many
class CycleAgreement:
    """One counted cycle: largest |value| of both signals, and the relative error of the predicted one; rms of the difference, as it is and
    by that of measured; and the line measured = gain predicted + offset. Live and from the record the same bits."""

    cycle: int
    peak_measured: float
    peak_predicted: float
    error: float | None
    rms_difference: float | None = None
    nrms: float | None = None
    gain: float | None = None
    offset: float | None = None


@dataclass(frozen=True, slots=True)
class CycleLevel:
    """One counted cycle: rms of both signals in the band."""

    cycle: int
    measured: float
    predicted: float

    @property
    def error(self) -> float | None:
        """Predicted less measured, as a share of the measured."""
        return self.predicted / self.measured - 1.0 if self.measured > 0.0 else None


@dataclass(frozen=True)
class ChannelAgreement:
    """Agreement of one channel; SI units, shares as fractions, errors are predicted minus measured; None = cannot be known."""

    unit: str = ""
    rms_difference: float | None = None
    share_of_rms: float | None = None
    share_of_peak: float | None = None
    max_measured: float | None = None
    max_predicted: float | None = None
    max_error: float | None = None
    peak_measured: float | None = None
    """Largest |value| of the cycles' mean wave, which noise does not raise; of both the criterion `max` is judged."""
    peak_predicted: float | None = None
    peak_error: float | None = None
    uncertainty_at_max: float | None = None
    """Expanded (k = 2), of the measured one, by the sensor's record."""
    max_within_uncertainty: bool | None = None
    """Whether the difference of the two is within that: nobody can say then that they differ."""
    reversal_peak_measured: float | None = None
    reversal_peak_predicted: float | None = None
    overshoot_measured: float | None = None
    overshoot_predicted: float | None = None
    first_impact_measured_s: float | None = None
    first_impact_predicted_s: float | None = None
    impact_peak_measured: float | None = None
    impact_peak_predicted: float | None = None
    fundamental_error: float | None = None
    phase_error_deg: float | None = None
    contact_loss_error_deg: float | None = None
    contact_loss_hidden: str = ""
    """Why measured does not tell it, in words."""
    """Of a four-bar's acceleration: mean crank angle of the contact losses predicted less that of those measured."""
    nrms: float | None = None
    share_within_5_percent: float | None = None
    band_level_measured: float | None = None
    """Rms in the band that the comparison names."""
    band_level_predicted: float | None = None
    band_level_error: float | None = None
    """Predicted level less the measured one, as a share of the measured."""
    band_cycles: tuple[CycleLevel, ...] = ()
    delay_samples: float | None = None
    delay_sigma: float | None = None
    delay_ambiguity_samples: float | None = None
    delay_reason: str | None = None
    """Why there is no delay, in words; None where there is one."""
    delay_contradicted: bool = False
    """Whether that reason is that the two do not go together, or not all along; not that too little was measured to tell."""
    cycles: Sequence[CycleAgreement] = ()
    samples: int = 0
    """How many could be compared, of `counted_samples` in the cycles that count."""
    counted_samples: int = 0
    half_cycles: int = 0
    impacts_measured: int = 0
    impacts_predicted: int = 0
    amplitude: float | None = None
    period_s: float | None = None
    rate: float = 0.0
    scatter: float | None = None
    """Rms of what the difference does otherwise in each cycle: noise of the sensors, and what the specimen does not repeat."""
    clipped: str = ""
    """At what value measured is cut, and how often, in words; empty where it is not. What is there of it is left out of all but `max`."""
    stood: str = ""
    """The same where it stands at its end once only, while predicted goes on: cut, or the specimen stood still. Nothing is left out."""
    ends: tuple[float, float] = (-math.inf, math.inf)
    """The values at which it is cut."""
    with_ends: ChannelAgreement | None = None
    """Of a channel that is cut: the same with the samples at its ends as they are shown."""
    changes: Mapping[str, Change] = field(default_factory=dict)
    """By figure of the cycles: where it changed in the middle of the test by more than chance."""
    impacts: ImpactAgreement | None = None
    """Of a channel in which a criterion judges them."""
    ensemble: BandAgreement | None = None
    """Of a channel whose band was recorded."""
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    """By metric of a criterion, in its measure: how far chance may have moved it."""
    warnings: tuple[str, ...] = field(default=())

    def with_uncertainty(self, expanded: float | None) -> ChannelAgreement:
        """With the sensor's expanded uncertainty at the largest measured value, where it is known."""
        measured, predicted = self.max_measured, self.max_predicted
        if expanded is None or measured is None or predicted is None:
            return self
        return replace(self, uncertainty_at_max=expanded, max_within_uncertainty=abs(predicted - measured) <= expanded)

    def to_json(self) -> dict[str, Json]:
        """Return plain JSON values; what is not finite becomes None."""
        data = {f.name: _finite(getattr(self, f.name)) for f in fields(self) if f.name not in APART}
        by_cycle: dict[str, Json] = {
            "cycles": _rows(self.cycles),
            "cycles_compared": len(self.cycles),
            "band_cycles": _rows(self.band_cycles),
            "changes": {name: {key: _finite(value) for key, value in one.to_json().items()} for name, one in self.changes.items()},
        }
        if self.impacts is not None:
            by_cycle["impacts"] = self.impacts.to_json()
        if self.ensemble is not None:
            by_cycle["ensemble"] = finite(self.ensemble.to_json())
        by_metric: Json = {name: {key: _finite(x) for key, x in one.to_json().items()} for name, one in self.intervals.items()}
        return {**data, **by_cycle, "intervals": by_metric, "warnings": list(self.warnings)}


def _rows(cycles: Sequence[CycleAgreement | CycleLevel]) -> list[Json]:
    """All of them, or the first, the last, as many between them at equal steps, and those with the largest errors; in order."""
    chosen: Iterable[int] = range(len(cycles))
    if len(cycles) > LISTED:
        errors = np.abs(np.fromiter((math.nan if one.error is None else one.error for one in cycles), np.float64, len(cycles)))
        known = np.flatnonzero(np.isfinite(errors))
        worst = known[np.argsort(-errors[known], kind="stable")[:WORST]]
        steps = (round(k * (len(cycles) - 1) / (LISTED - 1)) for k in range(LISTED))
        chosen = sorted({*steps, *(int(k) for k in worst)})
    return [{name: _finite(value) for name, value in asdict(cycles[k]).items()} for k in chosen]


def _finite(value: Json) -> Json:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finite(value: Json) -> Json:
    """The same of all that is in a table."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    return [finite(one) for one in value] if isinstance(value, list) else _finite(value)
