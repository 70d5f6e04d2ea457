"""A verdict in the light of finer steps: of two verdicts the worse, and no trend smaller than what the steps change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rig.reproduction.claims import Claim
from rig.reproduction.judging import NOT, ORDER, REPRODUCED, judge
from rig.reproduction.margins import margin, trend
from rig.reproduction.study import Computed
from rig.reproduction.values import Value, numbers

RANK = (REPRODUCED, ORDER, NOT)  # from the best


class Checked(NamedTuple):
    """settled: whether finer steps leave the verdict as it is."""

    verdict: str
    why: str
    settled: bool


def checked(claim: Claim, computed: Computed, again: Computed, failed: str) -> Checked:
    """What was computed, and again with finer steps; `failed`: why these did not get there, else nothing."""
    verdict, why = judge(claim, computed.value)
    if failed:
        return Checked(NOT, f"{why}; not decidable at this resolution: with finer steps {failed}", False)
    second = judge(claim, again.value)[0]
    if verdict == NOT:
        settled, said = _still_not(claim, computed.value, again.value, second)
        return Checked(NOT, f"{why}; {said}", settled)
    change = _change(computed.value, again.value)
    if second != verdict:
        worse = max(verdict, second, key=RANK.index)
        moved = "" if change is None else f" change it by {change:.2g} and"
        return Checked(worse, f"{why}; not decidable at this resolution: finer steps{moved} make it {words(second)}", False)
    if too_small := trend(claim, computed.value, again.value):
        return Checked(NOT, f"{why}, but not decidable at this resolution: {too_small}", False)
    return Checked(verdict, f"{why}; finer steps change it by {change:.2g}" if change else why, True)


def _change(value: Value, again: Value) -> float | None:
    """Largest difference of the numbers; none of words, truths or different counts."""
    if any(isinstance(one, (str, bool)) or one is None for one in (value, again)):
        return None
    first, second = numbers(value), numbers(again)
    return float(np.max(np.abs(second - first), initial=0.0)) if first.shape == second.shape else None


def _still_not(claim: Claim, value: Value, again: Value, second: str) -> tuple[bool, str]:
    """Of what is not reproduced: what finer steps change; "not converged" where that is as much as the verdict hangs on."""
    change = _change(value, again)
    if change is None:
        same = again == value
        return same, "the same with finer steps" if same else f"not converged: with finer steps it is {again}"
    if second != NOT:
        return False, f"not converged: finer steps change it by {change:.2g}, and it is {words(second)}"
    decides = margin(claim, value)
    if decides is not None and change >= decides:
        return False, f"not converged: finer steps change it by {change:.2g}, and a change by {decides:.2g} would decide otherwise"
    return True, f"finer steps change it by {change:.2g}"


def words(verdict: str) -> str:
    """A verdict as a sentence has it."""
    return verdict.replace("_", " ")
