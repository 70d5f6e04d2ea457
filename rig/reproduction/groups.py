"""Which of the hypotheses that exclude each other agrees with a paper: one, or it stays undecided.

A hypothesis holds where each of its statements is as good as it can get, and fails where one is not for certain; a statement whose verdict
is not decided by the resolution leaves it open. A group is decided where one hypothesis holds and all others fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from rig.reproduction.claims import Claim, Group
from rig.reproduction.judging import ORDER, REPRODUCED

HOLDS, FAILS, OPEN = "holds", "fails", "open"
DECIDED, UNDECIDED = "decided", "undecided"


class Statement(TypedDict):
    """One statement under each hypothesis: {hypothesis: holds, fails or open}, and what follows from it alone."""

    statement: str
    rows: dict[str, str]
    found: dict[str, str]
    verdict: str


class Decision(TypedDict):
    """A group as the JSON object has it; `holds`: the hypothesis that alone agrees with the paper."""

    group: str
    question: str
    hypotheses: dict[str, str]
    statements: list[Statement]
    found: dict[str, str]
    verdict: str
    holds: str | None
    why: str


def decide(group: Group, claims: Mapping[str, Claim], judged: Mapping[str, tuple[str, bool]]) -> Decision:
    """judged: (verdict, whether finer steps leave it) of each claim by its id."""
    statements = [_statement(name, ids, claims, judged) for name, ids in group.members.items()]
    found = {key: _all(statement["found"][key] for statement in statements) for key in group.hypotheses}
    return {
        "group": group.id,
        "question": group.question,
        "hypotheses": dict(group.hypotheses),
        "statements": statements,
        "found": found,
        "verdict": _verdict(found),
        "holds": next((key for key in found if found[key] == HOLDS), None) if _verdict(found) == DECIDED else None,
        "why": _why(group, found, statements),
    }


def _statement(name: str, ids: Mapping[str, str], claims: Mapping[str, Claim], judged: Mapping[str, tuple[str, bool]]) -> Statement:
    found = {key: _found(claims[one], *judged[one]) for key, one in ids.items()}
    return {"statement": name, "rows": dict(ids), "found": found, "verdict": _verdict(found)}


def _found(claim: Claim, verdict: str, settled: bool) -> str:
    """The best that a claim can get is `reproduced`, or the order where the paper itself gives no more."""
    best = (REPRODUCED, ORDER) if claim.compare == "order" else (REPRODUCED,)
    return HOLDS if verdict in best else FAILS if settled else OPEN


def _all(found: Iterable[str]) -> str:
    """Of a hypothesis, from its statements."""
    every = set(found)
    return FAILS if FAILS in every else OPEN if OPEN in every else HOLDS


def _verdict(found: Mapping[str, str]) -> str:
    states = list(found.values())
    return DECIDED if states.count(HOLDS) == 1 and OPEN not in states else UNDECIDED


def _why(group: Group, found: Mapping[str, str], statements: Sequence[Statement]) -> str:
    held = [key for key in found if found[key] == HOLDS]
    left = [key for key in found if found[key] == OPEN]
    if len(held) == 1 and not left:
        return f"only {group.hypotheses[held[0]]!r} agrees with every statement"
    if held or left:
        parts = [f"{name} {_texts(group, keys)}" for name, keys in (("agrees:", held), ("open at this resolution:", left)) if keys]
        return f"several may be true; {'; '.join(parts)}"
    most = {key: sum(one["found"][key] == HOLDS for one in statements) for key in found}
    nearest = [key for key in found if most[key] == max(most.values())]
    return f"none agrees with every statement; the most, {max(most.values())} of {len(statements)}: {_texts(group, nearest)}"


def _texts(group: Group, keys: Sequence[str]) -> str:
    return " / ".join(group.hypotheses[key] for key in keys)
