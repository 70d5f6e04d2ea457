"""The statements of a paper, as its file in printed/ has them."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

PAPERS = ("hu2016", "zhang1995", "wang2017", "karnopp", "chen2026")


Value = None | bool | float | str | Sequence[float | None]
"""Printed or computed: a number, several of them, a word."""


def numbers(value: Value) -> NDArray[np.float64]:
    """The numbers of one that is no word, (n,)."""
    return np.atleast_1d(np.asarray(value, dtype=float))


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
