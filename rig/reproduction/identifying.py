"""`rig reproduce --identify`: for what is not reproduced with assumed parameters, whether a value within stated bounds would reproduce it.

One parameter at a time, all others as assumed: what no single one explains, several together may.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TypedDict

from rig.reproduction.bounded_search import Searched, search
from rig.reproduction.claims import printed
from rig.reproduction.common_value import Common, common
from rig.reproduction.doubts import Doubt, Point, doubts
from rig.reproduction.judging import LOST
from rig.reproduction.reproducing import outcome_of
from rig.reproduction.rows import Row
from rig.reproduction.shortfall import held
from rig.reproduction.study import Study
from rig.reproduction.trials import Trials
from rig.reproduction.values import Value

FOUND, UNSURE, NONE, INDEPENDENT = "reproduced", "open", "none", "independent"


class StatementFound(TypedDict):
    """A statement that is not reproduced as it is. found: `reproduced` by a value; `open`: by one at the usual steps, not with finer ones;
    `none` within the bounds; `independent`: the same at every value tried. intervals: of the values that do, as far as they were tried.
    value, computed: the one named, or the nearest. shortfall: how far that is from reproduced, in the statement's unit. spoils: statements
    that hold as they are and not there.
    """

    id: str
    published: Value
    assumed_computed: Value
    assumed_verdict: str
    unit: str
    found: str
    intervals: list[list[float]]
    value: Point
    computed: Value
    verdict: str
    shortfall: float
    spoils: list[str]
    why: str
    tried: int


class Identified(TypedDict):
    """Of one doubtful parameter. low, high, assumed in `unit`; `choices` where it is a word."""

    key: str
    unit: str
    low: float | None
    high: float | None
    choices: list[str]
    assumed: Point
    reason: str
    statements: list[StatementFound]
    common: list[Common]


def unsearched(paper: str, rows: Sequence[Row], found: Sequence[Identified]) -> list[str]:
    """The statements that are not reproduced and for which no parameter was tried."""
    claims = {claim.id: claim for claim in printed(paper).claims}
    tried = {statement["id"] for one in found for statement in one["statements"]}
    return [row["id"] for row in rows if row["verdict"] != LOST and not held(claims[row["id"]], row["verdict"]) and row["id"] not in tried]


def begin_identifying(paper: str, rows: Sequence[Row], study: Study, pool: Executor) -> Callable[[], list[Identified]]:
    """Have the paper's doubtful parameters searched by the pool; what is returned waits for that. A key that the user set is not in doubt.

    Raises ConfigError, as `reproduce`, for values that cannot be run.
    """
    asked = [doubt for doubt in doubts(paper) if not study.sets(doubt.key)]
    tasks = [pool.submit(identify, paper, doubt, rows, study) for doubt in asked]
    return lambda: [found for task in tasks if (found := task.result())["statements"]]


def identify(paper: str, doubt: Doubt, rows: Sequence[Row], study: Study) -> Identified:
    """One parameter. No statements where all that it is tried for are reproduced."""
    claims = {claim.id: claim for claim in printed(paper).claims}
    as_is = {row["id"]: row for row in rows}
    statements = importlib.import_module(f"rig.reproduction.{paper}").STATEMENTS
    trials = Trials(doubt, claims, statements, study, outcome_of, printed(paper).groups)
    assumed = {name: held(claims[name], as_is[name]["verdict"]) for name in doubt.claims}
    found: list[StatementFound] = []
    if not all(assumed.values()):
        for value in doubt.grid():
            trials.everywhere(value)
            trials.forget()  # what was simulated with it; a paper's runs together take a gigabyte
        found = [_statement(trials, as_is[name], assumed) for name in doubt.claims if not assumed[name]]
    return {
        "key": doubt.key,
        "unit": doubt.unit,
        "low": doubt.low,
        "high": doubt.high,
        "choices": list(doubt.choices),
        "assumed": doubt.assumed,
        "reason": doubt.reason,
        "statements": found,
        "common": common(trials, assumed) if found else [],
    }


def _statement(trials: Trials, row: Row, assumed: dict[str, bool]) -> StatementFound:
    name = row["id"]
    searched = search(trials, name)
    kind, why, spoils = _kind(trials, name, searched), "", []
    best = searched.best
    if kind == FOUND:
        survives, why = trials.survives(name, best.value)
        kind = FOUND if survives else UNSURE
        there = trials.everywhere(best.value)
        spoils = [other for other in there if assumed[other] and not there[other].held and trials.together(name, other)]
    trials.forget()
    return {
        "id": name,
        "published": row["published"],
        "assumed_computed": row["computed"],
        "assumed_verdict": row["verdict"],
        "unit": row["unit"],
        "found": kind,
        "intervals": [[one.low, one.high] for one in searched.intervals],
        "value": best.value,
        "computed": best.computed,
        "verdict": best.verdict,
        "shortfall": best.short,
        "spoils": spoils,
        "why": why,
        "tried": len(searched.trials),
    }


def _kind(trials: Trials, name: str, searched: Searched) -> str:
    if searched.best.held:
        return FOUND
    return NONE if searched.depends else INDEPENDENT
