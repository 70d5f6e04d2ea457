"""What is gathered of one channel while its record passes by, twice, and what it says in the end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rig.comparison.clipping import CLIPPED, STOOD, Clipping
from rig.comparison.closed_cycles import ClosedCycles, Cycles, levels
from rig.comparison.delays import segments
from rig.comparison.delays.delay import delay
from rig.comparison.delays.estimate import Delay, NoDelay
from rig.comparison.delays.fractional_shift import REACH
from rig.comparison.gap_filling import Missing
from rig.comparison.half_cycles import AfterReversals
from rig.comparison.levels import CycleLevels, Levels, Wave
from rig.comparison.preparation import Prepared, Settings
from rig.comparison.result import ChannelAgreement, CycleAgreement, CycleLevel
from rig.comparison.reversals import Rows
from rig.comparison.series import Flags, Floats, Marks
from rig.comparison.uncertainty import intervals
from rig.comparison.uncertainty.changes import Change, change
from rig.comparison.uncertainty.folding import Fold
from rig.comparison.uncertainty.interval import LEAST, Interval
from rig.comparison.uncertainty.wave_peak import wave_peak

FOLLOWED = ("error", "nrms", "gain", "offset")
"""Figures of the cycles in which changes are looked for."""
NO_SAMPLE = "no sample to compare"
NEAR = 0.05
"""`share_within_5_percent`: largest |difference| that counts, as a share of A."""


@dataclass(frozen=True)
class Moment:
    """Samples part.start .. part.stop - 1 of what all channels share, (k,) each."""

    part: slice
    command: Floats
    cycle: Floats
    counted: Flags
    phase: Floats | None
    """rad."""
    basis: Floats | None
    """(3, k), see `fundamental.basis`."""
    again: Floats
    """Number of the round that it is in, of what comes again: the cycle, or the shaft's own turn."""
    fine: Floats | None
    """rad, as `phase`, but of the shaft wherever it is measured."""
    fine_again: Floats
    """The same number by `fine`."""


