"""Comparison error against validation uncertainty, after ASME V&V 20-2009, and the area between measured and predicted cycles.

    E = S - D,    u_val^2 = u_num^2 + u_input^2 + u_D^2,    error of the model: E +- k u_val

S is what the model says, D what was measured. u_D has a random part, as the cycles tell it, and that of the sensor. All are standard
uncertainties (k = 1) of a figure, in its metric's measure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.result import ChannelAgreement
from rig.comparison.series import Floats

COVERAGE = 2.0
GAIN = ("max", "fundamental", "impact_strength", "impact_impulse", "band_level")
"""Relative errors of a size: off by what the sensor's gain is off by."""
OF_AMPLITUDE = ("impact_peak", "overshoot")
"""Forces as a share of A."""
IN_TIME = ("delay", "impact_time", "first_impact", "phase")


@dataclass(frozen=True)
class SensorUncertainty:
    """Standard uncertainties of a channel: gain as a share of the reading, zero in its unit, and how late its line may be, s; None where
    its record says nothing."""

    gain: float | None = None
    zero: float = 0.0
    late: float | None = None


@dataclass(frozen=True)
class Validation:
    """Of one criterion. error: E. random, sensor, input, numerical: what is known of u_D, u_input and u_num; None is not known, and counts
    as nothing. area: between the empirical distributions of the cycles' figures, in `area_unit`; None where a cycle has none."""

    channel: str
    metric: str
    error: float | None
    random: float | None
    sensor: float | None
    input: float | None
    numerical: float | None
    area: float | None = None
    area_unit: str = ""

    @property
    def uncertainty(self) -> float | None:
        """u_val; None where nothing of it is known."""
        known = [one for one in (self.random, self.sensor, self.input, self.numerical) if one is not None]
        return math.hypot(*known) if known else None

    @property
    def unknown(self) -> tuple[str, ...]:
        """Parts that count as nothing."""
        return tuple(name for name in ("random", "sensor", "input", "numerical") if getattr(self, name) is None)

    @property
    def beyond(self) -> bool | None:
        """Whether the error is larger than k u_val, so that the model's own error is told; None where nothing is known."""
        if self.error is None or self.uncertainty is None:
            return None
        return abs(self.error) > COVERAGE * self.uncertainty

    def to_json(self) -> dict[str, Json]:
        """Plain values, with u_val, its expanded value and what it lacks."""
        u = self.uncertainty
        more: dict[str, Json] = {
            "u_val": u,
            "expanded": None if u is None else COVERAGE * u,
            "beyond": self.beyond,
            "unknown": [*self.unknown],
        }
        return {**asdict(self), **more}


def validation(
    channel: str,
    metric: str,
    error: float | None,
    a: ChannelAgreement,
    sensor: SensorUncertainty,
    of_model: float | None,
    numerical: float | None,
) -> Validation:
    """of_model: u_input of the figure; numerical: u_num of any figure that is a share, as a share."""
    share = metric not in IN_TIME and metric != "contact_loss"
    area, unit = _area(metric, a)
    return Validation(
        channel, metric, error, _random(metric, a), _of_sensor(metric, a, sensor), of_model, numerical if share else None, area, unit
    )


def area_between(one: Sequence[float], other: Sequence[float]) -> float:
    """Area between two empirical distributions of as many values each: the mean distance of values of the same rank (Ferson, Oberkampf and
    Ginzburg, Comput. Methods Appl. Mech. Eng. 197 (2008) 2408). Raises ValueError for unlike numbers."""
    if len(one) != len(other) or not len(one):
        raise ValueError(f"area between distributions: expected as many values on both sides, got {len(one)} and {len(other)}")
    return float(np.mean(np.abs(np.sort(one) - np.sort(other))))


def _random(metric: str, a: ChannelAgreement) -> float | None:
    """What is open between two ends is as likely anywhere between."""
    found = a.intervals.get(metric)
    return None if found is None else math.hypot(found.std, found.open / math.sqrt(12.0))


def _of_sensor(metric: str, a: ChannelAgreement, sensor: SensorUncertainty) -> float | None:
    """The sensor's uncertainty carried to the figure by its derivative."""
    if metric in IN_TIME:
        return None if sensor.late is None else _in_time(metric, sensor.late, a)
    if sensor.gain is None:
        return None
    peak, rms = a.max_measured or 0.0, _rms(a)
    if metric in GAIN:
        zero = sensor.zero / peak if metric == "max" and peak else 0.0
        return math.hypot(sensor.gain, zero)
    if metric in OF_AMPLITUDE and a.amplitude:
        size = a.impact_peak_measured if metric == "impact_peak" else a.amplitude
        return None if size is None else math.hypot(sensor.gain * size, sensor.zero) / a.amplitude
    if metric == "nrms" and rms:
        return math.hypot(sensor.gain, sensor.zero / rms)
    return None


def _in_time(metric: str, late: float, a: ChannelAgreement) -> float | None:
    if metric in ("delay", "impact_time"):
        return late
    if not a.period_s:
        return None
    return late / a.period_s * (360.0 if metric == "phase" else 1.0)


def _rms(a: ChannelAgreement) -> float:
    return a.rms_difference / a.nrms if a.nrms and a.rms_difference else 0.0


def of_band(metric: str, a: ChannelAgreement, spread: Floats, predicted: Floats) -> float | None:
    """u_input of a figure, by the standard deviation of an ensemble's members at each sample (N,), behind the comparison's low-pass as
    predicted is: at the peak, or as a whole. None for others, which no band tells."""
    there = np.isfinite(spread) & np.isfinite(predicted)
    if not there.any() or not a.max_measured:
        return None
    spread, predicted = spread[there], predicted[there]
    if metric == "max":
        return float(spread[int(np.argmax(np.abs(predicted)))]) / a.max_measured
    rms = _rms(a)
    return float(np.sqrt(np.mean(np.square(spread)))) / rms if metric == "nrms" and rms else None


def _area(metric: str, a: ChannelAgreement) -> tuple[float | None, str]:
    if metric == "max" and a.cycles:
        return area_between([one.peak_measured for one in a.cycles], [one.peak_predicted for one in a.cycles]), a.unit
    if metric == "band_level" and a.band_cycles:
        return area_between([one.measured for one in a.band_cycles], [one.predicted for one in a.band_cycles]), a.unit
    return None, ""
