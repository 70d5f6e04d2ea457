"""Cycles that a record has from begin to end: only these are compared.

A test of days keeps the samples of some cycles, and what lies around an event; one that was killed has a break in it. At either side of
what is not there a cycle may have been cut. Such a fragment is no cycle: its peak need not be the cycle's, its rms is that of a part of it.

A cycle turns the command's phase by 2 pi. A run of samples of one cycle that touches a stretch that is not there is whole where its phase,
with one step at either end, turns by that much. A cycle in which the test was stopped or tripped touches nothing of the kind: it is judged
as far as it was run, unless the test was broken off behind it and went on, as it is run again then.

A cycle in which the test was held is none of those that were asked for: it went to a stand and back, and the longer it stood the more of
the whole it would be. It does not count either, unless there are no others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rig.comparison.preparation import whole
from rig.comparison.series import PIECE, Floats, Series, ends, pieces

TURN = 2.0 * math.pi
ROUNDING = 1e-6
"""rad: of phases that have counted a million turns."""


class Absent(NamedTuple):
    """Samples first .. end - 1 of a stream that is compared are not there; resumed: a test that was broken off went on behind them."""

    first: int
    end: int
    resumed: bool = False


@dataclass(frozen=True)
class JudgedCycles:
    """How many cycles are compared, of how many that were run, those that are discarded in the beginning not among them; `discarded`:
    how many these are. run + discarded is all that was run, judged + discarded + held what the record has from begin to end; held: those
    in which the test was held."""

    judged: int
    run: int
    discarded: int = 0
    held: int = 0

    @property
    def words(self) -> str:
        """Empty where all of them are."""
        if self.judged >= self.run:
            return ""
        first = f", of which comparison.discard_cycles leaves out {self.discarded}" if self.discarded else ""
        held = f", and {self.held} in which the test was held" if self.held else ""
        kept = f"{self.judged + self.discarded} are recorded from begin to end{first}{held}"
        rest = self.run - self.judged - self.held
        return f"judged on {self.judged} of {self.run + self.discarded} cycles run: {kept}" + (f"; {rest} are not" if rest else "")


class LeftOut:
    """Samples that do not count: fragments of cycles, and those of which any stream is absent. Nothing is left out without an argument."""

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        """spans: (first, behind the last)."""
        self.spans = tuple(_joined(spans))
        self._firsts, self._ends = (np.array([span[side] for span in self.spans], dtype=np.int64) for side in (0, 1))

    @classmethod
    def of(
        cls, cycle: Series, phase: Series, absent: Iterable[Absent], held: Iterable[tuple[int, int | None]] = (), discard: int = 0
    ) -> LeftOut:
        """cycle, phase (rad): of the command, (N,) each. absent: of all streams that are compared, in any order. held: (first, behind the
        last) sample of each time in which the test was not at its pace, None: to the end; where no more than `discard` cycles were nowhere
        held, they count all."""
        gaps = _merged(absent)
        there = [*((gap.first, gap.end) for gap in gaps), *_fragments(cycle, phase, gaps)]
        if stands := [_cycles_around(cycle, first, len(cycle) if behind is None else behind) for first, behind in held]:
            without = cls([*there, *stands])
            if len(_numbers(_Without(cycle, without))) > discard:
                return without
        return cls(there)

    def out_of(self, cycle: NDArray[np.floating], first: int) -> NDArray[np.floating]:
        """The cycles (k,) of samples first .., -1 where they do not count."""
        last = first + len(cycle)
        begin, stop = int(np.searchsorted(self._ends, first, side="right")), int(np.searchsorted(self._firsts, last))
        if begin >= stop:
            return cycle
        cycle = cycle.copy()
        for a, b in self.spans[begin:stop]:
            cycle[max(a - first, 0) : max(b - first, 0)] = -1.0
        return cycle


class WholeCycles:
    """A cycle column (N,) with -1, as where nothing is counted, in what is left out."""

    def __init__(
        self, cycle: Series, phase: Series, absent: Iterable[Absent], held: Iterable[tuple[int, int | None]] = (), discard: int = 0
    ) -> None:
        """As of `LeftOut.of`."""
        self._cycle, gaps = cycle, list(absent)
        self.left_out = LeftOut.of(cycle, phase, gaps, held, discard)
        self._column = _Without(cycle, self.left_out)
        self._recorded = _Without(cycle, LeftOut.of(cycle, phase, gaps)) if held else self._column

    def __len__(self) -> int:
        return len(self._cycle)

    def __getitem__(self, part: slice) -> Floats:
        return self._column[part]

    def judged(self, discard: int, last: int | None = None, cut: int | None = None) -> JudgedCycles:
        """How many count behind the first `discard` ones. last: the last cycle that was run, where it is known otherwise, too; cut: one in
        which the test ended, which was run only if what there is of it is judged."""
        found, recorded = _numbers(self), _numbers(self._recorded)
        most = max(_highest(self._cycle), -1.0 if last is None else float(last))
        if cut is not None and most == cut and cut not in recorded:
            most -= 1.0
        discarded = min(discard, len(found))
        held = len(recorded) - len(found)
        return JudgedCycles(len(found) - discarded, max(0, int(most) + 1 - discarded), discarded, held)


class _Without:
    """A cycle column (N,) with -1 in what is left out."""

    def __init__(self, cycle: Series, left_out: LeftOut) -> None:
        self._cycle, self._left_out = cycle, left_out

    def __len__(self) -> int:
        return len(self._cycle)

    def __getitem__(self, part: slice) -> Floats:
        first, last = ends(part, len(self))
        return np.asarray(self._left_out.out_of(self._cycle[first:last], first), dtype=np.float64)


def _cycles_around(cycle: Series, first: int, end: int) -> tuple[int, int]:
    """Samples first .. end - 1 and what else there is of the cycles of the first and of the last of them."""
    first, end = max(0, min(first, len(cycle))), max(0, min(end, len(cycle)))
    if first >= end:
        return first, first
    before, behind = _last_run(cycle, 0, first + 1, beyond_rest=False), _first_run(cycle, end - 1, len(cycle))
    return before[0] if before else first, behind[1] if behind else end


def _fragments(cycle: Series, phase: Series, gaps: Sequence[Absent]) -> Iterator[tuple[int, int]]:
    """Runs of samples of one cycle that touch a gap and are not whole."""
    begin, before = 0, None
    for behind in [*gaps, None]:
        end = len(cycle) if behind is None else behind.first
        runs = set()
        if before is not None and begin < end:
            runs.add(_first_run(cycle, begin, end))
        if behind is not None and begin < end:
            runs.add(_last_run(cycle, begin, end, beyond_rest=behind.resumed))
        yield from (run for run in sorted(one for one in runs if one is not None) if not _is_whole(phase, *run))
        if behind is not None:
            begin, before = behind.end, behind


def _first_run(cycle: Series, begin: int, end: int) -> tuple[int, int] | None:
    """Samples of the cycle that sample `begin` is in, up to another one; None where nothing is counted there."""
    number = whole(np.asarray(cycle[begin : begin + 1], dtype=np.float64))[0]
    if number < 0.0:
        return None
    last = begin
    for part in pieces(begin, end):
        numbers = whole(np.asarray(cycle[part], dtype=np.float64))
        other = np.flatnonzero((numbers >= 0.0) & (numbers != number))
        same = np.flatnonzero(numbers[: other[0] if len(other) else None] == number)
        last = part.start + int(same[-1]) if len(same) else last
        if len(other):
            break
    return begin, last + 1


def _last_run(cycle: Series, begin: int, end: int, beyond_rest: bool) -> tuple[int, int] | None:
    """Samples of the last cycle before `end`; None where that does not reach `end`, unless it may lie `beyond_rest`, a ramp."""
    number, first, last = None, end, end
    for part in reversed(list(pieces(begin, end))):
        numbers = whole(np.asarray(cycle[part], dtype=np.float64))
        if number is None:
            counted = np.flatnonzero(numbers >= 0.0)
            if not len(counted):
                if beyond_rest:
                    continue
                return None
            number, last = numbers[counted[-1]], part.start + int(counted[-1]) + 1
            if last < end and not beyond_rest:
                return None
        other = np.flatnonzero((numbers >= 0.0) & (numbers != number))
        from_here = int(other[-1]) + 1 if len(other) else 0
        same = np.flatnonzero(numbers[from_here:] == number)
        first = part.start + from_here + int(same[0]) if len(same) else first
        if len(other):
            break
    return None if number is None else (first, last)


def _is_whole(phase: Series, first: int, end: int) -> bool:
    """Whether samples first .. end - 1 of a cycle are all of it. Of a test whose phase does not turn, as one in steps, nobody can tell."""
    head, tail = (
        np.asarray(phase[part], dtype=np.float64) for part in (slice(first, min(first + 2, end)), slice(max(end - 2, first), end))
    )
    if head[0] == 0.0 == tail[-1]:
        return True
    steps = abs(head[-1] - head[0]) + abs(tail[-1] - tail[0])
    return bool(tail[-1] - head[0] + steps > TURN - ROUNDING)


def _merged(absent: Iterable[Absent]) -> list[Absent]:
    """In order, those that touch or overlap as one."""
    found: list[Absent] = []
    for gap in sorted(absent):
        if found and gap.first <= found[-1].end:
            found[-1] = Absent(found[-1].first, max(found[-1].end, gap.end), found[-1].resumed or gap.resumed)
        else:
            found.append(gap)
    return found


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(gap.first, gap.end) for gap in _merged(Absent(first, end) for first, end in spans)]


def _numbers(cycle: Series) -> Floats:
    """The cycles that are counted, each once, in order."""
    found = np.empty(0)
    for part in pieces(0, len(cycle), PIECE):
        numbers = whole(np.asarray(cycle[part], dtype=np.float64))
        found = np.union1d(found, numbers[np.flatnonzero(np.diff(numbers, prepend=np.nan))])
    return found[found >= 0.0]


def _highest(cycle: Series) -> float:
    return max((float(np.max(whole(np.asarray(cycle[part], dtype=np.float64)))) for part in pieces(0, len(cycle), PIECE)), default=-1.0)
