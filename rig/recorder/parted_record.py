"""A record in parts being written: the newest part takes what comes, older ones what is late, and are closed when nothing is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from rig.recorder.description import Description, Event, Gap, StreamShape
from rig.recorder.folders import PARTS, RECORD
from rig.recorder.parts import Beginning, part_file
from rig.recorder.reading import events_of, gaps_of
from rig.recorder.record import Record
from rig.streaming.streams import APART, AWAITED, SECONDS

FAR = 2**62
ALL = Beginning()


@dataclass
class _Part:
    """A part that is open; `end`: n at which the next one begins."""

    number: int
    first: int
    record: Record
    end: int = FAR


class PartedRecord:
    """The same calls as of `Record`, and `rotate`. Everything raises RigError when the disk does not take it."""

    def __init__(
        self,
        folder: Path,
        description: Description,
        closed: Callable[[str], None],
        patience: float = SECONDS,
        beginning: Beginning = ALL,
    ) -> None:
        """closed: is called with a part (relative to the folder) that is closed. patience: s of samples that a part waits for a stream;
        what comes later than its ring can hold never comes. beginning: parts before it are there, and are shown with the others."""
        self._folder, self._description, self._closed, self._patience = folder, description, closed, patience
        self._beginning = beginning
        (folder / PARTS).mkdir(exist_ok=True)
        self._whole = Record(folder / RECORD, description)
        for number in range(1, beginning.number):
            self._show_tables(folder / part_file(number))
        self._shapes: dict[str, StreamShape] = {}
        self._ends: dict[str, int] = {}
        self._parts = [self._open(beginning.number, beginning.first)]
        self._files = [part_file(number) for number in range(1, beginning.number + 1)]

    @property
    def number(self) -> int:
        """Of the newest part."""
        return self._parts[-1].number

    @property
    def flushed_at(self) -> float:
        return max(part.record.flushed_at for part in self._parts)

    def stream(self, shape: StreamShape) -> None:
        self._shapes[shape.name], self._ends[shape.name] = shape, self._beginning.of(shape.name)
        for part in self._parts:
            part.record.stream(shape, self._ends[shape.name] if shape.name in APART else None)

    def rotate(self, first: int) -> None:
        """The next part begins at sample `first`."""
        newest = self._parts[-1]
        newest.end = first
        self._parts.append(self._open(newest.number + 1, first))
        self._files.append(part_file(newest.number + 1))
        for shape in self._shapes.values():
            self._parts[-1].record.stream(shape, self._ends[shape.name] if shape.name in APART else None)

    def append(self, stream: str, first: int, block: NDArray[np.float64]) -> int:
        """Samples first .. of a stream, block (k, channels); returns how many of them came too late for their part."""
        self._ends[stream] = max(self._ends[stream], first + len(block))
        taken = 0
        for part, start, end in self._places(stream, first, first + len(block)):
            part.record.append(stream, start, block[start - first : end - first])
            taken += end - start
        return len(block) - taken

    def gap(self, gap: Gap) -> None:
        end = gap.first + gap.count
        self._ends[gap.stream] = max(self._ends[gap.stream], end)
        self._whole.gap(gap)
        for part, start, until in self._places(gap.stream, gap.first, end):
            part.record.gap(replace(gap, first=start, count=until - start))

    def cycles(self, stream: str, rows: NDArray[np.void]) -> None:
        """In the part that is the newest one when they are complete."""
        self._parts[-1].record.cycles(stream, rows)

    def event(self, event: Event) -> None:
        self._whole.event(event)
        self._parts[-1].record.event(event)

    def flush(self, waited: float = 0.0) -> list[Gap]:
        """As of a record; parts that are whole are closed. Returns the gaps that had to be filled there."""
        self._whole.flush(waited)
        for part in self._parts:
            part.record.flush(waited)
        filled: list[Gap] = []
        while self._parts[0].end < FAR and self._is_whole(self._parts[0]):
            filled += self._close(self._parts.pop(0))
        return filled

    def close(self) -> list[Gap]:
        """Close all parts, show them as one; returns the gaps that had to be filled."""
        filled: list[Gap] = []
        last = max((end for name, end in self._ends.items() if name not in APART), default=0)
        for part in self._parts:
            part.end = min(part.end, last)
            filled += self._close(part)
        self._whole.link(self._folder, self._files)
        self._whole.close(parts=len(self._files))
        return filled

    def abandon(self) -> None:
        """Close the files as they are."""
        self._whole.abandon()
        for part in self._parts:
            part.record.abandon()

    def _show_tables(self, part: Path) -> None:
        """Events and gaps of a part that was recorded before."""
        with h5py.File(part, "r", locking="best-effort") as file:
            events, gaps = events_of(file["entry"]), gaps_of(file["entry"])
        for event in events:
            self._whole.event(event)
        for gap in gaps:
            self._whole.gap(gap)

    def _open(self, number: int, first: int) -> _Part:
        record = Record(self._folder / part_file(number), replace(self._description, part=number, part_first=first))
        return _Part(number, first, record)

    def _places(self, stream: str, first: int, end: int) -> list[tuple[_Part, int, int]]:
        """(part, first, end) of samples first .. end - 1."""
        if stream in APART:
            return [(self._parts[-1], first, end)]
        bounds = [(part, max(first, part.first), min(end, part.end)) for part in self._parts]
        return [(part, start, until) for part, start, until in bounds if start < until]

    def _is_whole(self, part: _Part) -> bool:
        of_test = {name: end for name, end in self._ends.items() if name not in APART}
        if all(end >= part.end for end in of_test.values()) and not {*AWAITED} - {*of_test}:
            return True
        return max(of_test.values(), default=0) >= part.end + self._patience * self._rate

    @property
    def _rate(self) -> float:
        return next((shape.rate for name, shape in self._shapes.items() if name not in APART), 0.0)

    def _close(self, part: _Part) -> list[Gap]:
        filled = part.record.close(part.end)
        for gap in filled:
            self._whole.gap(gap)
            self._ends[gap.stream] = max(self._ends[gap.stream], gap.first + gap.count)
        self._closed(part_file(part.number))
        return filled
