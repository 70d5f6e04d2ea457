"""The statements of a paper, as its file in printed/ has them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
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


@cache
def claims(paper: str) -> tuple[Claim, ...]:
    """All statements of a paper, in its order."""
    text = files("rig.reproduction").joinpath("printed", f"{paper}.toml").read_text(encoding="utf-8")
    return tuple(Claim(**entry) for entry in tomllib.loads(text)["claim"])
