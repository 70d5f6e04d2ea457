"""One paper: every statement computed, judged, and computed again with finer steps: the verdict has to be the same.

What changes nothing by finer steps has no numerical error: closed forms, and what rests on configured numbers alone.
Both are computed at the same time, each in a thread of its own: compiled code runs without Python's lock.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

import scipy.linalg  # noqa: F401 - its library must be loaded to be told how many threads it may use
from threadpoolctl import threadpool_limits

from model.errors import ModelError
from rig.errors import ConfigError
from rig.reproduction import doubtful_factor
from rig.reproduction.claims import Claim, claims, printed
from rig.reproduction.convergence import Checked, checked
from rig.reproduction.groups import Decision, decide
from rig.reproduction.judging import LOST, NOT
from rig.reproduction.rows import Row, row
from rig.reproduction.study import Computed, Outcome, Statement, Study


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
    free = None if (doubt := printed(paper).free) and study.sets(doubt.key) else doubt
    doubted = [claim for claim in asked if free and claim.id in free.claims]
    settings = free.settings() if free else {}
    others = {name: pool.submit(_all, doubted, module.STATEMENTS, study.with_setting(one)) for name, one in settings.items()}

    def rows() -> list[Row]:
        found, again = usual.result(), finer.result()
        if study.unused:
            raise ConfigError([f"--set {override}: nothing in {paper} has such a key" for override in sorted(study.unused)])
        made = [_row(claim, found, again) for claim in claims(paper)]
        tried = {name: one.result() for name, one in others.items()}
        for one, claim in zip(made, claims(paper), strict=True):
            if free and claim in doubted:
                doubtful_factor.add(one, claim, free, tried)
        return made

    return rows


def decisions(paper: str, rows: Sequence[Row]) -> list[Decision]:
    """What the rows decide of the hypotheses that exclude each other; of a factor in doubt as well, each value being one."""
    asked = {claim.id: claim for claim in claims(paper)}
    judged = {one["id"]: (one["verdict"], one["settled"]) for one in rows}
    found = [decide(group, asked, judged) for group in printed(paper).groups]
    free = printed(paper).free
    return [*found, doubtful_factor.decision(free, rows, asked)] if free and any(one["free"] for one in rows) else found


def _all(asked: list[Claim], statements: Mapping[str, Statement], study: Study) -> dict[str, Outcome]:
    return {claim.id: outcome_of(statements[claim.id], study) for claim in asked}


def _row(claim: Claim, found: Mapping[str, Outcome], again: Mapping[str, Outcome]) -> Row:
    if claim.lost:
        return row(claim, Computed(None), Checked(LOST, claim.lost, True))
    computed, failed = found[claim.id]
    return row(claim, computed, Checked(NOT, failed, True) if failed else checked(claim, computed, *again[claim.id]))


def outcome_of(statement: Statement, study: Study) -> Outcome:
    """What a statement gives in a study, and why it did not get there."""
    try:
        return statement(study), ""
    except ModelError as error:  # a result as well: under these settings the model does not get there
        return Computed(None), f"the model stopped: {error}"
