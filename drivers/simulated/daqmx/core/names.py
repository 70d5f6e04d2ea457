"""Names of devices, channels and terminals: lists and ranges as NI-DAQmx writes them (`Dev1/ai0:3, Dev1/ai7`)."""

from __future__ import annotations

import re

from drivers.simulated.daqmx.status.errors import DaqmxError

_TAIL = re.compile(r"^(.*?)(\d+)$")
_ZEROS = re.compile(r"(?<=[a-z])0+(?=\d)", re.IGNORECASE)
LONGEST = 100_000
"""Most names of a range: no device has as many. Of a longer one only the ends are given, of which the last is not there."""


def expand(text: str) -> list[str]:
    """Single names of a list with ranges. Raises DaqmxError -200498 for a range that is none."""
    return [name for item in split(text) for name in _range(item)]


def split(text: str) -> list[str]:
    """Items of a comma-separated list, trimmed, without empty ones."""
    return [item.strip() for item in text.split(",") if item.strip()]


def _range(item: str) -> list[str]:
    """Names of one range. The first number's leading zeros are kept (`EV01:02`): ni/nidaqmx-python, issue 216 and pull request 217."""
    if ":" not in item:
        return [item]
    first, _, last = item.partition(":")
    head, tail = _TAIL.match(first.strip()), _TAIL.match(last.strip())
    if head is None or tail is None or ":" in last:
        raise DaqmxError(-200498, Object_String=item)
    _need_one_head(item, head[1].lower(), tail[1].lower())
    start, stop = int(head[2]), int(tail[2])
    width = len(head[2]) if start > 0 and head[2].startswith("0") else 1
    if abs(stop - start) >= LONGEST:
        return [f"{head[1]}{n}" for n in (start, stop)]
    step = 1 if stop >= start else -1
    return [f"{head[1]}{n:0{width}d}" for n in range(start, stop + step, step)]


def _need_one_head(item: str, head: str, tail: str) -> None:
    """Raise DaqmxError -200086 for a range over two devices, -200498 for one whose ends are otherwise not of the same name."""
    if tail in ("", head) or head.endswith(f"/{tail}"):
        return
    devices = {text.strip("/").partition("/")[0] for text in (head, tail) if "/" in text.strip("/")}
    raise DaqmxError(-200086 if len(devices) > 1 else -200498, Object_String=item)


def unpadded(channel: str) -> str:
    """A channel of a device with its numbers as the driver lists them: `port0/line07` is `port0/line7`."""
    return _ZEROS.sub("", channel)


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
