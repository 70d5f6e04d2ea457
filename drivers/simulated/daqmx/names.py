"""Names of devices, channels and terminals: lists and ranges as NI-DAQmx writes them (`Dev1/ai0:3, Dev1/ai7`)."""

from __future__ import annotations

import re

from drivers.simulated.daqmx.errors import DaqmxError

_TAIL = re.compile(r"^(.*?)(\d+)$")
LONGEST = 100_000
"""Most names of a range: no device has as many. Of a longer one only the ends are given, of which the last is not there."""


def expand(text: str) -> list[str]:
    """Single names of a list with ranges. Raises DaqmxError -200498 for a range that is none."""
    return [name for item in split(text) for name in _range(item)]


def split(text: str) -> list[str]:
    """Items of a comma-separated list, trimmed, without empty ones."""
    return [item.strip() for item in text.split(",") if item.strip()]


def _range(item: str) -> list[str]:
    if ":" not in item:
        return [item]
    first, _, last = item.partition(":")
    head = _TAIL.match(first.strip())
    tail = _TAIL.match(last.strip())
    if head is None or tail is None or ":" in last or tail[1].lower() not in ("", head[1].lower(), head[1].rsplit("/", 1)[-1].lower()):
        raise DaqmxError(-200498, Object_String=item)
    start, stop = int(head[2]), int(tail[2])
    if abs(stop - start) >= LONGEST:
        return [f"{head[1]}{n}" for n in (start, stop)]
    step = 1 if stop >= start else -1
    return [f"{head[1]}{n}" for n in range(start, stop + step, step)]


def need_valid(name: str, *, of_list: bool = False) -> None:
    """Check a name that somebody gives to a task, a channel or a scale; `of_list`: a list with ranges, where spaces are trimmed.

    "Naming Channels, Tasks, and Scales" (NI-DAQmx Help): no underscore to begin with; other characters than letters and digits
    are possible. Raises DaqmxError -200552 (a character that no name can have), -200553 and -200554 (a space first or last), -200555.
    """
    unusable = "" if of_list else ",:"
    wrong = next((sign for sign in name if sign in unusable or not sign.isprintable()), "")
    if wrong:
        raise DaqmxError(-200552, "", 0, Argument_Value=name)
    spaced = "" if of_list else " "
    if not name:
        return
    for code, refused in ((-200553, name[0] == spaced), (-200554, name[-1] == spaced), (-200555, name[0] == "_")):
        if refused:
            raise DaqmxError(code, "", 0, Argument_Value=name)


def terminal(text: str) -> str:
    """Canonical form for comparing terminals: no leading slash, lower case."""
    return text.strip().lstrip("/").lower()
