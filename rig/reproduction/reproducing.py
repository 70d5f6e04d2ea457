"""One paper: every statement computed, judged, and what is not reproduced computed again, finer."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from model.errors import ModelError
from rig.errors import ConfigError
from rig.reproduction.claims import Claim, claims
from rig.reproduction.judging import LOST, NOT, judge
from rig.reproduction.margins import margin
from rig.reproduction.study import Computed, Study


def reproduce(paper: str, study: Study) -> list[dict[str, Any]]:
    """Rows as the JSON object has them. Raises ConfigError for settings that cannot be run."""
    module = importlib.import_module(f"rig.reproduction.{paper}")
    finer = study.finer()
    rows = [_row(claim, module.STATEMENTS, study, finer) for claim in claims(paper)]
    if study.unused:
        raise ConfigError([f"--set {override}: nothing in {paper} has such a key" for override in sorted(study.unused)])
    return rows


def _row(claim: Claim, statements: dict[str, Any], study: Study, finer: Study) -> dict[str, Any]:
    if claim.lost:
        return _told(claim, Computed(None), LOST, claim.lost)
    computed, failed = _computed(statements[claim.id], study)
    verdict, why = (NOT, failed) if failed else judge(claim, computed.value)
    if verdict == NOT and not failed:
        why = f"{why}; {_convergence(claim, statements[claim.id], computed, finer)}"
    return _told(claim, computed, verdict, "; ".join(part for part in (why, computed.remark) if part))


def _computed(statement: Any, study: Study) -> tuple[Computed, str]:
    try:
        return statement(study), ""
    except ModelError as error:  # a result as well: under these settings the model does not get there
        return Computed(None), f"the model stopped: {error}"


def _convergence(claim: Claim, statement: Any, computed: Computed, finer: Study) -> str:
    """What finer steps change; "not converged" where that is as much as the verdict hangs on."""
    again, failed = _computed(statement, finer)
    if failed:
        return f"with finer steps {failed}"
    if isinstance(computed.value, (str, bool)) or computed.value is None:
        same = again.value == computed.value
        return "the same with finer steps" if same else f"not converged: with finer steps it is {again.value}"
    first, second = (np.atleast_1d(np.asarray(value, dtype=float)) for value in (computed.value, again.value))
    if first.shape != second.shape:
        return f"not converged: {len(first)} values, {len(second)} with finer steps"
    change = float(np.max(np.abs(second - first), initial=0.0))
    verdict = judge(claim, again.value)[0]
    if verdict != NOT:
        return f"not converged: finer steps change it by {change:.2g}, and it is {verdict.replace('_', ' ')}"
    decides = margin(claim, computed.value)
    if decides is not None and change >= decides:
        return f"not converged: finer steps change it by {change:.2g}, and a change by {decides:.2g} would decide otherwise"
    return f"finer steps change it by {change:.2g}"


def _told(claim: Claim, computed: Computed, verdict: str, why: str) -> dict[str, Any]:
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
