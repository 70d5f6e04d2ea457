"""The tables of the cycles of a record, row for row beside each other, in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import h5py
import numpy as np
from numpy.typing import NDArray

from rig.recorder.cycles.layout import WHOLE
from rig.recorder.opening import open_record

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]
LEADING = "measured"
"""Stream whose rows the others are put beside."""
BLOCK = 1 << 15
SPARE = 1 << 10
"""Rows of another stream that are looked at beyond as many as there are of the leading one."""
CUT = 0.9
"""Share of the samples of the cycle before it that the last one has at least, unless the test ended in it: of a record that does not say
which cycles are whole."""


class Column(NamedTuple):
    """One figure of a channel: `min`, `max` or `mean`."""

    stream: str
    channel: str
    figure: str

    @property
    def name(self) -> str:
        """In the table."""
        return f"{self.channel}_{self.figure}"


@dataclass(frozen=True)
class Rows:
    """Cycles (k,) in the order in which they were run."""

    cycle: Whole
    first_sample: Whole
    count: Whole
    """Samples in it, those of a hold among them."""
    whole: Flags
    """Run from begin to end, and recorded with all samples: not one in which the test ended or was stopped."""
    values: Mapping[Column, Floats]
    """NaN where the other stream has no such row, or not all of it."""


class CycleTables:
    """Those of one record, open as long as it is in use."""

    def __init__(self, path: Path) -> None:
        """Raises ConfigError for a file that cannot be opened."""
        self._file = open_record(path)
        group = self._file["entry"].get("cycles", {})
        self.tables: Mapping[str, h5py.Dataset] = {stream: group[stream] for stream in group}

    def __enter__(self) -> CycleTables:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self.tables[LEADING]) if LEADING in self.tables else 0

    @property
    def span(self) -> tuple[int, int]:
        """First and last cycle."""
        first, last = (self.tables[LEADING][row]["cycle"] for row in (0, -1))
        return int(first), int(last)

    def row_at(self, sample: int) -> int:
        """Of the cycle that is run at a sample; the first one where none is yet."""
        firsts = self.tables[LEADING].fields("first_sample")[:]
        return max(0, int(np.searchsorted(firsts, sample, side="right")) - 1)

    def cycle_at(self, sample: int) -> int:
        """The cycle of that row."""
        return int(self.tables[LEADING][self.row_at(sample)]["cycle"])

    def unit(self, column: Column) -> str | None:
        """Of a column; None where it is not there."""
        table = self.tables.get(column.stream)
        if table is None or column.name not in table.dtype.names:
            return None
        return str(table.attrs["units"][table.dtype.names.index(column.name)])

    def blocks(self, columns: Sequence[Column], first: int = 0, last: int | None = None, length: int = BLOCK) -> Iterator[Rows]:
        """Rows first .. last - 1 of the leading stream, with those columns of any stream."""
        end = len(self) if last is None else min(last, len(self))
        streams = {column.stream: [one.name for one in columns if one.stream == column.stream] for column in columns}
        followers = {stream: _Follower(self.tables[stream], names) for stream, names in streams.items() if stream in self.tables}
        for start in range(first, end, length):
            yield self._rows(start, min(start + length, end), columns, followers)

    def _rows(self, start: int, stop: int, columns: Sequence[Column], followers: Mapping[str, _Follower]) -> Rows:
        before, behind = max(0, start - 1), min(stop + 1, len(self))
        table = self.tables[LEADING]
        told = WHOLE in table.dtype.names
        own = table.fields(["cycle", "first_sample", "count", *([WHOLE] if told else [])])[before:behind]
        cycle, count = (own[name].astype(np.int64) for name in ("cycle", "count"))
        whole = own[WHOLE] > 0 if told else _whole(cycle, count, behind == len(self))
        part = slice(start - before, stop - before)
        firsts = own["first_sample"].astype(np.int64)[part]
        found = {stream: follower.beside(firsts) for stream, follower in followers.items()}
        values = {column: found[column.stream][column.name] for column in columns if column.stream in found}
        return Rows(cycle[part], firsts, count[part], whole[part], values)


def _whole(cycle: Whole, count: Whole, to_the_end: bool) -> Flags:
    """Which of those rows are of whole cycles, where no column tells: a cycle that was cut is run again."""
    whole = np.append(np.diff(cycle) > 0, True)
    if to_the_end and len(count) > 1:
        whole[-1] = count[-1] >= CUT * count[-2]
    return whole


class _Follower:
    """A table that is read beside the leading one."""

    def __init__(self, table: h5py.Dataset, names: Sequence[str]) -> None:
        self._table, self._names, self._at = table, list(dict.fromkeys(names)), 0
        self._told = [WHOLE] if WHOLE in table.dtype.names else []

    def beside(self, firsts: Whole) -> dict[str, Floats]:
        """Its figures (k,) of the cycles that begin at those samples (k,), which grow."""
        own = self._table.fields(["first_sample", *self._told, *self._names])
        rows = own[self._at : self._at + len(firsts) + SPARE]
        while len(rows) and rows["first_sample"][-1] < firsts[0]:
            self._at += len(rows)
            rows = own[self._at : self._at + len(firsts) + SPARE]
        if not len(rows):
            return {name: np.full(len(firsts), np.nan) for name in self._names}
        begins = rows["first_sample"].astype(np.int64)
        place = np.minimum(np.searchsorted(begins, firsts), len(begins) - 1)
        there = begins[place] == firsts
        for whole in self._told:
            there &= rows[whole][place] > 0
        self._at += int(np.searchsorted(begins, firsts[-1], side="right"))
        return {name: np.where(there, rows[name][place], np.nan) for name in self._names}