class Gathering:
    """One channel. First `add` for every moment; then, when it is `unfinished`, `add_again` for every moment; then `finish`."""

    def __init__(
        self,
        signals: Prepared,
        turns: Rows | None,
        period: float | None,
        blank: ChannelAgreement,
        turning: bool = False,
        missing: Missing | None = None,
        clipping: Clipping | None = None,
        fold: Fold | None = None,
        fine: Fold | None = None,
        corner: float | None = None,
        uncut: bool = False,
    ) -> None:
        """turns: zeros of the command, None for a channel without a commanded counterpart. period: of a pure sine, samples, or, where
        the command is `turning`, of a turn.

        blank: unit, rate, amplitude and period as far as they are known. missing, clipping: of what was acquired. fold, fine: of a command
        whose phase turns. corner: of the low-pass, Hz. uncut: the samples at
        the ends of what was acquired are left out.
        """
        self._signals, self._period, self._blank, self._turning = signals, period, blank, turning
        self._levels, self._wave, self._cycles = Levels(), Wave(), ClosedCycles()
        self._band, self._band_cycles, self._missing = Levels(), CycleLevels(), missing
        self._clipping, self._near_cycles, self._fold, self._fine = clipping, CycleLevels(), fold, fine
        self._after = None if turns is None else AfterReversals(turns, len(signals.known), blank.rate)
        self._near, self._corner, self._uncut = 0, corner, uncut
        self._first, self._end = len(signals.known), 0  # of what counts

    def add(self, now: Moment) -> None:
        """Everything but the share within a part of an amplitude that is not known yet."""
        kept, measured, predicted = self._at(now)
        self._add_band(now)
        for one in (self._missing, self._clipping):
            if one is not None:
                one.add(now.part, now.counted)
        if self._after is not None:
            self._after.add(now.part.start, kept, now.command, measured, predicted)
        for fold, phase in ((self._fold, now.phase), (self._fine, now.fine)):
            if fold is not None and self._uncut and phase is not None:
                fold.cut(phase[now.counted & ~kept])
        if not (there := np.flatnonzero(kept)).size:
            return
        self._first, self._end = min(self._first, now.part.start + int(there[0])), now.part.start + int(there[-1]) + 1
        part = slice(None) if len(there) == len(kept) else kept
        measured, predicted = measured[part], predicted[part]
        self._levels.add(measured, predicted)
        self._cycles.add(measured, predicted, now.cycle[part])
        if now.phase is not None and now.basis is not None:
            self._wave.add(measured, predicted, now.phase[part], now.basis[:, part])
            if self._fold is not None:
                self._fold.add(measured, predicted, now.again[part], now.phase[part])
            if self._fine is not None and now.fine is not None:
                self._fine.add(measured, predicted, now.fine_again[part], now.fine[part])
        if self._blank.amplitude is not None:
            self._add_near(measured, predicted, now.cycle[part])

    def _add_near(self, measured: Floats, predicted: Floats, cycle: Floats) -> None:
        """Samples within NEAR of the amplitude; (k,) each, k > 0."""
        near = (np.abs(measured - predicted) <= NEAR * self._amplitude).astype(np.float64)
        self._near += int(np.count_nonzero(near))
        self._near_cycles.add(near, near, cycle)

    def _add_band(self, now: Moment) -> None:
        """What is in the band; its signals are read also where nothing counts, as they are filtered on."""
        if (band := self._signals.band) is None:
            return
        kept = now.counted & band.known[now.part]
        measured, predicted = band.measured[now.part], band.predicted[now.part]
        if kept.any():
            self._band.add(measured[kept], predicted[kept])
            self._band_cycles.add(measured[kept], predicted[kept], now.cycle[kept])

    @property
    def unfinished(self) -> bool:
        """The amplitude, half the measured range, is known only now."""
        return self._blank.amplitude is None and self._levels.samples > 0

    def add_again(self, now: Moment) -> None:
        """What lies within a share of A."""
        kept, measured, predicted = self._at(now)
        if kept.any():
            self._add_near(measured[kept], predicted[kept], now.cycle[kept])

    def finish(self, counted: Marks, settings: Settings) -> ChannelAgreement:
        """All that was found."""
        result = self._finished(counted, settings)
        words = () if self._missing is None else self._missing.words(result.counted_samples, result.samples)
        cut, stood = ("", "") if self._clipping is None else (self._clipping.words, self._clipping.stood)
        clipped = tuple(f"{what}: {told}" for what, told in ((CLIPPED, cut), (STOOD, stood)) if told)
        ends = self._clipping.ends if self._clipping is not None and cut else result.ends
        return replace(result, clipped=cut, stood=stood, ends=ends, warnings=(*words, *clipped, *result.warnings))

    def _finished(self, counted: Marks, settings: Settings) -> ChannelAgreement:
        if not self._levels.samples:
            why = f"{NO_SAMPLE}: no counted cycle behind the first {settings.discard_cycles}"
            return replace(self._blank, delay_reason=NO_SAMPLE, warnings=(why,))
        result = self._with_band(self._with_levels(self._blank))
        fundamental_error, phase_error = self._wave.errors()
        rows = self._cycles.rows
        cycles = Cycles(rows)
        result = replace(result, fundamental_error=fundamental_error, phase_error_deg=phase_error, cycles=cycles, changes=_changes(cycles))
        if settings.delay:
            result = _with_delay(result, self._delay(counted, settings), self._period, settings, self._turning)
        result = self._with_intervals(result, levels(rows))
        return result if self._after is None else self._after.put_into(result)

    def _with_intervals(self, result: ChannelAgreement, each: Floats) -> ChannelAgreement:
        """What chance does to each figure, as the cycles tell it, (C, 3) of `closed_cycles.levels`; and the peaks without noise."""
        found: dict[str, Interval | None] = {"within_5_percent": intervals.share(self._near_cycles.sums[:, :3], self._apart(result.rate))}
        if self._band.samples:
            found["band_level"] = intervals.level_error(self._band_cycles.rows)
        scatter, waves = 0.0, None if self._fold is None else self._fold.waves()
        if waves is not None:
            scatter = intervals.noise(waves)
            found.update(intervals.straight_line(waves))
            if waves.whole:
                found.update(intervals.wave(waves, result.fundamental_error, result.phase_error_deg))
            if waves.whole and (peak := wave_peak(waves)) is not None:
                found["max"] = peak.error
                result = replace(result, peak_measured=peak.measured, peak_predicted=peak.predicted, peak_error=peak.error.value)
            elif waves.whole and len(result.cycles) < LEAST:
                found["max"] = _raised(result, scatter)
        found["nrms"] = intervals.nrms(each, None if self._fine is None else self._fine.waves())
        known = {name: one for name, one in found.items() if one is not None}
        return replace(result, scatter=None if waves is None else scatter, intervals={**result.intervals, **known})

    def _apart(self, rate: float) -> float:
        """Samples behind the low-pass that tell as much as one."""
        return 1.0 if self._corner is None else max(1.0, 0.5 * rate / self._corner)

    def _at(self, now: Moment) -> tuple[Flags, Floats, Floats]:
        """(what counts, measured, predicted). Signals are read also where nothing counts: they are filtered on."""
        kept = np.asarray(now.counted & self._signals.known[now.part], dtype=np.bool_)
        return kept, self._signals.measured[now.part], self._signals.predicted[now.part]

    @property
    def _amplitude(self) -> float:
        return self._levels.half_range if self._blank.amplitude is None else self._blank.amplitude

    def _with_levels(self, result: ChannelAgreement) -> ChannelAgreement:
        """Largest values, rms of the difference, and share of samples that are near."""
        levels = self._levels
        share = ratio(levels.rms_difference, levels.rms_measured)
        return replace(
            result,
            samples=levels.samples,
            amplitude=self._amplitude,
            rms_difference=levels.rms_difference,
            share_of_rms=share,
            share_of_peak=ratio(levels.rms_difference, levels.max_measured),
            nrms=share,
            max_measured=levels.max_measured,
            max_predicted=levels.max_predicted,
            max_error=ratio(levels.max_predicted - levels.max_measured, levels.max_measured),
            share_within_5_percent=self._near / levels.samples,
        )

    def _with_band(self, result: ChannelAgreement) -> ChannelAgreement:
        if not self._band.samples:
            return result
        measured, predicted = self._band.rms_measured, self._band.rms_predicted
        return replace(
            result,
            band_level_measured=measured,
            band_level_predicted=predicted,
            band_level_error=ratio(predicted - measured, measured),
            band_cycles=tuple(CycleLevel(int(n), float(m), float(p)) for n, m, p in self._band_cycles.rows),
        )

    def _delay(self, counted: Marks, settings: Settings) -> Delay | NoDelay:
        """From stretches of what counts."""
        reach = max(1, round(settings.max_delay * self._blank.rate))
        signals, parts = self._signals, segments.choose(len(self._signals.known), self._first, self._end)
        kept = segments.joined_marks(signals.known, counted, parts, reach + REACH + 2)
        measured, predicted = (segments.joined(x, parts) for x in (signals.measured, signals.predicted))
        return delay(measured, predicted, kept, reach, segments.seams(parts))


