"""Which cases of a test are of `make test`, and which wait for `make soak`: docs/testing.md."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

Case = TypeVar("Case")


def quick(cases: Iterable[Case], ones: int | Container[Case]) -> list[Case | ParameterSet]:
    """All of the cases, marked `long` but for `ones`: these, or as many of them at equal steps, the first and the last among them.

    Raises AssertionError where none is left for `make test`.
    """
    whole = list(cases)
    if isinstance(ones, int):
        places = {round(k * (len(whole) - 1) / max(ones - 1, 1)) for k in range(ones)}
        stays = [place in places for place in range(len(whole))]
    else:
        stays = [case in ones for case in whole]
    assert any(stays), f"none of {whole} is left for `make test`"
    return [case if kept else _long(case) for case, kept in zip(whole, stays, strict=True)]


def _long(case: object) -> ParameterSet:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)
