"""The course of a test over its cycles: one pass through the tables, and what is drawn and told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.recorder.description import Event
from rig.report.endurance.bounds import Bounds, bounds
from rig.report.endurance.cycle_tables import CycleTables, Floats
from rig.report.endurance.cycle_values import CycleValue
from rig.report.endurance.reducing import Reduced
from rig.report.endurance.selection import Panel, Watched, panels
from rig.report.endurance.stops import CyclesOf, Stop, acts, stops, told, undisturbed
from rig.streaming.interruptions import held_samples
from rig.streaming.new_baselines import new_baselines

MANY = 20
"""Cycles from which a record with a table of them has a trend; fewer are seen one by one in the overlay."""
ENDS = 10
"""Cycles at the beginning and at the end whose mean is told; of a short test a quarter of them."""


@dataclass(frozen=True)
class Change:
    """A value of the cycles, mean of those at the beginning and of those at the end: (first, last) cycle of each."""

    value: CycleValue
    unit: str
    start: float | None
    end: float | None
    starts: tuple[int, int]
    ends: tuple[int, int]


@dataclass(frozen=True)
class Course:
    """Curves as (cycle, value) by value, SI; bounds by panel; stops with their cycles."""

    first: int
    last: int
    whole: int
    """Cycles run from begin to end."""
    held: int
    """Of these, in which the test was held: no curve has them."""
    cut: int
    """Rows of cycles that are not whole: in which the test ended or was stopped, or samples were lost. No curve has them."""
    panels: Sequence[Panel]
    curves: Mapping[CycleValue, tuple[Floats, Floats]]
    bounds: Mapping[str, Sequence[Bounds]]
    stops: Sequence[Stop]
    changes: Sequence[Change]
    acts: Sequence[Stop] = ()
    """What was changed while it went on, with its cycles."""

    @property
    def happened(self) -> list[Stop]:
        """Stops and acts, in the order of their times."""
        return sorted([*self.stops, *self.acts], key=lambda one: one.begin)


def course(path: Path, events: Sequence[Event], watched: Watched, least: int = MANY, discard: int = 0) -> Course | None:
    """Of a record; None where it has no table of at least so many cycles. discard: whole cycles before those at the beginning.

    Raises ConfigError for a file that cannot be opened.
    """
    with CycleTables(path) as tables:
        if len(tables) < max(least, 1):
            return None
        shown = panels(tables, watched)
        values = list(dict.fromkeys(value for panel in shown for value in panel.values))
        columns = list(dict.fromkeys(column for value in values for column in value.columns))
        first, last = tables.span
        reduced, places, whole = {value: Reduced(first, last) for value in values}, CyclesOf(stops(events)), 0
        changed = CyclesOf(acts(events))
        held, calm, anew = held_samples(map(told, events)), 0, new_baselines(events)
        for rows in tables.blocks(columns):
            places.add(rows.cycle, rows.first_sample)
            changed.add(rows.cycle, rows.first_sample)
            fine = undisturbed(rows, held)
            whole, calm = whole + int(rows.whole.sum()), calm + int(fine.sum())
            for value, curve in reduced.items():
                curve.add(rows.cycle[fine], value.of(rows.values)[fine])
        found = {panel.title: _bounds(panel, watched, tables, anew) for panel in shown}
        return Course(
            first, last, whole, whole - calm, len(tables) - whole, shown, {value: curve.curve() for value, curve in reduced.items()}, found,
            places.stops, _changes(tables, shown, calm, discard, held), changed.stops,
        )  # fmt: skip


def _bounds(panel: Panel, watched: Watched, tables: CycleTables, anew: Mapping[int, Sequence[int]]) -> list[Bounds]:
    return list(dict.fromkeys(one for value in panel.values for one in bounds(watched.limits, value, tables, anew)))


Held = Sequence[tuple[int, int | None]]


def _changes(tables: CycleTables, shown: Sequence[Panel], calm: int, discard: int, held: Held) -> list[Change]:
    count = max(1, min(ENDS, (calm - discard) // 4))
    spare = count + len(tables) - calm  # rows that do not count may lie anywhere
    ends = (max(0, len(tables) - spare), len(tables))
    return [
        _change(tables, panel.unit, value, count, (0, discard + spare), ends, discard, held) for panel in shown for value in panel.values
    ]


def _change(
    tables: CycleTables,
    unit: str,
    value: CycleValue,
    count: int,
    head: tuple[int, int],
    tail: tuple[int, int],
    discard: int,
    held: Held,
) -> Change:
    start, starts = _mean(tables, value, head, slice(discard, discard + count), held)
    end, ends = _mean(tables, value, tail, slice(-count, None), held)
    return Change(value, unit, start, end, starts, ends)


def _mean(tables: CycleTables, value: CycleValue, rows: tuple[int, int], part: slice, held: Held) -> tuple[float | None, tuple[int, int]]:
    """Of some of the undisturbed cycles of those rows, and which cycles these are."""
    found, cycles = list[float](), list[int]()
    for block in tables.blocks(value.columns, *rows):
        fine = undisturbed(block, held)
        found += value.of(block.values)[fine].tolist()
        cycles += block.cycle[fine].tolist()
    found, cycles = found[part], cycles[part]
    known = [x for x in found if x == x]
    return (sum(known) / len(known) if known else None), ((cycles[0], cycles[-1]) if cycles else (0, 0))