def _changes(cycles: Sequence[CycleAgreement]) -> dict[str, Change]:
    """Of the figures of the cycles that have changes."""
    names = ("cycle", *FOLLOWED)
    told = (math.nan if (value := getattr(one, name)) is None else float(value) for one in cycles for name in names)
    columns = np.fromiter(told, np.float64, len(cycles) * len(names)).reshape(-1, len(names)).T.copy()
    found = {name: change(columns[0], column) for name, column in zip(FOLLOWED, columns[1:], strict=True)}
    return {name: one for name, one in found.items() if one is not None}


def _raised(result: ChannelAgreement, scatter: float) -> Interval | None:
    """Of the largest sample's error, where no wave tells the peak: noise may have lifted it by what the largest of so many normal samples
    has in the mean, sqrt(2 ln n) standard deviations. scatter: of a part of a turn, which has two samples."""
    if result.max_error is None or not result.max_measured:
        return None
    lifted = math.sqrt(2.0 * math.log(max(2, result.samples))) * math.sqrt(2.0) * scatter / result.max_measured
    return Interval(result.max_error, 0.0, above=lifted)


def _with_delay(
    result: ChannelAgreement, found: Delay | NoDelay, period: float | None, settings: Settings, turning: bool
) -> ChannelAgreement:
    """Delay that remains, and what cannot be told from it where everything repeats itself; or why it cannot be told."""
    if isinstance(found, NoDelay):
        text = f"delay unknown within +-{1e3 * settings.max_delay:g} ms: {found.reason}"
        none = replace(result, delay_reason=found.reason, delay_contradicted=found.contradicted, delay_ambiguity_samples=period)
        return replace(none, warnings=(*result.warnings, text))
    notes = result.warnings
    if found.between is not None:
        least, most = found.between
        text = f"delay: it differs along the record, between {least:.3g} and {most:.3g} samples, by more than chance"
        notes = (*notes, f"{text}; its standard deviation, {found.sigma:.2g} samples, covers that")
    if period is not None and turning:
        text = f"delay: at constant speed nothing tells it from an error of the phase (one turn, or round, is {period:.6g} samples)"
        notes = (*notes, f"{text}; it is known up to whole turns only")
    elif period is not None:
        notes = (*notes, f"delay: on a pure sine it is known up to whole periods ({period:.1f} samples) only")
    sure = {**result.intervals, "delay": Interval(found.samples / result.rate, found.sigma / result.rate, found.dof)}
    result = replace(result, intervals=sure, warnings=notes)
    return replace(result, delay_samples=found.samples, delay_sigma=found.sigma, delay_ambiguity_samples=period)


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole != 0.0 else None
