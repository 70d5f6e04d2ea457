"""Angles, turns and levels, which have no dimension to pint: it takes 3000 1/min for 50 rad/s, 30 % for an angle, and 5 dB for 3.16."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loading it takes a while
    from pint import Unit

LEVELS = ("bel", "neper", "octave", "decade")  # decibel and its kind, too
HOW = "1 Hz is 60 rpm or 6.2832 rad/s"


def wrong_angle(given: Unit, wanted: Unit) -> str:
    """Why a unit is not meant where it could be converted, in words; empty where it is. given, wanted: units of pint."""
    names = str(given)
    if any(level in names for level in LEVELS):
        return "a level, which is a ratio of amplitudes or of powers; expected the ratio itself"
    if given.dimensionality != wanted.dimensionality or set(given.dimensionality) - {"[time]"}:
        return ""
    turns, asked = (_angles(one) for one in (given, wanted))
    if str(wanted) == "1 / second":  # a corner, which is 10 rad/s and no other
        return f"a frequency; expected a corner in 1/s or rad/s ({HOW})" if "hertz" in names else ""
    if turns == asked:
        return ""
    if "hertz" in str(wanted):
        return f"an angular velocity; {HOW}"
    if asked and "hertz" in names:
        return f"a frequency; {HOW}"
    if asked:
        return f"which has no angle in it; expected one with rad, deg or rpm ({HOW})"
    return "an angle"


def _angles(unit: Unit) -> float:
    """Power in which an angle stands in it."""
    root = (1 * unit).to_root_units()
    return float(dict(root._units).get("radian", 0.0))
