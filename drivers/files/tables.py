"""Tables of a file of settings looked at key by key: every check says in words what is wrong, and all of it is told at once."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

MOST_MEANT, MOST_LISTED = 3, 60
Check = Callable[[object], str | None]
"""What is wrong with a value, in words; None: nothing."""


def text(value: object) -> str | None:
    return None if isinstance(value, str) and value.strip() else f"expected a text, got {value!r}"


def truth(value: object) -> str | None:
    return None if isinstance(value, bool) else f"expected true or false, got {value!r}"


def whole(low: int, high: int) -> Check:
    """A whole number within bounds."""

    def check(value: object) -> str | None:
        fits = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        return None if fits else f"expected a whole number from {low} to {high}, got {value!r}"

    return check


def positive(value: object) -> str | None:
    """A number above 0, and not infinite."""
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and 0.0 < value < float("inf")
    return None if fits else f"expected a number above 0, got {value!r}"


def number(value: object) -> str | None:
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf")
    return None if fits else f"expected a number, got {value!r}"


def one_of(known: Iterable[str]) -> Check:
    names = list(known)
    return lambda value: None if value in names else f"expected one of {', '.join(names)}; got {value!r}"


def list_of(check: Check, *, empty: bool = False) -> Check:
    """A list of values that each pass; `empty`: it may hold none."""

    def checked_list(value: object) -> str | None:
        if not isinstance(value, list) or not (value or empty):
            return f"expected a list{'' if empty else ' that is not empty'}, got {value!r}"
        return next((f"[{i}]: {wrong}" for i, item in enumerate(value) if (wrong := check(item))), None)

    return checked_list


def tables_of(tree: Mapping[str, object], key: str, problems: list[str]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The tables of a list, each with its place ("devices[0]."); anything else under the key goes to `problems`."""
    found = tree.get(key, [])
    if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
        problems.append(f"{key}: expected a list of tables ([[{key}]])")
        return
    yield from ((f"{key}[{i}].", table) for i, table in enumerate(found))


def checked(
    table: Mapping[str, object], known: Mapping[str, Check], required: Iterable[str], where: str, problems: list[str],
    more: Iterable[str] = (),
) -> dict[str, object]:  # fmt: skip
    """What is right of a table; the rest goes to `problems`. `more`: keys that are somebody else's, for what was perhaps meant."""
    problems += [f"{where}{key}: missing; expected a text" for key in required if key not in table]
    good = {}
    for key, value in table.items():
        wrong = known[key](value) if key in known else f"unknown key{meant(key, [*known, *more])}"
        if wrong:
            problems.append(f"{where}{key}: {wrong}")
        else:
            good[key] = value
    return good


def meant(given: str, known: Iterable[str]) -> str:
    """What was perhaps meant, or what there is, as the end of a line."""
    options: Sequence[str] = list(known)
    close = {*difflib.get_close_matches(given.lower(), [o.lower() for o in options], len(options) or 1, 0.6)}
    likeness = {option: _likeness(given, option) for option in options if option.lower() in close}
    if likeness:
        best = [option for option, how in likeness.items() if how == max(likeness.values())]
        return f"; did you mean {' or '.join(sorted(best)[:MOST_MEANT])}?"
    more = f", ... ({len(options)} in all)" if len(options) > MOST_LISTED else ""
    return f"; there are {', '.join(options[:MOST_LISTED])}{more}"


def _likeness(given: str, option: str) -> tuple[float, int]:
    """How like two words are, and how many letters they begin with together."""
    pair = given.lower(), option.lower()
    return difflib.SequenceMatcher(None, *pair).ratio(), sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(*pair, strict=False)))
