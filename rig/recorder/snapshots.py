"""Which samples of a long test are kept: whole cycles now and then, what lies around an event, the end.

Samples wait in memory for as long as an event may still ask for what was before it. Then they go on, or are left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rig.config.experiment import Snapshots
from rig.recorder.cycles.course import NOT_COUNTED, Run
from rig.recorder.cycles.layout import Block, Rows

MARGIN = 2.0  # s that the word of an event may take to come here
MANTISSAE = (1, 2, 5)


def is_due(number: int, every: int) -> bool:
    """Whether cycle `number`, the first one being 1, is one of 1, 2, 5, 10, 20, 50 ..., or of every so many."""
    rest = number
    while rest and rest % 10 == 0:
        rest //= 10
    return rest in MANTISSAE or bool(every and number % every == 0)


@dataclass(frozen=True)
class Piece:
    """Samples first .. of a stream that are kept, or `count` of them that are not (block None)."""

    first: int
    count: int
    block: Block | None


class Selection:
    """What is kept of all streams of a test; all share the numbers of samples."""

    def __init__(self, settings: Snapshots, rate: float) -> None:
        """rate: samples a second."""
        self._settings = settings
        self._before, self._after = round(settings.before * rate), round(settings.after * rate)
        self._held = self._before + round(MARGIN * rate)
        self._forget = self._held + round(30.0 * rate)
        self._lines: dict[str, deque[tuple[int, Block]]] = {}
        self._kept: list[tuple[int, int]] = []
        self._current, self._wanted = (0, 0, NOT_COUNTED), False
        self._known: tuple[np.ndarray, np.ndarray] | None = None
        self._end = 0

    def cycles(self, runs: list[Run]) -> None:
        """The command came so far."""
        for first, end, cycle in runs:
            if (first, cycle) != (self._current[0], self._current[2]):
                self._wanted = cycle >= 0 and is_due(cycle + 1, self._settings.every)
            self._current = (first, end, cycle)
            if self._wanted:
                self.keep(first, end)

    def event(self, sample: int) -> None:
        """Something happened at a sample."""
        self.keep(sample - self._before, sample + self._after)

    def peaks(self, rows: Rows, channels: tuple[str, ...]) -> None:
        """Cycles that are complete: one of which a peak has changed is kept, and the one that goes on now."""
        if not self._settings.change:
            return
        for row in rows:
            low, high = (np.array([row[f"{name}_{figure}"] for name in channels]) for figure in ("min", "max"))
            if self._known is not None and not self._has_changed(low, high):
                continue
            if self._known is not None:
                self.keep(int(row["first_sample"]), int(row["first_sample"] + row["count"]))
                self._wanted = self._current[2] >= 0
            self._known = (low, high)

    def keep(self, first: int, end: int) -> None:
        """Samples first .. end - 1 are kept, as far as they are still there."""
        if self._kept and self._kept[-1][0] <= first <= self._kept[-1][1]:
            self._kept[-1] = (self._kept[-1][0], max(end, self._kept[-1][1]))
        else:
            self._kept = _merged([*self._kept, (first, end)])

    def feed(self, stream: str, first: int, block: Block) -> Iterator[Piece]:
        """Samples first .. of a stream come; what is decided of it by now goes on."""
        self._end = max(self._end, first + len(block))
        self._lines.setdefault(stream, deque()).append((first, block))
        yield from self._decided(stream, first + len(block) - self._held)
        while self._kept and self._kept[0][1] < self._end - self._forget:
            self._kept.pop(0)

    def hurry(self, stream: str) -> Iterator[Piece]:
        """All that waits of a stream goes on now, as it is behind what was lost of it."""
        yield from self._decided(stream, self._end) if stream in self._lines else ()

    def finish(self) -> Iterator[tuple[str, Piece]]:
        """What is still waiting; the end of a test is kept."""
        self.keep(self._end - self._before, self._end)
        for stream in self._lines:
            yield from ((stream, piece) for piece in self._decided(stream, self._end))

    def _decided(self, stream: str, until: int) -> Iterator[Piece]:
        line = self._lines[stream]
        while line and line[0][0] < until:
            first, block = line.popleft()
            if first + len(block) > until:
                line.appendleft((until, block[until - first :]))
                block = block[: until - first]
            yield from self._cut(first, block)

    def _cut(self, first: int, block: Block) -> Iterator[Piece]:
        end, at = first + len(block), first
        for begin, behind in self._kept:
            begin, behind = max(begin, at), min(behind, end)
            if begin >= behind:
                continue
            if begin > at:
                yield Piece(at, begin - at, None)
            yield Piece(begin, behind - begin, block[begin - first : behind - first])
            at = behind
        if at < end:
            yield Piece(at, end - at, None)

    def _has_changed(self, low: np.ndarray, high: np.ndarray) -> bool:
        assert self._known is not None
        was_low, was_high = self._known
        allowed = self._settings.change * (was_high - was_low)
        return bool(np.any((np.abs(low - was_low) > allowed) | (np.abs(high - was_high) > allowed)))


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, end in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((first, end))
    return merged
