"""The table of `rig reproduce --identify`: of each doubtful parameter, what it would reproduce, where, and at which cost."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence

from rig.reproduction.common_value import Common
from rig.reproduction.doubts import Point
from rig.reproduction.identifying import FOUND, INDEPENDENT, NONE, UNSURE, Identified, StatementFound
from rig.reproduction.values import shown_value

WIDTH = 150
INDENT = "  - "
BELOW = " " * (len(INDENT) + 2)


def identified_table(paper: str, found: Sequence[Identified], left: Sequence[str]) -> str:
    """Of one paper; `left`: what is not reproduced and was not searched for."""
    rest = _wrapped(f"not searched for, as no parameter with bounds is tried for it: {', '.join(left)}", "", "  ") if left else []
    if not found:
        return "\n".join([f"{paper}: nothing that is not reproduced hangs on a parameter whose bounds are stated", *rest])
    head = f"{paper}: doubtful parameters, one at a time within their bounds"
    return "\n".join([head, *(line for one in found for line in _parameter(one)), "", *rest]).rstrip()


def _parameter(one: Identified) -> Iterator[str]:
    bounds = " or ".join(one["choices"]) if one["choices"] else f"{one['low']:.4g} to {one['high']:.4g}{_unit(one['unit'])}"
    yield ""
    yield from _wrapped(f"{one['key']}: {bounds}, assumed {_point(one['assumed'], one['unit'])}: {one['reason']}", "", "  ")
    for row in one["statements"]:
        if row["found"] != INDEPENDENT:
            yield from _wrapped(_statement(row, one["unit"]), INDENT, BELOW)
    if apart := [row["id"] for row in one["statements"] if row["found"] == INDEPENDENT]:
        yield from _wrapped(f"does not change: {', '.join(apart)}", INDENT, BELOW)
    for shared in one["common"]:
        yield from _wrapped(_common(shared, one["unit"]), INDENT, BELOW)


def _statement(row: StatementFound, unit: str) -> str:
    name, value = row["id"], _point(row["value"], unit)
    came = f"{shown_value(row['computed'])}{_unit(row['unit'])}, printed {shown_value(row['published'])}"
    if row["found"] == NONE and not math.isfinite(row["shortfall"]):
        return f"{name}: by none, and no number says which is nearest; at {value}: {came}"
    if row["found"] == NONE:
        return f"{name}: by none; nearest at {value}: {came}"
    ranges = " and ".join(f"{low:.4g} to {high:.4g}" for low, high in row["intervals"])
    told = f"{name}: reproduced by {value}" + (f" ({ranges}{_unit(unit)})" if ranges else "") + f": {came}"
    if row["found"] == UNSURE:
        told += f"; open: {row['why']}"
    return told + (f"; spoils {', '.join(row['spoils'])}" if row["spoils"] and row["found"] in (FOUND, UNSURE) else "")


def _common(shared: Common, unit: str) -> str:
    count = len(shared["statements"])
    who = f"the {count} statements" + (f" under {shared['hypothesis']!r}" if shared["hypothesis"] else "")
    value = _point(shared["value"], unit)
    if shared["all"]:
        return f"one value for all: {value} serves {who}, of which {shared['held_assumed']} hold as they are"
    told = f"no value tried serves all: of {who} {shared['held']} hold at {value}, {shared['held_assumed']} as they are"
    for word, names in (("gained", shared["gained"]), ("spoiled", shared["spoiled"])):
        told += f"; {word} {', '.join(names)}" if names else ""
    return told


def _point(value: Point, unit: str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}{_unit(unit)}"


def _unit(unit: str) -> str:
    return "" if unit == "1" else f" {unit}"


def _wrapped(text: str, first: str, later: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=later)
