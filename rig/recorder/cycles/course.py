"""Which sample is of which cycle, as far as the command is known."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise, takewhile

import numpy as np

from rig.recorder.cycles.ends import CycleEnds
from rig.recorder.cycles.layout import Block

NOT_COUNTED = -1
Run = tuple[int, int, int]
"""(first sample, behind the last one, cycle)."""


class Course:
    """What nobody can ask for any more is forgotten."""

    def __init__(self) -> None:
        self.known = 0  # n behind the last sample of which the cycle is known
        self.runs: deque[Run] = deque()
        self.ends = CycleEnds()

    def learn(self, first: int, cycles: Block, remembered: float, phases: Block | None = None) -> None:
        """Cycles of samples first .., and their phases (rad); remembered: samples that are kept in mind."""
        counted = np.where(np.isnan(cycles), NOT_COUNTED, cycles).astype(np.int64)
        edges = [0, *(np.flatnonzero(np.diff(counted)) + 1).tolist(), len(counted)]
        if first > self.known:
            self._add(self.known, first, NOT_COUNTED)
            self.ends.lose()
        for a, b in pairwise(edges):
            if b > a:
                self._add(first + a, first + b, int(counted[a]))
                self.ends.take(first + a, int(counted[a]), b - a, None if phases is None else phases[a:b])
        while self.runs and self.runs[0][1] < self.known - remembered:
            self.runs.popleft()
        self.ends.forget(self.known - remembered)

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
