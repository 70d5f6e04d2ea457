"""The numbers of a specimen from cycle to cycle: each cycle is fitted by itself, and a Kalman filter joins the fits.

What single cycles scatter by is known from the record that the fit was made from. The numbers are taken to wander a little from cycle to
cycle, so that the filter forgets as a mean over the last `memory` cycles does: what grows steadily is followed half of that behind.
The interval has two parts: how far off a fit of a right specimen may be at all, which no number of cycles makes less, and the scatter that
is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.checks.limits import END
from rig.comparison.delays.fractional_shift import REACH, Shifted
from rig.comparison.filtering import FORGOTTEN, passable, slowest
from rig.identification.cycle_rows import TURN, Span
from rig.identification.live.fitted import Fitted

Floats = NDArray[np.float64]

VALUE, PHASE, CYCLE = range(3)
"""Columns of the command."""
UNLIKE = 0.01
"""By how much a cycle's command may differ from that of the record, of its own size, and its length: what it was fitted by is of that
motion. A correction of the amplitude goes that far; a change by an operator goes further."""
AT_END = 1e-3
"""Of a region: a fit that ends so close to its end may be anywhere beyond."""
TWO_SIDED = 1.959963984540054
"""Deviations of a normal distribution that 95 % lie within."""


@dataclass(frozen=True)
class Remark:
    """What there is to say at a sample."""

    sample: int
    text: str


@dataclass(frozen=True)
class Ends:
    """What the channels can show, as (lowest, highest) by name: at an end, within the share END of the range, it is anything beyond."""

    by_name: Mapping[str, tuple[float, float]]

    def usable(self, name: str, x: Floats) -> bool:
        """Whether all samples (n,) are there and none is clipped."""
        low, high = self.by_name.get(name, (-np.inf, np.inf))
        if np.isfinite(high - low):
            low, high = low + END * (high - low), high - END * (high - low)
        return bool(np.all(np.isfinite(x)) and np.all(x > low) and np.all(x < high))


class Kalman:
    """Of p numbers that wander. memory: cycles of a mean that scatters as much; scatter (p, p): covariance of one cycle's fit.

    The wandering is a multiple of the scatter, so that one gain serves all numbers.
    """

    def __init__(self, scatter: Floats, memory: int) -> None:
        gain = 2.0 / (memory + 1.0)
        self._scatter, self._wander = scatter, gain * gain / (1.0 - gain) if memory > 1 else np.inf
        self._share = np.inf  # of the scatter, that the value has
        self.value: Floats = np.full(len(scatter), np.nan)

    @property
    def variance(self) -> Floats:
        """(p,)."""
        return np.asarray(self._share * np.diag(self._scatter))

    def take(self, fitted: Floats) -> None:
        """The fit (p,) of one more cycle."""
        share = self._share + self._wander
        gain = 1.0 if np.isinf(share) else share / (share + 1.0)
        self.value = fitted.copy() if gain == 1.0 else self.value + gain * (fitted - self.value)
        self._share = gain


class Estimate:
    """Takes the samples of a test in order, of which any number may come at a time."""

    def __init__(self, fitted: Fitted, memory: int, ends: Ends) -> None:
        self._fitted, self._fit, self._ends = fitted, fitted.fit(), ends
        self._kalman = Kalman(fitted.scatter, memory)
        rows = fitted.rows
        corners = [c for c in (passable(rows.settings.lowpass, rows.rate), rows.settings.band and slowest(rows.settings.band)) if c]
        self._before = max((int(np.ceil(FORGOTTEN / corner * rows.rate)) for corner in corners), default=0)
        late = rows.settings.remove_delay * rows.rate
        self._late = late
        self._behind = max(0, int(np.ceil(late)) + (0 if late == round(late) else REACH))
        self._first = self._end = 0  # of what is held
        self._command: Floats = np.empty((0, 3))
        self._held: dict[str, Floats] = {name: np.empty(0) for name in rows.needed}
        self._begun: int | None = None  # first sample of the cycle that goes on, where it was seen
        self._number, self._counted = -1.0, 0
        self._waiting: list[tuple[int, int]] = []  # cycles (first, end) whose measured samples are not all there yet
        self._row: Floats = np.full(4 * len(fitted.keys) + 2, np.nan)
        self._said = ""
        self.remarks: list[Remark] = []
        """What is new since it was emptied."""
        self.fitted_cycles = 0

    def take(self, command: Floats, measured: Mapping[str, Floats]) -> Floats:
        """command (k, columns), measured (k,) by name: the next k samples. Returns (k, 4 p + 2): numbers, lower ends, upper ends,
        numbers as the last cycle alone has them, share of `Fitted.unexplained` that it leaves, and cycles since one was fitted; NaN before
        the first one was."""
        count = len(command)
        out = np.empty((count, len(self._row)))
        begin = self._end
        self._command = np.concatenate((self._command, command[:, :3]))
        self._held = {name: np.concatenate((x, measured[name])) for name, x in self._held.items()}
        self._end = begin + count
        self._look(begin, np.floor(np.where(np.isfinite(command[:, CYCLE]), command[:, CYCLE], -1.0)))
        done = begin
        while self._waiting and self._waiting[0][1] + self._behind <= self._end:
            first, end = self._waiting.pop(0)
            known = max(done, end + self._behind - 1)
            out[done - begin : known - begin] = self._row
            done = known
            self._one(first, end)
        out[done - begin :] = self._row
        self._forget()
        return out

    def text(self) -> str:
        """What it has come to, in words."""
        if not self.fitted_cycles:
            return "no cycle was estimated"
        each = zip(self._fitted.keys, self._fitted.units, self._row[: 3 * len(self._fitted.keys)].reshape(3, -1).T, strict=True)
        words = [f"{key} {value:.6g} {unit} ({low:.6g} to {high:.6g})" for key, unit, (value, low, high) in each]
        return f"after {self.fitted_cycles} cycles: {', '.join(words)}"

    def _look(self, begin: int, numbers: Floats) -> None:
        """Where cycles begin and end."""
        before = np.concatenate(([self._number], numbers[:-1]))
        for turn in np.flatnonzero(numbers != before):
            at, number = begin + int(turn), float(numbers[turn])
            if self._begun is not None and number == self._number + 1.0:  # what a stop cuts off is none
                self._counted += 1
                if self._counted > self._fitted.rows.settings.discard_cycles:
                    self._waiting.append((self._begun, at))
            # The first one of a session that goes on may have begun in another: only a cycle that follows one, or begins a test, is whole.
            self._begun = at if number >= 0.0 and (number == 0.0 or number == self._number + 1.0) else None
            self._number = number
        if len(numbers):
            self._number = float(numbers[-1])

    def _one(self, first: int, end: int) -> None:
        """A cycle whose samples are all there."""
        self._row[-1] += 1.0
        if why := self._unlike(first, end):
            self._say(end, f"cycles are not estimated from here on: {why}")
            return
        fitted = self._fitted
        shown = {name: self._in_time(x) for name, x in self._held.items()}
        span = self._span(first, end)
        try:
            figures = fitted.rows.of(shown, [span])[0] - fitted.off
        except ValueError as error:
            self._say(end, f"cycles are not estimated from here on: {error}")
            return
        shares, left = self._fit.of(figures)
        region = fitted.surface.region
        edge = AT_END * (region.high - region.low)
        beyond = [k for k in range(len(shares)) if not region.low[k] + edge[k] < shares[k] < region.high[k] - edge[k]]
        low, high = fitted.covers()
        self._say(
            end,
            "; ".join(
                f"{fitted.keys[k]} is at or beyond the end of what the estimate covers, {low[k]:.6g} to {high[k]:.6g} {fitted.units[k]}: "
                "identify anew from a record of now"
                for k in beyond
            ),
        )
        self._kalman.take(shares - fitted.bias)
        self.fitted_cycles += 1
        half = np.sqrt(fitted.half**2 + TWO_SIDED**2 * self._kalman.variance)
        alone, joined = shares - fitted.bias, self._kalman.value
        found = (joined, joined - half, joined + half, alone)
        self._row = np.concatenate([*(fitted.values(one) for one in found), [left / fitted.unexplained, 0.0]])

    def _unlike(self, first: int, end: int) -> str:
        """What keeps a cycle from being fitted, in words."""
        rows, period = self._fitted.rows, (end - first) / self._fitted.rows.rate
        if abs(period - self._fitted.period) > UNLIKE * self._fitted.period:
            return f"a cycle takes {period:.6g} s, and took {self._fitted.period:.6g} s in the record that the estimate was made from"
        for name in rows.needed:
            begin = max(0, first - self._before - self._first)
            if not self._ends.usable(name, self._held[name][begin : end + self._behind - self._first]):
                return f"samples of {name} are missing or clipped"
        span = self._span(first, end)
        if not np.all(np.diff(span.phase) > 0.0):
            return "the phase stood still within a cycle"
        own = rows.transformed(self._command[first - self._first : end - self._first, VALUE], span.phase)
        # The size is that of the wave: a mean of zero is none, and one far from zero would hide it.
        size = float(np.linalg.norm(self._fitted.command[1:]))
        off = float(np.linalg.norm(own - self._fitted.command))
        if off > UNLIKE * size:
            return f"the command of a cycle differs by {100.0 * off / size:.3g} % from that of the record that the estimate was made from"
        return ""

    def _span(self, first: int, end: int) -> Span:
        """By samples of what is held."""
        phase = self._command[first - self._first : end - self._first, PHASE]
        return Span(first - self._first, end - self._first, phase - TURN * np.round(phase[0] / TURN))

    def _in_time(self, x: Floats) -> Shifted | Floats:
        """Without the delay that is known."""
        return Shifted(x, -self._late) if self._late else x

    def _say(self, sample: int, text: str) -> None:
        """Once, until it is something else."""
        if text != self._said and text:
            self.remarks.append(Remark(sample, text))
        elif self._said and not text:
            self.remarks.append(Remark(sample, "cycles are estimated again"))
        self._said = text

    def _forget(self) -> None:
        """What no cycle needs any more. One that goes on for longer than it may is not fitted, and nothing is kept for it."""
        most = int(self._fitted.period * self._fitted.rows.rate * (1.0 + 2.0 * UNLIKE)) + self._behind
        if self._begun is not None and self._end - self._begun > most:
            self._begun = None
            self._row[-1] += 1.0
            self._say(self._end, f"cycles are not estimated from here on: a cycle goes on for more than {self._fitted.period:.6g} s")
        needed = min([self._end, *([] if self._begun is None else [self._begun]), *(first for first, _ in self._waiting)])
        drop = max(0, needed - self._before - REACH - self._first)
        if drop:
            self._command = self._command[drop:].copy()
            self._held = {name: x[drop:].copy() for name, x in self._held.items()}
            self._first += drop
