"""Units that a played file may have, and what the file and the experiment together say of a column's."""

from __future__ import annotations

import re
import unicodedata

UNITS = {
    "N": {"N": 1.0, "kN": 1e3, "MN": 1e6, "mN": 1e-3},
    "m": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "um": 1e-6, "µm": 1e-6},
    "m/s^2": {"m/s^2": 1.0, "cm/s^2": 1e-2, "mm/s^2": 1e-3, "g": 9.80665},
}
"""SI unit -> units that a file may have, with their factors."""
TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}
WORDS = {
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("msec", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("usec", "microsecond", "microseconds"), "us"),
    **dict.fromkeys(("nsec", "nanosecond", "nanoseconds"), "ns"),
    **dict.fromkeys(("minute", "minutes"), "min"),
    **dict.fromkeys(("hr", "hour", "hours"), "h"),
}
"""How other programs write the units of time."""
POWER = re.compile(r"\^(?=\d)")


def plain(text: str) -> str:
    """A text as it is compared: one code point for micro (which has two), superscripts as figures, no space around."""
    return unicodedata.normalize("NFKC", text).strip()


def _figures(unit: str) -> str:
    """With powers as figures alone: m/s^2, m/s² and m/s2 are the same."""
    return POWER.sub("", plain(unit))


_FACTORS = {_figures(name): (si, factor) for si, names in UNITS.items() for name, factor in names.items()}
_TIMES = {plain(name): factor for name, factor in TIMES.items()}


def factor(unit: str) -> tuple[str, float] | None:
    """(SI unit, factor) of a unit of a column; None for one that nothing here has."""
    return _FACTORS.get(_figures(unit))


def seconds(unit: str) -> float | None:
    """Factor of a unit of time; None for what is none."""
    text = plain(unit)
    return _TIMES.get(WORDS.get(text.lower(), text))


def agreed(column: str, in_file: str, asked: str | None) -> str:
    """The unit of a column by its file, or else by the key `unit`. Raises ValueError where the two contradict each other."""
    if in_file and asked and factor(asked) is not None and factor(in_file) is not None and factor(asked) != factor(in_file):
        raise ValueError(f"column {column!r} is in {in_file} by the file, but `unit` says {asked}; leave `unit` out, or correct the file")
    return in_file or asked or ""


def not_a_unit(column: str, unit: str) -> ValueError:
    """The error of a column whose unit is missing or that of nothing that is played."""
    known = ", ".join(name for names in UNITS.values() for name in names)
    what = f"has the unit {unit!r}" if unit else "has no unit; `unit` says it where the file does not"
    return ValueError(f"column {column!r} {what}; expected one of {known}")


def not_a_time(name: str, unit: str, where: str = "its label") -> ValueError:
    """The error of a time axis in anything but a time. where: what says its unit in such a file."""
    what = f"is in {unit!r}" if unit else "has no unit"
    text = f"{name} {what}, expected a time in {', '.join(TIMES)}; convert it to seconds from the start"
    return ValueError(text if unit else f"{text}, and say so by {where}")
