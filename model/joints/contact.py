"""The discrete state of one contact, as every mechanism keeps it in s, compiled.

Four places each, what the contact law wants (model.contact.force): stiffness K, exponent n, damping a, approach speed v0; v0 = 0: apart.
A contact has one guard: its penetration while apart, minus that while touching; so it turns positive where the state stops to hold.
"""

from __future__ import annotations

from numba import types

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.contact.force import APPROACH, PARAMETERS

EACH, SPEED = PARAMETERS, APPROACH
PAIR = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]


@compiled(INDEX(VECTOR, INDEX), inline=True)
def touching(s: Floats, contact: int) -> int:
    """1 while the contact whose places begin at EACH * contact is closed."""
    return 1 if s[EACH * contact + SPEED] > 0.0 else 0


@compiled(PAIR(VECTOR, INDEX, REAL, REAL), inline=True)
def guard(s: Floats, contact: int, penetration: float, rate: float) -> tuple[float, float]:
    """(guard, its rate) from penetration (m, negative: gap) and its rate (m/s)."""
    if s[EACH * contact + SPEED] > 0.0:
        return -penetration, -rate
    return penetration, rate


@compiled(REAL(VECTOR, INDEX, REAL, REAL))
def switch(s: Floats, contact: int, rate: float, floor: float) -> float:
    """Open a closed contact (returns 0), or close an open one: its approach speed is latched, at least `floor`, and returned (m/s)."""
    place = EACH * contact + SPEED
    if s[place] > 0.0:
        s[place] = 0.0
        return 0.0
    s[place] = max(floor, rate)
    return float(s[place])
