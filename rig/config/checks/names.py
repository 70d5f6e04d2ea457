"""Names that a bench gives: each is a column of the record, of tables and of pictures, and stands for one thing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from rig.config.bench import Bench
from rig.config.tree import Problem

LONGEST = 100
TAKEN = "command"
"""What limits call the setpoint."""


def problems(bench: Bench) -> Iterator[Problem]:
    """Names that nothing can be called, and two that are one to whoever reads them."""
    for i, channel in enumerate(bench.channels):
        if wrong := unfit(channel.name):
            yield Problem(("channels", i, "name"), wrong)
        elif channel.name == TAKEN:
            yield Problem(("channels", i, "name"), f"{TAKEN!r} is the setpoint already; expected another name")
    for table, names in (
        ("channels", [*(one.name for one in bench.channels), *(one.name for one in bench.instruments)]),
        ("serial", [one.name for one in bench.serial]),
    ):
        yield from _same(table, names, len(bench.channels))


def unfit(name: str) -> str:
    """Why no channel can be called so, in words."""
    if name in ("", ".", "..") or "/" in name or name != name.strip() or not name.isprintable():
        return f"{name!r} cannot be the name of a channel: expected one without / and blanks at its ends, and neither . nor .."
    return f"expected a name of at most {LONGEST} characters, got {len(name)}" if len(name) > LONGEST else ""


def _same(table: str, names: Sequence[str], channels: int) -> Iterator[Problem]:
    """Written alike, or with other code points for the same letters (é, or e and an accent)."""
    seen: dict[str, str] = {}
    for i, name in enumerate(names):
        other = seen.setdefault(unicodedata.normalize("NFC", name), name)
        at = (table, i, "name") if table != "channels" or i < channels else ("instruments", i - channels, "name")
        if other != name:
            yield Problem(at, f"{name!r} looks like {other!r}, another name with other code points; expected names that can be told apart")
        elif table == "serial" and name in names[:i]:
            yield Problem(at, f"{name!r} is the name of another serial line already")
