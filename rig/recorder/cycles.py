"""Peak, valley and mean of every channel in every counted cycle, while the samples come, in bounded memory.

The cycle of a sample is what the command stream says of its number; a negative one is not counted. A row is complete when another cycle is
counted: so one that was interrupted, or that goes on in the next block or part, is one row. Samples that are NaN count for nothing in it.
The sum behind the mean goes sample by sample, so that it has the same bits however the samples were cut into blocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

import numpy as np
from numpy.typing import NDArray

from rig.recorder.description import StreamShape
from rig.streaming.streams import APART, SECONDS

COMMAND, COLUMN = "command", "cycle"
NOT_COUNTED = -1
FIGURES = ("min", "max", "mean")
Block = NDArray[np.float64]
Rows = NDArray[np.void]
Run = tuple[int, int, int]
"""(first sample, behind the last one, cycle)."""


def row_type(channels: Sequence[str]) -> np.dtype[np.void]:
    """One row of the table of a stream: `cycle` from 0 on, `first_sample`, `count` of samples, then three figures a channel."""
    whole = [("cycle", "<i8"), ("first_sample", "<i8"), ("count", "<i8")]
    return np.dtype([*whole, *((f"{name}_{figure}", "<f8") for name in channels for figure in FIGURES)])


def row_units(units: Sequence[str]) -> list[str]:
    """Units of the columns of `row_type`."""
    return ["1", "1", "1", *(unit for unit in units for _ in FIGURES)]


class Course:
    """Which sample is of which cycle, as far as the command is known; what nobody can ask for any more is forgotten."""

    def __init__(self) -> None:
        self.known = 0  # n behind the last sample of which the cycle is known
        self.runs: deque[Run] = deque()

    def learn(self, first: int, cycles: Block, remembered: float) -> None:
        """Cycles of samples first ..; remembered: samples that are kept in mind."""
        counted = np.where(np.isnan(cycles), NOT_COUNTED, cycles).astype(np.int64)
        edges = [0, *(np.flatnonzero(np.diff(counted)) + 1).tolist(), len(counted)]
        if first > self.known:
            self._add(self.known, first, NOT_COUNTED)
        for a, b in pairwise(edges):
            if b > a:
                self._add(first + a, first + b, int(counted[a]))
        while self.runs and self.runs[0][1] < self.known - remembered:
            self.runs.popleft()

    def within(self, first: int, end: int) -> Iterator[Run]:
        """The runs of samples first .. end - 1."""
        found: list[Run] = []
        for begin, behind, cycle in reversed(self.runs):  # who asks is not far behind
            if behind <= first:
                break
            if begin < end:
                found.append((max(begin, first), min(behind, end), cycle))
        return reversed(found)

    def since(self, first: int) -> list[Run]:
        """The whole runs that go on behind sample `first`, in order."""
        found = list(takewhile(lambda run: run[1] > first, reversed(self.runs)))
        return found[::-1]

    def _add(self, first: int, end: int, cycle: int) -> None:
        self.known = end
        if self.runs and self.runs[-1][2] == cycle and self.runs[-1][1] == first:
            first = self.runs.pop()[0]
        self.runs.append((first, end, cycle))


@dataclass
class _Stream:
    """One stream: what waits for the command, and the row that is being filled."""

    kind: np.dtype[np.void]
    channels: int
    waiting: deque[tuple[int, Block]] = field(default_factory=deque)
    cycle: int = NOT_COUNTED
    first: int = 0
    count: int = 0

    def begin(self, cycle: int, first: int) -> None:
        self.cycle, self.first, self.count = cycle, first, 0
        self.low, self.high = np.full(self.channels, np.nan), np.full(self.channels, np.nan)
        self.sum, self.valid = np.zeros(self.channels), np.zeros(self.channels, np.int64)

    def take(self, block: Block) -> None:
        self.count += len(block)
        self.low, self.high = np.fmin(self.low, np.fmin.reduce(block)), np.fmax(self.high, np.fmax.reduce(block))
        there = ~np.isnan(block)
        self.valid += there.sum(axis=0)
        self.sum = np.add.accumulate(np.vstack((self.sum, np.where(there, block, 0.0))))[-1]

    def row(self) -> Rows:
        """The row as it stands, (1,)."""
        row = np.zeros(1, self.kind)
        mean = np.divide(self.sum, self.valid, out=np.full(self.channels, np.nan), where=self.valid > 0)
        figures = np.column_stack((self.low, self.high, mean)).ravel().tolist()
        row[0] = (self.cycle, self.first, self.count, *figures)
        return row


class Cycles:
    """The tables of all streams of a test."""

    def __init__(self) -> None:
        self.course = Course()
        self._streams: dict[str, _Stream] = {}
        self._column = 0
        self._remembered = 0.0

    def stream(self, shape: StreamShape) -> None:
        if shape.name in APART:
            return
        if shape.name == COMMAND:
            self._column = shape.channels.index(COLUMN)
        self._remembered = 2.0 * SECONDS * shape.rate
        self._streams[shape.name] = _Stream(row_type(shape.channels), len(shape.channels))

    def feed(self, stream: str, first: int, block: Block) -> list[tuple[str, Rows]]:
        """Samples first .. of a stream; returns the rows that are complete by them."""
        if stream not in self._streams:
            return []
        if stream == COMMAND:
            self.course.learn(first, block[:, self._column], self._remembered)
        self._streams[stream].waiting.append((first, block))
        of = self._streams if stream == COMMAND else (stream,)
        return [(name, np.concatenate(rows)) for name in of if (rows := self._drained(self._streams[name]))]

    def finish(self) -> list[tuple[str, Rows]]:
        """The rows that were being filled when the test ended."""
        return [(name, one.row()) for name, one in self._streams.items() if one.cycle >= 0]

    def _drained(self, one: _Stream) -> list[Rows]:
        complete = []
        while one.waiting and one.waiting[0][0] < self.course.known:
            first, block = one.waiting.popleft()
            known = self.course.known - first
            if known < len(block):
                one.waiting.appendleft((self.course.known, block[known:]))
            for begin, end, cycle in self.course.within(first, first + min(known, len(block))):
                if cycle < 0:
                    continue
                if cycle != one.cycle:
                    complete += [one.row()] if one.cycle >= 0 else []
                    one.begin(cycle, begin)
                one.take(block[begin - first : end - first])
        return complete
