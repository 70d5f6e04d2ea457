"""A column of a CSV file: a header line `time[s],name[unit],...` (or the units in the line below), then numbers."""

from __future__ import annotations

from pathlib import Path

from rig.formats.text_lines import blocks
from rig.playback import no_such_column
from rig.playback.column import Column, checked, rate_of
from rig.playback.csv_header import header
from rig.playback.csv_numbers import Numbers
from rig.playback.units import agreed


def read(path: Path, column: str, unit: str | None) -> Column:
    """See `rig.playback.read`. Raises ValueError."""
    text = blocks(path)
    first, lines = next(text, (1, []))
    head, taken = header(lines, first)
    to_seconds = head.to_seconds()
    found = head.find(column)
    if not found:
        raise no_such_column(column, head.names)
    if len(found) > 1:
        raise ValueError(f"{len(found)} columns are called {column!r}; there are {', '.join(head.names[:40])}")
    name, of = head.heads[found[0]]
    given = agreed(name, of, unit)
    numbers = Numbers(head.separator, len(head.heads), found[0], name)
    numbers.take(first + taken, lines[taken:])
    for first, lines in text:
        numbers.take(first, lines)
    time, values = numbers.columns()
    if not len(values):
        raise ValueError(f"column {column!r} is empty: there is no row below the header")
    return checked(name, values, given, rate_of(time * to_seconds))
