"""How well measured and predicted agree, one channel at a time. Definitions and formulas: docs/comparison.md."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rig.comparison.delay import delay
from rig.comparison.fundamental import fundamental, phase_difference
from rig.comparison.preparation import Prepared, Settings, prepare
from rig.comparison.result import ChannelAgreement, CycleAgreement
from rig.comparison.reversals import Response, Reversal, mean, response, reversals

NEAR = 0.05
"""`share_within_5_percent`: largest |difference| that counts, as a share of A."""

Floats = NDArray[np.float64]


def agreement(
    measured: Floats,
    predicted: Floats,
    *,
    rate: float,
    command: Floats,
    cycle: Floats,
    amplitude: float | None = None,
    frequency: float | None = None,
    phase: Floats | None = None,
    unit: str = "",
    settings: Settings | None = None,
) -> ChannelAgreement:
    """Compare one measured channel with its prediction as measured, (N,) each, in SI units at the same samples.

    rate: Hz. command, cycle, phase (rad): the command stream, (N,). amplitude: A of the command for channels with a commanded
    counterpart; None for others (stroke, accelerations), whose reversal fields stay None and whose A is half the measured
    range. frequency: of a pure sine, Hz; None for anything else. Samples that are not finite on either side do not count.
    """
    settings = settings or Settings()
    signals = prepare(measured, predicted, cycle, rate, settings)
    result = ChannelAgreement(unit=unit, rate=rate, samples=int(np.count_nonzero(signals.kept)))
    result = replace(result, amplitude=amplitude, period_s=1.0 / frequency if frequency else None)
    if result.samples == 0:
        return replace(result, warnings=(f"no sample to compare: no counted cycle behind the first {settings.discard_cycles}",))
    result = _levels(result, signals)
    result = _wave(result, signals, _phase(phase, frequency, rate, len(command)))
    result = replace(result, cycles=_cycles(signals, cycle))
    result = _with_delay(result, signals, frequency, settings)
    if amplitude is not None:
        period = rate / frequency if frequency else None
        found = reversals(command, np.nan_to_num(cycle, nan=-1.0), signals.kept, amplitude, period)
        result = _at_reversals(result, signals, command, found)
    return result


def _levels(result: ChannelAgreement, signals: Prepared) -> ChannelAgreement:
    """Largest values, rms of the difference, and share of samples that are near."""
    m, p = signals.measured[signals.kept], signals.predicted[signals.kept]
    difference = m - p
    rms, rms_measured = _rms(difference), _rms(m)
    max_measured, max_predicted = float(np.max(np.abs(m))), float(np.max(np.abs(p)))
    amplitude = result.amplitude if result.amplitude is not None else 0.5 * float(np.ptp(m))
    return replace(
        result,
        amplitude=amplitude,
        rms_difference=rms,
        share_of_rms=_ratio(rms, rms_measured),
        share_of_peak=_ratio(rms, max_measured),
        nrms=_ratio(rms, rms_measured),
        max_measured=max_measured,
        max_predicted=max_predicted,
        max_error=_ratio(max_predicted - max_measured, max_measured),
        share_within_5_percent=float(np.mean(np.abs(difference) <= NEAR * amplitude)),
    )


def _wave(result: ChannelAgreement, signals: Prepared, phase: Floats | None) -> ChannelAgreement:
    """Fundamental: error of the amplitude, and lead of predicted over measured."""
    if phase is None:
        return result
    angle = phase[signals.kept]
    m, p = (fundamental(x[signals.kept], angle) for x in (signals.measured, signals.predicted))
    if m is None or p is None or abs(m) == 0.0 or abs(p) == 0.0:
        return result
    return replace(result, fundamental_error=abs(p) / abs(m) - 1.0, phase_error_deg=phase_difference(p, m))


def _phase(phase: Floats | None, frequency: float | None, rate: float, count: int) -> Floats | None:
    if phase is not None:
        return phase
    return 2.0 * np.pi * frequency / rate * np.arange(count, dtype=np.float64) if frequency else None


def _cycles(signals: Prepared, cycle: Floats) -> tuple[CycleAgreement, ...]:
    """Peaks of every counted cycle that is kept at all."""
    kept = np.flatnonzero(signals.kept)
    numbers = np.floor(cycle[kept])
    starts = np.concatenate(([0], np.flatnonzero(np.diff(numbers)) + 1))
    m = np.maximum.reduceat(np.abs(signals.measured[kept]), starts)
    p = np.maximum.reduceat(np.abs(signals.predicted[kept]), starts)
    rows = zip(numbers[starts], m, p, strict=True)
    return tuple(CycleAgreement(int(n), float(a), float(b), _ratio(float(b - a), float(a))) for n, a, b in rows)


def _with_delay(result: ChannelAgreement, signals: Prepared, frequency: float | None, settings: Settings) -> ChannelAgreement:
    """Delay that remains, and on a pure sine the period that cannot be told from none."""
    rate = result.rate
    period = rate / frequency if frequency else None
    found = delay(signals.measured, signals.predicted, signals.kept, max(1, round(settings.max_delay * rate)))
    if found is None:
        text = f"delay unknown: no minimum within +-{1e3 * settings.max_delay:g} ms, or a signal that does not vary"
        return replace(result, delay_ambiguity_samples=period, warnings=(*result.warnings, text))
    notes = result.warnings
    if period is not None:
        notes = (*notes, f"delay: on a pure sine it is known up to whole periods ({period:.1f} samples) only")
    return replace(result, delay_samples=found.samples, delay_sigma=found.sigma, delay_ambiguity_samples=period, warnings=notes)


def _at_reversals(result: ChannelAgreement, signals: Prepared, command: Floats, found: Sequence[Reversal]) -> ChannelAgreement:
    """Means over the half cycles; a mean over the impacts that there are, and their number."""
    m = [response(signals.measured, command, r, result.rate) for r in found]
    p = [response(signals.predicted, command, r, result.rate) for r in found]
    period = result.period_s
    if period is None and found:
        period = float(np.mean([r.period for r in found])) / result.rate
    return replace(
        result,
        period_s=period,
        half_cycles=len(found),
        impacts_measured=_impacts(m),
        impacts_predicted=_impacts(p),
        reversal_peak_measured=mean(m, "reversal_peak"),
        reversal_peak_predicted=mean(p, "reversal_peak"),
        overshoot_measured=mean(m, "overshoot"),
        overshoot_predicted=mean(p, "overshoot"),
        first_impact_measured_s=mean(m, "first_impact"),
        first_impact_predicted_s=mean(p, "first_impact"),
        impact_peak_measured=mean(m, "impact_peak"),
        impact_peak_predicted=mean(p, "impact_peak"),
    )


def _impacts(responses: Sequence[Response]) -> int:
    return sum(math.isfinite(r.first_impact) for r in responses)


def _rms(x: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(x))))


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole != 0.0 else None
