"""A table that is one test: no row is left out, none that is wrong goes unnamed."""

from __future__ import annotations

import inspect

import pytest

from tests.each_row import each_row


def test_every_row_is_tried_also_behind_a_wrong_one() -> None:
    seen: list[int] = []

    @each_row("number", [1, 2, 3])
    def test(number: int) -> None:
        seen.append(number)
        assert number != 1

    with pytest.raises(AssertionError):
        test()
    assert seen == [1, 2, 3]


def test_right_rows_pass() -> None:
    @each_row(("number", "square"), [(1, 1), (2, 4)])
    def test(number: int, square: int) -> None:
        assert number * number == square

    test()


def test_a_wrong_row_raises_what_it_raised_and_tells_itself() -> None:
    @each_row("number, square", [(1, 1), (2, 5)])
    def test(number: int, square: int) -> None:
        assert number * number == square, "no square"

    with pytest.raises(AssertionError, match="no square") as caught:
        test()
    assert caught.value.__notes__ == ["row number = 2, square = 5"]


def test_all_that_are_wrong_are_named_also_one_that_does_not_raise_as_it_should() -> None:
    @each_row("number", [0, 1, 2, 3], ids=["none", "one", "two", "three"])
    def test(number: int) -> None:
        with pytest.raises(ZeroDivisionError):
            1 / (number % 2)
        assert number == 0, "another"

    with pytest.raises(BaseExceptionGroup, match=r"3 of 4 rows: row one; row two; row three") as caught:
        test()
    assert [type(one) for one in caught.value.exceptions] == [pytest.fail.Exception, AssertionError, pytest.fail.Exception]


def test_what_ends_the_program_is_no_row() -> None:
    @each_row("number", [1, 2])
    def test(number: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        test()


def test_fixtures_are_asked_for_and_the_row_is_not() -> None:
    @each_row("number", [1, 2])
    @pytest.mark.parametrize("other", [3])
    def test(tmp_path: object, number: int, other: int) -> None:
        """What it says."""

    assert list(inspect.signature(test).parameters) == ["tmp_path", "other"]
    assert (test.__doc__, test.__name__) == ("What it says.", "test")
    assert [mark.name for mark in test.pytestmark] == ["parametrize"]  # type: ignore[attr-defined]


def test_a_table_that_shows_nothing_is_refused() -> None:
    with pytest.raises(AssertionError, match="without rows"):
        each_row("number", [])
    with pytest.raises(AssertionError, match="takes no numbr"):
        each_row("numbr", [1])(lambda number: None)
    with pytest.raises(ValueError):
        each_row(("number", "square"), [(1, 1), (2,)])
