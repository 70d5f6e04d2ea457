"""Whether one value of a doubtful parameter serves all statements of a paper that share it: the paper computed with one.

Statements under hypotheses that exclude each other are never asked for together: a value has to serve those of one hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from rig.reproduction.claims import Claim, Group
from rig.reproduction.doubts import Doubt, Point
from rig.reproduction.trials import Trials


class Common(TypedDict):
    """hypothesis: its text, None for the statements that are under none. value: the one of those tried that serves the most statements;
    of equals that nearest to what is assumed. held_assumed: how many hold with the paper's experiments as they are. all: whether it serves
    every one. gained, spoiled: those that hold there and not as they are, and the other way round; lacking: those that hold with neither.
    """

    hypothesis: str | None
    statements: list[str]
    value: Point
    held: int
    held_assumed: int
    all: bool
    gained: list[str]
    spoiled: list[str]
    lacking: list[str]


def common(trials: Trials, assumed: Mapping[str, bool]) -> list[Common]:
    """For each set of statements with one that does not hold as it is; `assumed`: whether each holds as it is."""
    sets = _sets(trials.doubt, trials.claims, trials.groups)
    return [_common(trials, text, names, assumed) for text, names in sets if not all(assumed[name] for name in names)]


def _sets(doubt: Doubt, claims: Mapping[str, Claim], groups: Sequence[Group]) -> Iterator[tuple[str | None, list[str]]]:
    """Statements under each hypothesis of each group with several, then those under none."""
    taken: set[str] = set()
    for group in groups:
        several = len(group.members) > 1
        for key, text in group.hypotheses.items():
            under = [ids[key] for ids in group.members.values()]
            taken |= set(under)
            names = [name for name in under if name in doubt.claims]
            if several and names:
                yield text, names
    if free := [name for name in doubt.claims if name in claims and name not in taken]:
        yield None, free


def _common(trials: Trials, text: str | None, names: list[str], assumed: Mapping[str, bool]) -> Common:
    before = {name for name in names if assumed[name]}
    there = {value: {name for name in names if trials.at(name, value).held} for value in trials.whole()}
    best = min(there, key=lambda value: (-len(there[value]), _far(trials.doubt, value)))
    held = there[best]
    return {
        "hypothesis": text,
        "statements": names,
        "value": best,
        "held": len(held),
        "held_assumed": len(before),
        "all": len(held) == len(names),
        "gained": [name for name in names if name in held - before],
        "spoiled": [name for name in names if name in before - held],
        "lacking": [name for name in names if name not in held | before],
    }


def _far(doubt: Doubt, value: Point) -> float:
    """From what is assumed, as a share of the bounds."""
    if isinstance(value, str) or isinstance(doubt.assumed, str):
        return float(value != doubt.assumed)
    low, high = doubt.bounds()
    return abs(value - doubt.assumed) / (high - low)
