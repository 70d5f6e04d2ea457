"""One paper: every statement computed, judged, and computed again with finer steps: the verdict has to be the same.

What changes nothing by finer steps has no numerical error: closed forms, and what rests on configured numbers alone.
Both are computed at the same time, each in a thread of its own: compiled code runs without Python's lock.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypedDict

import numpy as np
import scipy.linalg  # noqa: F401 - its library must be loaded to be told how many threads it may use
from threadpoolctl import threadpool_limits

from drivers.files.plain_values import Json
from model.errors import ModelError
from rig.errors import ConfigError
from rig.reproduction.claims import Claim, claims
from rig.reproduction.judging import LOST, NOT, ORDER, REPRODUCED, Found, judge
from rig.reproduction.margins import margin, trend
from rig.reproduction.study import Computed, Statement, Study
from rig.reproduction.values import Value, numbers

RANK = (REPRODUCED, ORDER, NOT)  # from the best


class Row(TypedDict):
    """One statement as the JSON object has it."""

    id: str
    where: str
    statement: str
    published: Value
    computed: Value
    unit: str
    tolerance: float | None
    conditions: dict[str, Json]
    verdict: str
    why: str


Outcome = tuple[Computed, str]  # what a statement gave, and why it did not get there


def reproduce(paper: str, study: Study) -> list[Row]:
    """Rows as the JSON object has them. Raises ConfigError for settings that cannot be run."""
    with threads(study) as pool:
        return begin(paper, study, pool)()


@contextmanager
def threads(*studies: Study) -> Iterator[Executor]:
    """One for each core. Left by an error, it ends with the simulations that run at that moment; by an interruption, without them.

    Linear algebra keeps to its caller's thread: with threads of its own in each, they stood in each other's way more than they helped.
    """
    pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="reproduce")
    wait = True
    try:
        with threadpool_limits(limits=1, user_api="blas"):
            yield pool
    except BaseException as error:
        wait = not isinstance(error, KeyboardInterrupt)  # one of them may have to be compiled first
        for study in studies:
            study.given_up.set()
        raise
    finally:
        pool.shutdown(wait, cancel_futures=True)


def begin(paper: str, study: Study, pool: Executor) -> Callable[[], list[Row]]:
    """Have the paper's statements computed by the pool; what is returned waits for that, and gives the rows as `reproduce` does."""
    module = importlib.import_module(f"rig.reproduction.{paper}")
    asked = [claim for claim in claims(paper) if not claim.lost]
    usual, finer = (pool.submit(_all, asked, module.STATEMENTS, one) for one in (study, study.finer()))

    def rows() -> list[Row]:
        found, again = usual.result(), finer.result()
        if study.unused:
            raise ConfigError([f"--set {override}: nothing in {paper} has such a key" for override in sorted(study.unused)])
        return [_row(claim, found, again) for claim in claims(paper)]

    return rows


def _all(asked: list[Claim], statements: Mapping[str, Statement], study: Study) -> dict[str, Outcome]:
    return {claim.id: _computed(statements[claim.id], study) for claim in asked}


def _row(claim: Claim, found: Mapping[str, Outcome], again: Mapping[str, Outcome]) -> Row:
    if claim.lost:
        return _finding(claim, Computed(None), LOST, claim.lost)
    computed, failed = found[claim.id]
    verdict, why = (NOT, failed) if failed else _checked(claim, computed, *again[claim.id])
    return _finding(claim, computed, verdict, "; ".join(part for part in (why, computed.remark) if part))


def _computed(statement: Statement, study: Study) -> Outcome:
    try:
        return statement(study), ""
    except ModelError as error:  # a result as well: under these settings the model does not get there
        return Computed(None), f"the model stopped: {error}"


def _checked(claim: Claim, computed: Computed, again: Computed, failed: str) -> Found:
    """Verdict and why, in the light of what finer steps gave: of two verdicts the worse, and no trend smaller than their difference."""
    verdict, why = judge(claim, computed.value)
    if failed:
        return NOT, f"{why}; not decidable at this resolution: with finer steps {failed}"
    second = judge(claim, again.value)[0]
    if verdict == NOT:
        return NOT, f"{why}; {_convergence(claim, computed.value, again.value, second)}"
    change = _change(computed.value, again.value)
    if second != verdict:
        worse = max(verdict, second, key=RANK.index)
        moved = "" if change is None else f" change it by {change:.2g} and"
        return worse, f"{why}; not decidable at this resolution: finer steps{moved} make it {_words(second)}"
    if too_small := trend(claim, computed.value, again.value):
        return NOT, f"{why}, but not decidable at this resolution: {too_small}"
    return verdict, f"{why}; finer steps change it by {change:.2g}" if change else why


def _change(value: Value, again: Value) -> float | None:
    """Largest difference of the numbers; none of words, truths or different counts."""
    if any(isinstance(one, (str, bool)) or one is None for one in (value, again)):
        return None
    first, second = numbers(value), numbers(again)
    return float(np.max(np.abs(second - first), initial=0.0)) if first.shape == second.shape else None


def _convergence(claim: Claim, value: Value, again: Value, second: str) -> str:
    """Of what is not reproduced: what finer steps change; "not converged" where that is as much as the verdict hangs on."""
    change = _change(value, again)
    if change is None:
        return "the same with finer steps" if again == value else f"not converged: with finer steps it is {again}"
    if second != NOT:
        return f"not converged: finer steps change it by {change:.2g}, and it is {_words(second)}"
    decides = margin(claim, value)
    if decides is not None and change >= decides:
        return f"not converged: finer steps change it by {change:.2g}, and a change by {decides:.2g} would decide otherwise"
    return f"finer steps change it by {change:.2g}"


def _words(verdict: str) -> str:
    return verdict.replace("_", " ")


def _finding(claim: Claim, computed: Computed, verdict: str, why: str) -> Row:
    return {
        "id": claim.id,
        "where": claim.where,
        "statement": claim.statement,
        "published": claim.published,
        "computed": computed.value,
        "unit": claim.unit,
        "tolerance": claim.tolerance,
        "conditions": dict(computed.conditions),
        "verdict": verdict,
        "why": why,
    }
