"""What is off although every criterion holds, in words: a pass says that errors are within tolerances, and not that there are none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rig.comparison.result import ChannelAgreement
from rig.comparison.uncertainty.interval import Interval

SURE = 3.0
"""Standard deviations of a delay."""
LEAST = 1.0
"""Samples of a delay that are named."""
RISK = 0.0005
"""Of a gain, or its drift, that is named and is none; a side."""
SENSED = 2.0
"""Expanded uncertainties (k = 2) of a sensor: four standard deviations of what its calibration leaves of a gain."""


def beside(agreements: Mapping[str, ChannelAgreement], channels: Iterable[str], delays: Iterable[str] = ()) -> tuple[str, ...]:
    """A sentence each, of these channels. delays: those whose delay is judged itself."""
    judged = {*delays}
    found = {name: agreements[name] for name in dict.fromkeys(channels) if name in agreements}
    late = {name: () if name in judged else tuple(_late(one)) for name, one in found.items()}
    return tuple(f"{name}: {text}" for name, one in found.items() for text in (*late[name], *_gain(one), *_drift(one)))


def _late(a: ChannelAgreement) -> Iterator[str]:
    late, sigma = a.delay_samples, a.delay_sigma
    if late is None or sigma is None or abs(late) < max(LEAST, SURE * sigma):
        return
    way = "after" if late > 0.0 else "before"
    phase = "" if a.delay_ambiguity_samples is None else ", or has an error of the phase"
    yield f"measured comes {1e3 * abs(late) / a.rate:.3g} ms ({abs(late):.1f} +- {sigma:.1g} samples) {way} predicted{phase}"


def _gain(a: ChannelAgreement) -> Iterator[str]:
    """Of a sensor that says how sure it is: beyond that."""
    gain = a.intervals.get("gain")
    if gain is None or a.uncertainty_at_max is None or not a.max_measured:
        return
    low, high = gain.bounds(RISK)
    sensed = SENSED * a.uncertainty_at_max / a.max_measured
    if low > 1.0 + sensed or high < 1.0 - sensed:
        known = 100.0 * a.uncertainty_at_max / a.max_measured
        yield f"measured is {gain.value:.4g} times predicted, which U = {known:.2g} % of the sensor does not explain"


def _drift(a: ChannelAgreement) -> Iterator[str]:
    drift = a.intervals.get("gain_drift")
    if drift is not None and _beyond_nothing(drift) and (whole := abs(drift.value) * len(a.cycles)) >= 1e-3:
        yield f"measured over predicted changes by {100.0 * whole:.2g} % from the first cycle that counts to the last"
    if any(text.startswith("delay: it differs along the record") for text in a.warnings):
        yield "its delay is not one along the record: do both sides run by one clock, and does the specimen stay as it is?"


def _beyond_nothing(x: Interval) -> bool:
    low, high = x.bounds(RISK)
    return low > 0.0 or high < 0.0
