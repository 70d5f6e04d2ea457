"""Whether each channel still answers the command as it did: gain and phase of its fundamental, cycle by cycle.

What breaks in mid-test (a valve that sticks, pressure that is lost, a span or a sign that somebody changes, a stroke that is frozen, a
monitor without a wire) changes the answer from one cycle to the next; wear changes it slowly, and is followed. Where amplitude or length of
the cycles change, it is learned anew. Pure functions of arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.calculated.cycles import CycleValue
from rig.calculated.rows import Rows

LEARNED = 2
"""Cycles, which have to be alike, behind the first one."""
ALIKE = 0.05
"""Share by which they may differ; a channel whose answer is less steady than that is not watched."""
LINEAR = 0.7
"""Share of what a channel does in a cycle that its fundamental makes up, at least (of a square wave 0.81): less is impacts, or chance."""
SAME = 0.02
"""Share by which a cycle's command may differ from the one before without being another one."""
FOLLOWED = 50.0
"""Cycles in which a slow change is followed."""
SCATTERED = 6.0
"""Of the rms by which a channel's answer has differed from cycle to cycle so far: less is no change. Two cycles may be alike by chance.
A cycle counts for it once the next one is no change: what breaks in mid-cycle is half of one in the first."""

BEYOND, AT_MOST = 1.5, 2.0
"""Times the largest difference that a channel has shown so far, up to so many times the share: less is no change. Where impacts come by
chance differences have long tails: of 20 000 cycles of the linkage at 100 Hz the largest was 5 times their rms, of 550 000 6.5 times."""

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Answer:
    """At `sample` the last cycle has shown that channel `column` answers with `now` times what it did, a complex ratio."""

    sample: int
    column: int
    now: complex


@dataclass
class _Learned:
    command: float
    length: float
    answers: list[Complex] = field(default_factory=list)
    answer: Complex | None = None
    steady: NDArray[np.bool_] | None = None
    cycles: int = 0
    scatter: Floats = field(default_factory=lambda: np.zeros(1))  # mean square
    last: Floats = field(default_factory=lambda: np.zeros(1))  # square of the last cycle's
    largest: Floats = field(default_factory=lambda: np.zeros(1))  # square
    linear: NDArray[np.bool_] = field(default_factory=lambda: np.ones(1, np.bool_))

    def another(self, command: float, length: float) -> bool:
        """Whether a cycle is none of these."""
        return abs(command - self.command) > SAME * self.command or abs(length - self.length) > SAME * self.length

    def add(self, answer: Complex, linear: NDArray[np.bool_]) -> None:
        """One more cycle to learn from."""
        self.answers.append(answer)
        self.linear = self.linear & linear
        if len(self.answers) == LEARNED:
            mean = np.mean(self.answers, axis=0)
            spread = np.max(np.abs(np.array(self.answers) - mean), axis=0)
            self.answer, self.steady = mean, self.linear & (spread <= ALIKE * np.abs(mean))
            self.scatter, self.last, self.largest, self.cycles = spread * spread, spread * spread, spread * spread, LEARNED

    def follow(self, answer: Complex, taken: NDArray[np.bool_]) -> None:
        """Take in what the next cycle has answered where `taken`."""
        assert self.answer is not None
        self.cycles += 1
        step = answer - self.answer
        self.scatter[taken] += (self.last - self.scatter)[taken] / min(self.cycles, FOLLOWED)
        self.largest[taken] = np.maximum(self.largest, self.last)[taken]
        self.last = np.abs(step) ** 2
        self.answer[taken] += step[taken] / FOLLOWED


class AnswerCheck:
    """Takes blocks in order; columns: channels that are looked at; share: by which an answer may change. Each channel is told of once."""

    def __init__(self, columns: Sequence[int], share: float) -> None:
        self._columns, self._share = list(columns), share
        self._cycles = CycleValue(_sums, np.add, lambda figures: float(figures[0]))
        self._learned: _Learned | None = None
        self._told = np.zeros(len(columns), np.bool_)

    def check(self, command: Floats, phase: Floats, cycle: Floats, block: Floats) -> list[Answer]:
        """The next samples of a test, from its first one on: command, phase (rad) and cycle (k,), block (k, channels)."""
        if not self._columns or not len(block):
            return []
        table = np.column_stack([command, block[:, self._columns]])
        self._cycles.take(list(table.T), Rows({}, phase, cycle), 0)
        return [one for sample, figures in self._cycles.ended for one in self._judge(sample, _Cycle(figures))]

    def _judge(self, sample: int, cycle: _Cycle) -> list[Answer]:
        command = abs(cycle.means[0])
        if not np.isfinite(cycle.means).all() or command == 0.0:
            return []
        answer = cycle.means[1:] / cycle.means[0]
        learned = self._learned
        if learned is None or learned.another(command, cycle.length):
            self._learned = _Learned(command, cycle.length)  # the first of its kind still carries what was before
            return []
        if learned.answer is None or learned.steady is None:
            learned.add(answer, cycle.linear[1:] >= LINEAR)
            return []
        share = self._share * np.abs(learned.answer)
        seen = np.minimum(BEYOND * np.sqrt(learned.largest), AT_MOST * share)
        allowed = np.maximum(np.maximum(share, SCATTERED * np.sqrt(learned.scatter)), seen)
        change = np.abs(answer - learned.answer) > allowed
        new = change & learned.steady & ~self._told
        self._told |= new
        learned.follow(answer, ~change)
        return [Answer(sample, self._columns[k], complex(answer[k] / learned.answer[k])) for k in np.flatnonzero(new)]


class _Cycle:
    """figures: as `_sums` of a whole cycle. `means` (columns,) of x exp(-i phase); `linear` (columns,): share of the fundamental."""

    def __init__(self, figures: Floats) -> None:
        self.length = float(figures[0])
        real, imaginary, once, twice = figures[1:].reshape(4, -1) / self.length
        self.means: Complex = real + 1j * imaginary
        variance = np.maximum(twice - once * once, 0.0)
        power = 2.0 * np.abs(self.means) ** 2
        self.linear = np.divide(power, variance, out=np.zeros_like(power), where=variance > 0.0)


def _sums(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Number of samples; of every column the sums of x exp(-i phase), real and imaginary, of x, and of its square."""
    x, phase = table[:, :-1], table[:, -1]
    # Not a matrix product, which would wake the threads of a linear algebra library in the middle of a block.
    real, imaginary = (np.einsum("ij,i->j", x, turned) for turned in (np.cos(phase), -np.sin(phase)))
    return np.concatenate([[len(table)], real, imaginary, x.sum(axis=0), np.einsum("ij,ij->j", x, x)])
