"""The table of a reproduced paper in the terminal: every statement with its verdict and why, then what the paper leaves open."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator, Sequence

from rig.reproduction.groups import FAILS, HOLDS, OPEN, Decision
from rig.reproduction.rows import Row
from rig.reproduction.values import shown_value

WHERE, STATEMENT = 22, 66  # of the place in the paper and of a statement; what is longer goes on below
REASON = "  - "  # before why a verdict is as it is, below the statement
WIDTH = 150


def table(paper: str, rows: Sequence[Row], decided: Sequence[Decision], file: str) -> str:
    """Of one paper; `file`: its picture."""
    head = f"{'where':{WHERE}} {'statement':{STATEMENT}} {'printed':>14} {'computed':>28} {'unit':6} verdict"
    lines = [f"{paper} ({file})", head, *itertools.chain.from_iterable(_row(row) for row in rows)]
    if decided:
        lines += [
            "",
            "What the paper leaves open: of each, one at most is true; decided where one alone agrees with every statement below it.",
        ]
        lines += itertools.chain.from_iterable(_decision(one) for one in decided)
    return "\n".join(lines)


def _row(row: Row) -> Iterator[str]:
    shown = f"{shown_value(row['published']):>14} {shown_value(row['computed']):>28} {'' if row['unit'] == '1' else row['unit']:6}"
    whole = [textwrap.wrap(text, width) or [""] for text, width in ((row["where"], WHERE), (row["statement"], STATEMENT))]
    (where, statement), *more = itertools.zip_longest(*whole, fillvalue="")
    yield f"{where:{WHERE}} {statement:{STATEMENT}} {shown} {told_verdict(row)}"
    yield from (f"{where:{WHERE}} {statement}".rstrip() for where, statement in more)
    left = " " * WHERE
    yield from textwrap.wrap(row["why"], WIDTH, initial_indent=left + REASON, subsequent_indent=left + " " * len(REASON))


def told_verdict(row: Row) -> str:
    """In words; "open" where finer steps would change it."""
    return row["verdict"].replace("_", " ") + ("" if row["settled"] else ", open")


def _decision(one: Decision) -> Iterator[str]:
    yield f"{one['verdict']}: {one['question']}"
    yield from textwrap.wrap(one["why"], WIDTH, initial_indent=REASON, subsequent_indent=" " * len(REASON))
    longest = max(len(text) for text in one["hypotheses"].values())
    for key, text in one["hypotheses"].items():
        kinds = {state: [two["statement"] for two in one["statements"] if two["found"][key] == state] for state in (HOLDS, FAILS, OPEN)}
        told = "; ".join(f"{state}: {', '.join(names)}" for state, names in kinds.items() if names)
        if len(one["statements"]) == 1:
            told = one["found"][key]
        indent = " " * (len(REASON) + longest + 2)
        yield from textwrap.wrap(told, WIDTH, initial_indent=f"{'':{len(REASON)}}{text:{longest}}  ", subsequent_indent=indent)
