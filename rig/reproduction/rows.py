"""One statement with its verdict, as the JSON object has it."""

from __future__ import annotations

from typing import TypedDict

from drivers.files.plain_values import Json
from rig.reproduction.claims import Claim
from rig.reproduction.convergence import Checked
from rig.reproduction.study import Computed
from rig.reproduction.values import Value


class Tried(TypedDict):
    """What came out with one value of a factor that a printed formula leaves in doubt."""

    value: float
    computed: Value
    verdict: str


class FreeFactor(TypedDict):
    """Such a factor, its bounds, and what becomes of a statement within them; the row's own verdict is that with 1."""

    key: str
    low: float
    high: float
    doubt: str
    tried: list[Tried]


class Row(TypedDict):
    """settled: whether finer steps leave the verdict as it is. free: where the statement hangs on a factor in doubt."""

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
    settled: bool
    free: FreeFactor | None


def row(claim: Claim, computed: Computed, checked: Checked) -> Row:
    """The row of a claim; what its computation remarks goes behind the reason."""
    return {
        "id": claim.id,
        "where": claim.where,
        "statement": claim.statement,
        "published": claim.published,
        "computed": computed.value,
        "unit": claim.unit,
        "tolerance": claim.tolerance,
        "conditions": dict(computed.conditions),
        "verdict": checked.verdict,
        "why": "; ".join(part for part in (checked.why, computed.remark) if part),
        "settled": checked.settled,
        "free": None,
    }
