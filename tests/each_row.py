"""A table as one test, which goes through all of its rows and names every one that is wrong.

For tables of many small rows: an item of pytest's for each of them takes longer than the row itself, in each process that collects it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import pytest

Test = Callable[..., None]


def each_row(
    names: str | Sequence[str], rows: Iterable[Any], ids: Callable[[Any], str] | Iterable[Any] | None = None
) -> Callable[[Test], Test]:
    """As pytest.mark.parametrize, but the rows share one item, and so its fixtures.

    Raises what the row raised when only one is wrong, else a group of all that they raised; each tells its row in a note.
    """
    single = isinstance(names, str) and "," not in names
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [dict(zip(keys, (row,) if single else row, strict=True)) for row in rows]
    words = [_words(row, ids) for row in table] if ids is None or callable(ids) else [str(one) for one in islice(ids, len(table))]
    assert table, "a table without rows shows nothing"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def all_rows(**fixtures: Any) -> None:
            wrong: list[BaseException] = []
            for row, told in zip(table, words, strict=True):
                try:
                    test(**fixtures, **row)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"row {told}")
                    wrong.append(error)
            if len(wrong) == 1:
                raise wrong[0]
            if wrong:
                rows = "; ".join(error.__notes__[-1] for error in wrong)
                raise BaseExceptionGroup(f"{len(wrong)} of {len(table)} rows: {rows}", wrong)

        whole = inspect.signature(test)
        missing = set(keys) - set(whole.parameters)
        assert not missing, f"{test.__name__} takes no {', '.join(sorted(missing))}"
        given = [one.replace(kind=one.KEYWORD_ONLY) for name, one in whole.parameters.items() if name not in keys]
        all_rows.__signature__ = whole.replace(parameters=given)  # type: ignore[attr-defined]
        return all_rows

    return decorate


def _words(row: dict[str, Any], ids: Callable[[Any], str] | None) -> str:
    values = row.values() if ids is None else map(ids, row.values())
    return ", ".join(f"{name} = {value!r}"[:200] for name, value in zip(row, values, strict=True))
