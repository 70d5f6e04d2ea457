"""Names of new channels ("NI-DAQmx Help", Channel Name Generation).

`foo` for eight channels is foo0 .. foo7, `foo31` goes on from 31, `foo 123` from foo123, `a0:3, b` is a0 .. a3, b0, b1 and on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from drivers.simulated.daqmx.core.names import expand, need_valid, split

_NUMBERED = re.compile(r"^(.*?)(\d*)$")


def assigned(physical: Sequence[str], given: str) -> list[str]:
    """One name for each physical channel: its own, unless names are given. Raises DaqmxError -200498, -200552 to -200555."""
    items = _items(given)
    if not items:
        return list(physical)
    names: list[str] = []
    for item in items[:-1]:
        names += expand(item)
    missing = len(physical) - len(names)
    last = expand(items[-1])
    names += last if missing <= len(last) else [*last[:-1], *_counted(last[-1], missing - len(last) + 1, alone=len(last) == 1)]
    return names[: len(physical)]


def first(given: str) -> str:
    """The one name that a channel for all lines takes of those given; empty for none."""
    items = _items(given)
    return expand(items[0])[0] if items else ""


def _items(given: str) -> list[str]:
    need_valid(given, of_list=True)
    for item in (items := split(given)):
        need_valid(item, of_list=True)
    return items


def _counted(name: str, count: int, *, alone: bool) -> list[str]:
    match = _NUMBERED.match(name)
    assert match is not None
    head, digits = match[1], match[2]
    if not digits:
        return [f"{head}{n}" for n in range(count)]
    head = head.rstrip() if alone else head
    return [f"{head}{int(digits) + n:0{len(digits) if digits.startswith('0') else 1}d}" for n in range(count)]
