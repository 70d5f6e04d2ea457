"""Peak, valley and mean of every channel in every counted cycle, while the samples come, in bounded memory.

The cycle of a sample is what the command stream says of its number; a negative one is not counted. A row is complete when another cycle is
counted: so one that was interrupted, or that goes on in the next block or part, is one row. Samples that are NaN count for nothing in it.
The sum behind the mean goes sample by sample, so that it has the same bits however the samples were cut into blocks.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from rig.recorder.cycles.course import NOT_COUNTED, Course
from rig.recorder.cycles.layout import Block, Rows, row_type
from rig.recorder.description import StreamShape
from rig.streaming.streams import APART, SECONDS

COMMAND, CYCLE, PHASE = "command", "cycle", "phase"


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

    def row(self, whole: bool) -> Rows:
        """The row as it stands, (1,)."""
        row = np.zeros(1, self.kind)
        mean = np.divide(self.sum, self.valid, out=np.full(self.channels, np.nan), where=self.valid > 0)
        figures = np.column_stack((self.low, self.high, mean)).ravel().tolist()
        row[0] = (self.cycle, self.first, self.count, whole, *figures)
        return row


class Cycles:
    """The tables of all streams of a test."""

    def __init__(self) -> None:
        self.course = Course()
        self._streams: dict[str, _Stream] = {}
        self._column = 0
        self._phase: int | None = None
        self._remembered = 0.0

    def stream(self, shape: StreamShape) -> None:
        if shape.name in APART:
            return
        if shape.name == COMMAND:
            self._column = shape.channels.index(CYCLE)
            self._phase = shape.channels.index(PHASE) if PHASE in shape.channels else None
        self._remembered = 2.0 * SECONDS * shape.rate
        self._streams[shape.name] = _Stream(row_type(shape.channels), len(shape.channels))

    def feed(self, stream: str, first: int, block: Block) -> list[tuple[str, Rows]]:
        """Samples first .. of a stream; returns the rows that are complete by them."""
        if stream not in self._streams:
            return []
        if stream == COMMAND:
            phases = None if self._phase is None else block[:, self._phase]
            self.course.learn(first, block[:, self._column], self._remembered, phases)
        self._streams[stream].waiting.append((first, block))
        of = self._streams if stream == COMMAND else (stream,)
        return [(name, np.concatenate(rows)) for name in of if (rows := self._drained(self._streams[name]))]

    def finish(self) -> list[tuple[str, Rows]]:
        """The rows that were being filled when the test ended."""
        return [(name, self._row(one)) for name, one in self._streams.items() if one.cycle >= 0]

    def _row(self, one: _Stream) -> Rows:
        return one.row(self.course.ends.whole(one.first, one.count))

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
                    complete += [self._row(one)] if one.cycle >= 0 else []
                    one.begin(cycle, begin)
                one.take(block[begin - first : end - first])
        return complete
