"""Amplitude, phase and mean of a periodic setpoint, corrected cycle by cycle.

With h = Z_achieved/Z_commanded and d = m_achieved - m_commanded of the cycle that ended (fundamentals Z, complex, and means m), gain a,
and q = Z_commanded/Z_asked, m as the newest correction has them, whether it has come into force already or is on its way:

    |q|' = |q| + a (1 - |h q|)        arg q' = arg q - a arg(h q)        m' = m + a (m_asked - m - d)

h q is what the newest correction will achieve, so nothing is corrected twice while it is on its way: an error shrinks by 1 - a |H|
(amplitude), 1 - a (phase) and 1 - a (mean) a step, for any gain up to 1. What cycle k teaches is blended in during cycle k + 1, which is
no steady cycle then and teaches nothing: the next one that can is k + 2.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from rig.control.cycles import Cycle, Gatherer
from rig.control.settings import ControlSettings
from rig.control.wave import Offset, Wave

PLAUSIBLE_GAIN = (0.2, 2.0)  # achieved over commanded amplitude
PLAUSIBLE_PHASE = math.pi / 2
IMPLAUSIBLE = "implausible fundamental"
BLENDING = "a correction came in"
CHANGED = "what is asked for was changed"
NEGLIGIBLE = 1e-4  # change of a correction within a cycle, of the amplitude or rad, that leaves the cycle a steady one
PATIENCE = 2  # cycles in a row that were learned from at a bound, or beyond all bounds, before the aim is called unreachable
SHRINKS = 20
ROUNDING = 1e-9
STEEPEST = 1.5  # rate at which another aim comes in, times the time it takes
HISTORY = 2000  # cycles that the summary tells; the record has all
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Config(ControlSettings):
    """Bounds are shares of the amplitude asked for."""

    gain: float = field(default=0.5, metadata={"unit": "1", "over": 0.0, "at_most": 1.0})
    cap: float = field(default=0.15, metadata={"unit": "1", "over": 0.0, "at_most": 0.5, "doc": "largest correction, amplitude and mean"})
    phase_cap: float = field(default=math.radians(30.0), metadata={"unit": "rad", "at_least": 0.0, "at_most": 1.0})
    step: float = field(default=0.05, metadata={"unit": "1", "over": 0.0, "at_most": 0.5, "doc": "largest change a cycle"})
    phase_step: float = field(default=math.radians(10.0), metadata={"unit": "rad", "over": 0.0, "at_most": 0.5})
    blend: float = field(default=0.2, metadata={"unit": "1", "over": 0.0, "at_most": 1.0, "doc": "share of a cycle in which it changes"})
    tolerance: float = field(default=0.01, metadata={"unit": "1", "over": 0.0, "doc": "of amplitude and mean: reached when within"})
    phase_tolerance: float = field(default=math.radians(1.0), metadata={"unit": "rad", "over": 0.0})
    unreachable: str = field(default="indicate", metadata={"choices": ("indicate", "stop"), "doc": "what follows when a cap is reached"})


@dataclass(frozen=True)
class Bounds:
    """What commanded and measured must stay within."""

    low: float = -math.inf
    high: float = math.inf
    rate: float = math.inf
    measured: tuple[float, float] = (-math.inf, math.inf)  # ends of the input: a value there is saturated


@dataclass(frozen=True)
class Note:
    """Something to be told: first sample of the cycle it is about, in words, and whether the test is to stop for it."""

    sample: int
    text: str
    stop: bool = False


class Row(TypedDict, total=False):
    """One cycle in the history; without what was achieved where the cycle was not whole. Errors and corrections: shares of the amplitude
    asked, or in the unit of the command."""

    cycle: int
    sample: int
    learned: bool
    why_not: str
    amplitude: float
    mean: float
    phase_error_deg: float
    amplitude_error: float
    mean_error: float
    amplitude_correction: float
    phase_correction_deg: float
    mean_correction: float


class Figures(TypedDict):
    """The correction's history and where it stands."""

    kind: Literal["amplitude"]
    gain: float
    amplitude_asked: float
    mean_asked: float
    unit: str
    cycles: list[Row]
    cycles_seen: int
    cycles_ignored: int
    reached: bool
    last: Row | None


