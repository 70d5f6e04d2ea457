"""Singular poses that a run comes near to, where a linkage could go on in more than one way: told, never silent.

Which way it went is not told. On a smooth path det J changes its sign where a linkage goes straight on through a simple singular pose, and
keeps it where it turns over (Allgower and Georg 1990, Numerical Continuation Methods, section 8.1), but steps may go over further poses
without coming near them, so the sign at both ends of a block tells nothing.
"""

from __future__ import annotations

from model.assembly import layout as at
from model.floats import Floats


def noted(p: Floats, s: Floats) -> tuple[int, float]:
    """(how often a run has come to a singular pose, when last)."""
    place = int(p[at.S_SINGULAR])
    return int(s[place + at.HOW_OFTEN]), float(s[place + at.WHEN])


def remark(often: int, last: float) -> str:
    """In words."""
    first = f"passed {often} singular poses, the last" if often > 1 else "passed a singular pose"
    return f"{first} at {last:.6g} s, where the linkage could go on in more than one way; look at its angles"
