"""What a report is made of. A template knows these names alone: docs/reports.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PASSED, FAILED, DOUBTED, CHANGED = "passed", "failed", "doubted", "changed"
"""Marks of a row or a verdict: how it is to be seen at a glance, beside its words."""


@dataclass(frozen=True)
class Row:
    """Cells of a table as they are read; mark: one of the above, or nothing."""

    cells: Sequence[str]
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """heads and cells in the order of the columns; the first `left` of them are words, the others numbers. note: below it."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Row]
    left: int = 1
    note: str = ""


@dataclass(frozen=True)
class Fact:
    """A name and what is known by it."""

    name: str
    text: str


@dataclass(frozen=True)
class Curve:
    """x and y (n,) in the units of the axes; NaN where there is none. style: as `figures.js` draws it."""

    name: str
    x: Floats
    y: Floats
    style: str


@dataclass(frozen=True)
class Figure:
    """Curves over each other. key: its own in the whole report; text: what can be seen, for whoever does not see it."""

    key: str
    title: str
    text: str
    x_title: str
    y_title: str
    curves: Sequence[Curve]
    categories: Sequence[str] = ()
    """Names at the places 0, 1, 2 ... of an axis that is none of numbers."""
    logarithmic: str = ""
    """Axes that are: "x", "y" or "xy"."""
    equal: bool = False
    """One unit is as long on both axes."""


@dataclass(frozen=True)
class Judgement:
    """A verdict. result: as in the JSON; words: the same to be read; mark: how it looks; reason: as the program gave it."""

    result: str
    words: str
    mark: str
    reason: str


@dataclass(frozen=True)
class Section:
    """A part of a chapter. key: its own in the chapter; items: Facts, Tables, Figures and paragraphs by kind."""

    key: str
    title: str
    facts: Sequence[Fact] = ()
    paragraphs: Sequence[str] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    empty: str = ""
    """What is said where there is nothing of all that."""


@dataclass(frozen=True)
class Chapter:
    """One test. key: its own in the report, as run1; run: its name."""

    key: str
    run: str
    title: str
    facts: Sequence[Fact]
    verdict: Judgement
    sections: Sequence[Section]


@dataclass(frozen=True)
class Report:
    """All of it. series: sections that have several tests side by side; none for one test."""

    title: str
    subtitle: str
    language: str
    made: str
    """When it was made, ISO 8601 with its zone."""
    program: str
    chapters: Sequence[Chapter]
    series: Sequence[Section] = ()

    @property
    def figures(self) -> list[Figure]:
        """All of them, in order."""
        parts = [*self.series, *(section for chapter in self.chapters for section in chapter.sections)]
        return [figure for section in parts for figure in section.figures]
