"""Cases of a test, those of `make test` and the others."""

from __future__ import annotations

import pytest

from tests.tiers import quick


def told(cases: list[object]) -> list[tuple[object, bool]]:
    """(case, whether it waits for `make soak`)."""
    return [(case.values, True) if hasattr(case, "marks") else (case, False) for case in cases]


def test_named_ones_stay_and_the_others_are_kept_for_later() -> None:
    assert told(quick(["a", "b", "c"], ["b"])) == [(("a",), True), ("b", False), (("c",), True)]
    assert told(quick([("a", 1), ("b", 2)], [("a", 1)])) == [(("a", 1), False), (("b", 2), True)]


def test_so_many_stay_at_equal_steps() -> None:
    assert [case for case, later in told(quick(range(9), 3)) if not later] == [0, 4, 8]
    assert [case for case, later in told(quick(range(9), 1)) if not later] == [0]


def test_a_name_that_is_none_of_them_is_told() -> None:
    with pytest.raises(AssertionError, match="none of"):
        quick(["a", "b"], ["d"])
