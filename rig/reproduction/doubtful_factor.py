"""A factor that a printed formula leaves in doubt: each statement again with other values within its bounds.

Its verdict stays that of the formula as printed. The other values are computed at the usual steps only: they tell whether the doubt could
explain a difference. Where a statement is not decidable with the formula as printed, it is taken as open with the others too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rig.reproduction.claims import Claim, Free, Group
from rig.reproduction.convergence import words
from rig.reproduction.groups import Decision, decide
from rig.reproduction.judging import NOT, judge
from rig.reproduction.rows import FreeFactor, Row, Tried
from rig.reproduction.study import Outcome


def add(row: Row, claim: Claim, free: Free, found: Mapping[str, Mapping[str, Outcome]]) -> None:
    """Put beside the row what comes out with the other values; found: {value's name: {claim: outcome}}."""
    tried: list[Tried] = []
    for name, value in free.values.items():
        if value == 1.0:
            tried.append({"value": value, "computed": row["computed"], "verdict": row["verdict"]})
        else:
            computed, failed = found[name][claim.id]
            tried.append({"value": value, "computed": computed.value, "verdict": NOT if failed else judge(claim, computed.value)[0]})
    low, high = min(free.values.values()), max(free.values.values())
    row["free"] = {"key": free.key, "low": low, "high": high, "doubt": free.doubt, "tried": tried}
    row["why"] += f"; {_name(free)} free from {low:.3g} to {high:.3g}, {_told(row, free, tried)}"


def _told(row: Row, free: Free, tried: Sequence[Tried]) -> str:
    if not row["settled"]:
        return "not decidable at this resolution"
    found: dict[str, list[str]] = {}
    for name, one in zip(free.values, tried, strict=True):
        found.setdefault(words(one["verdict"]), []).append(name)
    if len(found) == 1:
        return f"{words(row['verdict'])} throughout"
    return "; ".join(f"{verdict} at {', '.join(names)}" for verdict, names in found.items())


def _name(free: Free) -> str:
    return free.key.rpartition(".")[2]


def decision(free: Free, rows: Sequence[Row], claims: Mapping[str, Claim]) -> Decision:
    """Which of the values agrees with every statement: they exclude each other, the paper has one."""
    names = {value: name for name, value in free.values.items()}
    factors: list[tuple[Row, FreeFactor]] = [(row, row["free"]) for row in rows if row["free"]]
    members, asked, judged = {}, {}, {}
    for row, factor in factors:
        members[row["id"]] = {names[one["value"]]: f"{row['id']} at {names[one['value']]}" for one in factor["tried"]}
        for one in factor["tried"]:
            place = members[row["id"]][names[one["value"]]]
            asked[place] = claims[row["id"]]
            judged[place] = (one["verdict"], True) if row["settled"] else (NOT, False)
    found = decide(Group(_name(free), free.doubt, {name: name for name in free.values}, members), asked, judged)
    for statement in found["statements"]:
        statement["rows"] = dict.fromkeys(free.values, statement["statement"])  # each is told in the statement's one row
    return found
