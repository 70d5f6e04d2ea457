"""Which values of the cycles are shown and told: what limits look at, the loaded channel, what is calculated, the model's error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rig.config.experiment import Limit
from rig.recorder.reading import CALCULATED
from rig.report.endurance.cycle_tables import LEADING, CycleTables
from rig.report.endurance.cycle_values import FIGURES, CycleValue
from rig.report.names import words

PREDICTED = "predicted_as_measured"
MOST = 12
"""Panels; of more limits than that the first ones are drawn."""


@dataclass(frozen=True)
class Watched:
    """What is known of a test besides its record."""

    main: str
    """Channel that is shown first; empty: the first that was measured."""
    limits: Sequence[Limit] = ()
    growing: Sequence[str] = ()
    """Calculated channels that only grow, as damage: their peak is all there is to see."""


@dataclass(frozen=True)
class Panel:
    """Values over the cycles on one scale."""

    title: str
    unit: str
    values: tuple[CycleValue, ...]


def panels(tables: CycleTables, watched: Watched) -> list[Panel]:
    """Those of which the record has the columns, each once."""
    wanted = [
        *_limited(tables, watched.limits),
        *_measured(tables, watched.main),
        *_calculated(tables, watched.growing),
        *_difference(watched.main),
    ]
    found: dict[str, Panel] = {}
    for title, values in wanted:
        units = {tables.unit(column) for value in values for column in value.columns}
        if None in units or title in found:
            continue
        found[title] = Panel(title, str(next(iter(units))), values)
    return list(found.values())[:MOST]


Wanted = list[tuple[str, tuple[CycleValue, ...]]]


def _limited(tables: CycleTables, limits: Sequence[Limit]) -> Wanted:
    """What a limit on each cycle looks at."""
    each = [one for one in limits if any(x is not None for x in (one.change, one.relative_change, one.slope, one.drift))]
    found = [(stream_of(tables, one.channel), one) for one in each if one.per_cycle in FIGURES]
    return [_one(stream, one.channel, one.per_cycle) for stream, one in found if stream]


def stream_of(tables: CycleTables, channel: str) -> str:
    """Where a channel of that name is; empty where it is not."""
    for stream in (LEADING, *CALCULATED):
        if stream in tables.tables and f"{channel}_min" in tables.tables[stream].dtype.names:
            return stream
    return ""


def _measured(tables: CycleTables, main: str) -> Wanted:
    names = [name.removesuffix("_min") for name in tables.tables[LEADING].dtype.names if name.endswith("_min")]
    first = main if main in names else names[0]
    both = (CycleValue(LEADING, first, "peak"), CycleValue(LEADING, first, "valley"))
    found: Wanted = [(f"{words(first)}: peak and valley", both), _one(LEADING, first, "amplitude"), _one(LEADING, first, "middle")]
    if "stroke" in names and first != "stroke":
        found += [_one(LEADING, "stroke", "amplitude"), _one(LEADING, "stroke", "middle")]
    return found


def _calculated(tables: CycleTables, growing: Sequence[str]) -> Wanted:
    names = [
        (stream, name.removesuffix("_min"))
        for stream in CALCULATED
        if stream in tables.tables
        for name in tables.tables[stream].dtype.names
        if name.endswith("_min")
    ]
    both = {name: (CycleValue(stream, name, "peak"), CycleValue(stream, name, "valley")) for stream, name in names}
    return [(words(n), pair[:1]) if n in growing else (f"{words(n)}: peak and valley", pair) for n, pair in both.items()]


def _difference(main: str) -> Wanted:
    both = tuple(CycleValue(LEADING, main, value, PREDICTED) for value in ("peak", "valley"))
    return [(f"{words(main)}: measured minus predicted, of peak and valley", both)] if main else []


def _one(stream: str, channel: str, value: str) -> tuple[str, tuple[CycleValue, ...]]:
    return f"{words(channel)}: {value}", (CycleValue(stream, channel, value),)
