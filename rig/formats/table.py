"""What is written to a file, and what is found in one: columns of numbers with what is known of them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json

Floats = NDArray[np.float64]
ROWS = 1 << 16
"""Rows that are in memory at a time."""


class Values(Protocol):
    """(N,) numbers, read where they are sliced."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> Floats: ...


@dataclass(frozen=True)
class Column:
    """A channel of a stream. about: of its sensor, and how it came to its rate; plain values by name."""

    stream: str
    name: str
    unit: str
    values: Values
    about: Mapping[str, Json] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """`measured/stroke`: which stream it is of can be told from that of its prediction."""
        return f"{self.stream}/{self.name}"


@dataclass(frozen=True)
class Stored:
    """A dataset of an HDF5 file that holds the very rows of a table; chunk: rows that lie together there."""

    file: Path
    dataset: str
    chunk: int


@dataclass(frozen=True)
class Happening:
    """Something that happened, at `time` s and a sample of the record, if it belongs to one."""

    time: float | None
    sample: int | None
    source: str
    kind: str
    text: str


@dataclass(frozen=True)
class Course:
    """What a test was, and how it went. document: customer, order, specimen and the like, by name. outcome: done, stopped, tripped and so
    on; empty where nothing tells it. lasted: s."""

    title: str = ""
    document: Mapping[str, str] = field(default_factory=dict)
    happenings: Sequence[Happening] = ()
    outcome: str = ""
    reason: str = ""
    lasted: float = 0.0


@dataclass(frozen=True)
class Table:
    """columns (N,) each; row k is at `begin` + k / rate s, which is counted from `start`, a time with its zone.

    about: plain values by name (program, run, hash of the record, gaps); what of it a format has no place for stays behind.
    stored: label of a column, or `time`, -> where its rows stand as they are; empty where some of them stand nowhere.
    """

    columns: Sequence[Column]
    rate: float
    samples: int
    start: datetime.datetime
    begin: float = 0.0
    about: Mapping[str, Json] = field(default_factory=dict)
    stored: Mapping[str, Stored] = field(default_factory=dict)
    course: Course = field(default_factory=Course)

    def times(self, first: int, end: int) -> Floats:
        """Of rows first .. end - 1, s."""
        first_row = round(self.begin * self.rate)
        if abs(first_row - self.begin * self.rate) < 1e-6:  # the record's own: n / rate to the last bit
            return np.arange(first_row + first, first_row + end) / self.rate
        return self.begin + np.arange(first, end) / self.rate

    def pieces(self, rows: int = ROWS) -> Iterator[tuple[int, int]]:
        """(first, end) of rows, one piece after the other."""
        for first in range(0, self.samples, rows):
            yield first, min(first + rows, self.samples)

    def block(self, first: int, end: int) -> Floats:
        """(k, columns) of rows first .. end - 1."""
        return np.column_stack([column.values[first:end] for column in self.columns])

    @property
    def begins(self) -> datetime.datetime:
        """When the first row is."""
        return self.start + datetime.timedelta(seconds=self.begin)


@dataclass(frozen=True)
class Found:
    """A column of a file. Its samples are at begin + k / rate s, or at `times`, s; one of both is None where the file says neither."""

    name: str
    unit: str
    values: Values
    rate: float | None = None
    begin: float = 0.0
    times: Values | None = None
    about: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Contents:
    """What a file holds. start: of its time 0; without a zone where the file tells none. said: what was found out about its form, in words.
    about: what this program wrote there, if it did."""

    format: str
    columns: Sequence[Found]
    start: datetime.datetime | None = None
    about: Mapping[str, Json] = field(default_factory=dict)
    said: tuple[str, ...] = ()
