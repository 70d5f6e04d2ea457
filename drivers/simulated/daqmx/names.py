"""Names of devices, channels and terminals: lists and ranges as NI-DAQmx writes them (`Dev1/ai0:3, Dev1/ai7`)."""

from __future__ import annotations

import re

from drivers.simulated.daqmx.errors import DaqmxError

_TAIL = re.compile(r"^(.*?)(\d+)$")


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
    step = 1 if stop >= start else -1
    return [f"{head[1]}{n}" for n in range(start, stop + step, step)]


def terminal(text: str) -> str:
    """Canonical form for comparing terminals: no leading slash, lower case."""
    return text.strip().lstrip("/").lower()