class Control:
    """Learns from whole cycles; `offset` is what is to be added to the setpoint now."""

    def __init__(self, config: Config, wave: Wave, rate: float, bounds: Bounds, soft_stop: float, unit: str = "N") -> None:
        self._config, self._wave, self._rate, self._bounds, self._unit = config, wave, rate, bounds, unit
        self._soft_stop = self._whole_stop = soft_stop
        self._amplitude = abs(wave.fundamental)
        self.offset = Offset()
        self.history: list[Row] = []
        self.cycles = self.ignored = 0
        self._before, self._changed, self._changed_until = wave, 0, 0
        self._steady: Row | None = None
        self._cycles = Gatherer(2)
        self._next: int | None = None
        self._doubt, self._told = "", ""
        self._at_bound = 0
        self._settled = False

    def learn(self, first: int, command: Floats, measured: Floats, doubt: str = "") -> list[Note]:
        """Samples first .. as they went out and came back; measured (k,), command (k, 7): value, phase, cycle, requested, and what the
        correction was in each of them: of the amplitude (share), the phase (rad) and the mean.

        doubt: why nothing may be learned from the cycle that these samples are in. Returns what is to be told.
        """
        gap = self._next is not None and first != self._next
        self._next = first + len(command)
        low, high = self._bounds.measured
        reasons = [
            (doubt, bool(doubt)),
            ("samples are missing", gap or not np.all(np.isfinite(measured))),
            ("the input is saturated", bool(np.any((measured <= low) | (measured >= high)))),
        ]
        said = next((text for text, true in reasons if true), "")
        self._doubt = self._doubt or said
        ended = self._cycles.add(first, command[:, 2], command[:, 1], np.column_stack([command[:, 0], measured]), command[:, 4:7])
        notes = [note for cycle in ended for note in self._judge(cycle)]
        if ended or not self._cycles.within:  # a block that holds the end of one cycle holds the begin of the next
            self._doubt = said if self._cycles.within else ""
        return notes

    def retarget(self, wave: Wave, pace: float, samples: tuple[int, int]) -> None:
        """From now on `wave` is asked for, with a soft stop `pace` times as fast as at first; it comes in between the two samples. What has
        been learned stays: the fundamental that is commanded is as many times the asked one as before, the mean as much beside it.

        Raises ValueError where the corrected setpoint would pass a bound; nothing has changed then.
        """
        offset, soft_stop = self.offset.of(self._wave, wave), self._whole_stop / pace
        self._need(wave, offset, soft_stop, (samples[1] - samples[0]) / self._rate)
        self._before, self._wave, (self._changed, self._changed_until) = self._wave, wave, samples
        self.offset, self._soft_stop, self._amplitude = offset, soft_stop, abs(wave.fundamental)
        self._settled, self._at_bound, self._told = False, 0, ""

    def _need(self, wave: Wave, offset: Offset, soft_stop: float, seconds: float) -> None:
        low, high = wave.extent(offset)
        was, b, unit = self._wave, self._bounds, self._unit
        if low < b.low - ROUNDING * abs(b.low) or high > b.high + ROUNDING * abs(b.high):
            text = f"with its correction it reaches {low:.6g}..{high:.6g} {unit}, the command may go {b.low:.6g}..{b.high:.6g} {unit}"
            raise ValueError(f"{text}; the test goes on as it is")
        between = abs(wave.mean - was.mean) + abs(wave.fundamental + offset.fundamental - was.fundamental - self.offset.fundamental)
        between += wave.rest_value + was.rest_value if wave.fundamental != was.fundamental else 0.0
        rate = max(was.fastest(self.offset, self._soft_stop), wave.fastest(offset, soft_stop))
        rate += STEEPEST * between / seconds if between else 0.0
        if rate > b.rate * (1.0 + ROUNDING):
            text = f"with its correction it moves at up to {rate:.6g} {unit}/s while it comes in, allowed {b.rate:.6g} {unit}/s"
            raise ValueError(f"{text}; the test goes on as it is")

    def figures(self) -> Figures:
        """For the result."""
        last = self._steady or (self.history[-1] if self.history else None)
        return {
            "kind": "amplitude", "gain": self._config.gain, "amplitude_asked": self._amplitude, "mean_asked": self._wave.mean,
            "unit": self._unit, "cycles": self.history, "cycles_seen": self.cycles, "cycles_ignored": self.ignored,
            "reached": self._settled, "last": last,
        }  # fmt: skip

    def out_of_reach(self) -> str:
        """In words that what is asked cannot be reached, as the last whole cycle shows it; empty while nothing says so.

        For whoever ends the test for another reason before two cycles at a bound have named it.
        """
        row = next((row for row in reversed(self.history) if row["learned"] or row["why_not"].startswith(IMPLAUSIBLE)), None)
        if row is None or abs(row["amplitude_error"]) <= self._config.tolerance:
            return ""
        cap, response = self._config.cap, (1.0 + row["amplitude_error"]) / (1.0 + row["amplitude_correction"])
        least, most = response * (1.0 - cap), response * (1.0 + cap)
        if least <= 1.0 + self._config.tolerance and most >= 1.0 - self._config.tolerance and not self._at_bound:
            return ""
        return f"{self._words(row)} in cycle {row['cycle']}; cap of the correction {cap:.0%}"

    # -- one cycle -----------------------------------------------------------------------------------------------------------------

    def _judge(self, cycle: Cycle) -> list[Note]:
        self.cycles += 1
        why = self._doubt or self._unsteady(cycle) or self._implausible(cycle)
        if cycle.first < self._changed_until:
            why = CHANGED
        self._enter(cycle, why)
        if why in (BLENDING, CHANGED):
            return []
        self._steady = self.history[-1]
        if why:
            self.ignored += 1
            told, self._told = self._told, why
            notes = [] if told == why else [Note(cycle.first, f"cycle {cycle.number}: nothing learned: {why}")]
            return notes + self._given_up(cycle, why)
        self._told = ""
        assert cycle.fundamental is not None
        wanted, bound = self._wanted(cycle)
        share = self._allowed(wanted)
        self.offset = self.offset.towards(wanted, share)
        if share < 1.0:
            bound = "command.value_limit or rate_limit"
        return self._told_of(cycle, bound)

    def _unsteady(self, cycle: Cycle) -> str:
        """The fundamental of a command that changed on the way is that of no correction, and neither is the answer to it."""
        scale = (1.0, 1.0, self._amplitude)
        return BLENDING if any(moved > NEGLIGIBLE * one for moved, one in zip(cycle.moved, scale, strict=True)) else ""

    def _implausible(self, cycle: Cycle) -> str:
        """Why the fundamental cannot be that of this test; empty when it can."""
        samples = self._rate / self._wave.frequency
        if abs(cycle.samples - samples) > 1.5:
            return f"{cycle.samples} samples, expected {samples:.0f}"
        if cycle.fundamental is None:
            return "no fundamental"
        commanded, achieved = cycle.fundamental
        gain, phase = abs(achieved / commanded), abs(cmath.phase(achieved / commanded))
        if not PLAUSIBLE_GAIN[0] <= gain <= PLAUSIBLE_GAIN[1] or phase > PLAUSIBLE_PHASE:
            return f"{IMPLAUSIBLE}, {gain:.3g} times the commanded one at {math.degrees(phase):.0f} deg from it"
        return ""

    def _wanted(self, cycle: Cycle) -> tuple[Offset, str]:
        """The next correction within its caps and steps, and the name of the cap that holds it back, if any does."""
        c, asked = self._config, self._wave.fundamental
        assert cycle.fundamental is not None
        q = 1.0 + self.offset.fundamental / asked
        p = q * cycle.fundamental[1] / cycle.fundamental[0]
        size = _stepped(abs(q) + c.gain * (1.0 - abs(p)), abs(q), c.step)
        angle = _stepped(cmath.phase(q) - c.gain * cmath.phase(p), cmath.phase(q), c.phase_step)
        error = -(self.offset.mean + cycle.mean[1] - cycle.mean[0])
        mean = _stepped(self.offset.mean + c.gain * error, self.offset.mean, c.step * self._amplitude)
        reach = c.cap * self._amplitude
        bound = ""
        if abs(size - 1.0) >= c.cap:
            bound = f"correction of the amplitude at its cap, {math.copysign(c.cap, size - 1.0):+.0%}"
        elif abs(mean) >= reach:
            bound = f"correction of the mean at its cap, {math.copysign(c.cap, mean):+.0%} of the amplitude"
        size, angle = _stepped(size, 1.0, c.cap), _stepped(angle, 0.0, c.phase_cap)
        return Offset(_stepped(mean, 0.0, reach), asked * (cmath.rect(size, angle) - 1.0)), bound

    def _allowed(self, wanted: Offset) -> float:
        """The largest share of the way to `wanted` on which value and rate keep their limits, the change itself included."""
        low, high = 0.0, 1.0
        if self._keeps(wanted):
            return 1.0
        for _ in range(SHRINKS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._keeps(self.offset.towards(wanted, middle)) else (low, middle)
        return low

    def _keeps(self, offset: Offset) -> bool:
        seconds = self._config.blend / self._wave.frequency
        change = abs(offset.mean - self.offset.mean) + abs(offset.fundamental - self.offset.fundamental)
        slope = max(self._wave.fastest(one, self._soft_stop) for one in (self.offset, offset)) + 0.5 * math.pi * change / seconds
        low, high = self._wave.extent(offset)
        return self._bounds.low <= low and high <= self._bounds.high and slope <= self._bounds.rate

    def _given_up(self, cycle: Cycle, why: str) -> list[Note]:
        """A cycle of which nothing can be learned may tell all the same that no correction within the cap will do."""
        if not why.startswith(IMPLAUSIBLE) or not (text := self.out_of_reach()):
            return []
        self._at_bound += 1
        stop = self._config.unreachable == "stop"
        return [Note(cycle.first, f"cycle {cycle.number}: {text}", stop)] if self._at_bound == PATIENCE else []

    def _told_of(self, cycle: Cycle, bound: str) -> list[Note]:
        row, c = self.history[-1], self._config
        reached = max(abs(row["amplitude_error"]), abs(row["mean_error"])) <= c.tolerance
        in_phase = not c.phase_cap or abs(row["phase_error_deg"]) <= math.degrees(c.phase_tolerance)
        self._at_bound = self._at_bound + 1 if bound and not reached else 0
        if reached and in_phase and not self._settled:
            self._settled = True
            return [Note(cycle.first, f"cycle {cycle.number}: amplitude, mean and phase are what was asked: {_off(row)}")]
        if self._at_bound == PATIENCE:
            return [Note(cycle.first, f"cycle {cycle.number}: {self._words(row)}; {bound}", stop=c.unreachable == "stop")]
        self._settled = self._settled and reached and in_phase
        return []

    def _words(self, row: Row) -> str:
        what = "amplitude" if abs(row["amplitude_error"]) > self._config.tolerance else "mean"
        asked = f"{self._amplitude:.6g} about {self._wave.mean:.6g} {self._unit} asked"
        return f"unreachable {what}: {asked}, {row['amplitude']:.6g} about {row['mean']:.6g} {self._unit} reached"

    def _enter(self, cycle: Cycle, why: str) -> None:
        """A row of the history: achieved, errors (shares of the amplitude asked), the correction as its last sample had it."""
        row: Row = {"cycle": cycle.number, "sample": cycle.first, "learned": not why, "why_not": why}
        over = cycle.first + cycle.samples <= self._changed
        asked = self._before if over else self._wave
        if cycle.fundamental is not None and (over or why != CHANGED):  # in between it is the one aim in part, and in part the other
            p, (size, angle, mean) = cycle.fundamental[1] / asked.fundamental, cycle.last
            row |= {
                "amplitude": abs(cycle.fundamental[1]), "mean": cycle.mean[1], "phase_error_deg": math.degrees(cmath.phase(p)),
                "amplitude_error": abs(p) - 1.0, "mean_error": (cycle.mean[1] - asked.mean) / abs(asked.fundamental),
                "amplitude_correction": size, "phase_correction_deg": math.degrees(angle), "mean_correction": mean,
            }  # fmt: skip
        if len(self.history) >= HISTORY:
            del self.history[HISTORY // 2]  # begin and end are what is looked at
        self.history.append(row)


def in_words(figures: Figures) -> str:
    """One line about what `Control.figures` holds."""
    last = figures["last"]
    if last is None or "amplitude" not in last:
        return "amplitude control: no whole cycle was counted"
    asked = f"{figures['amplitude_asked']:.6g} {figures['unit']} about {figures['mean_asked']:.6g} {figures['unit']} asked"
    made = f"amplitude corrected by {last['amplitude_correction']:+.2%}, phase by {last['phase_correction_deg']:+.2f} deg"
    ignored = f"; nothing learned from {figures['cycles_ignored']} of {figures['cycles_seen']} cycles" if figures["cycles_ignored"] else ""
    return f"amplitude control: {asked}; cycle {last['cycle']} is {_off(last)}; {made}{ignored}"


def _off(row: Row) -> str:
    return f"off by {row['amplitude_error']:+.2%}, {row['mean_error']:+.2%} of the amplitude, {row['phase_error_deg']:+.2f} deg"


def _stepped(value: float, centre: float, reach: float) -> float:
    """`value`, at the most `reach` away from `centre`."""
    return min(max(value, centre - reach), centre + reach)
