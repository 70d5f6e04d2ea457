"""The statements of a paper, as its file in printed/ has them, and the hypotheses under which they are judged."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from rig.reproduction.values import Value

PAPERS = ("hu2016", "zhang1995", "wang2017", "karnopp", "chen2026")


@dataclass(frozen=True)
class Claim:
    """One statement.

    published: a number, a list or a word; None: a trend without a number. compare: how it is judged (rig.reproduction.judging).
    tolerance: what `compare` allows, in `unit`, or as a share where `relative`. lost: why it cannot be checked.
    """

    id: str
    where: str
    statement: str
    compare: str = "within"
    published: Value = None
    unit: str = "1"
    tolerance: float | None = None
    relative: bool = False
    lost: str = ""


@dataclass(frozen=True)
class Group:
    """What a paper leaves open: hypotheses that exclude each other, as {key: text}.

    members: {statement: {key: id of the claim}}: the same statement under each of them.
    """

    id: str
    question: str
    hypotheses: Mapping[str, str]
    members: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Free:
    """A factor that a printed formula leaves in doubt. key: of the experiments; values: {name: value} within its bounds.

    1 is among them, for which the rows' own verdicts stand.
    """

    key: str
    values: Mapping[str, float]
    doubt: str
    claims: tuple[str, ...]

    def settings(self) -> dict[str, str]:
        """{name: "KEY=VALUE"} of all but the printed one."""
        return {name: f"{self.key}={value!r}" for name, value in self.values.items() if value != 1.0}


@dataclass(frozen=True)
class Paper:
    """Everything that is printed of one paper."""

    claims: tuple[Claim, ...]
    groups: tuple[Group, ...]
    free: Free | None


@cache
def printed(paper: str) -> Paper:
    """What the file of a paper says. A claim `over` a group stands once in the file and becomes one under each hypothesis.

    A group that no claim is over is about single claims: its keys are their ids.
    """
    text = files("rig.reproduction").joinpath("printed", f"{paper}.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)
    groups = {group["id"]: dict(group) for group in found.get("group", [])}
    members: dict[str, dict[str, dict[str, str]]] = {name: {} for name in groups}
    claims: list[Claim] = []
    for entry in found["claim"]:
        over = entry.pop("over", None)
        if over is not None:
            members[over][entry["id"]] = {key: _joined(entry["id"], key) for key in groups[over]["hypotheses"]}
        claims += _under(entry, groups[over]["hypotheses"]) if over is not None else [Claim(**entry)]
    free = Free(**{**found["free"], "claims": tuple(found["free"]["claims"])}) if "free" in found else None
    return Paper(tuple(claims), tuple(_group(group, members[name]) for name, group in groups.items()), free)


def claims(paper: str) -> tuple[Claim, ...]:
    """All statements of a paper, in its order."""
    return printed(paper).claims


def _joined(statement: str, key: str) -> str:
    return f"{statement}_{key}"


def _under(entry: Mapping[str, Value], hypotheses: Mapping[str, str]) -> Iterator[Claim]:
    """The same statement under each hypothesis, which its text ends with."""
    for key, text in hypotheses.items():
        yield Claim(**{**entry, "id": _joined(str(entry["id"]), key), "statement": f"{entry['statement']}; {text}"})  # type: ignore[arg-type]


def _group(entry: Mapping[str, object], members: Mapping[str, Mapping[str, str]]) -> Group:
    group = Group(**entry)  # type: ignore[arg-type]
    single = {group.id: {key: key for key in group.hypotheses}}
    return Group(group.id, group.question, group.hypotheses, members or single)
