"""How often a test of chance tries: a few times in `make test`, as often as it was thought out for in `make campaign`."""

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def times(few: int, thorough: int | None = None) -> int:
    """The number for this run; ten times as many in `make campaign` where no number is thought out for it."""
    return (10 * few if thorough is None else thorough) if THOROUGH else few


def some(cases: Iterable[Case], few: int) -> list[Case]:
    """All of them in `make campaign`, else `few` at equal steps, the first and the last among them: for cases that differ in degree."""
    whole = list(cases)
    if THOROUGH or few >= len(whole):
        return whole
    return [whole[round(k * (len(whole) - 1) / (few - 1))] for k in range(few)]
