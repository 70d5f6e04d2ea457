"""Dry friction with true sticking in joints and in contacts, compiled: Coulomb's, event-driven (Karnopp's without its band).

Where drives alone say how a joint slides, nothing is left to stick: there friction grows from nothing over a window of speed.

A joint that sticks is held by a row of its own, active then, whose force may be at most static friction. While it slides the row is not
active; its force is friction against the sliding, by the force that presses the joint. That force follows from the solution, so both are
found together: friction by the last forces, forces by that friction, until they agree. A contact presses as its law says; there friction
is known at once.
"""

from __future__ import annotations

import math

from numba import types

from model.assembly import layout as at
from model.assembly.rods.bending import drag_frames
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.joints import contact

AGREED = 1e-12  # share of the largest friction by which it may still change
ROUNDS = 50  # after which the two do not agree: friction grows faster than what presses, the joint jams
PROBED = 0.01
BACK = 1e-9  # m/s or rad/s: what comes back as fast has turned back; less is what is left where it stuck


TWO = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]


@compiled(REAL(VECTOR, VECTOR, INDEX))
def pressure(p: Floats, s: Floats, k: int) -> float:
    """Force that presses the joint, or the contacts, whose columns begin at k, N."""
    if p[k + at.R_ROWS] < 0.0:
        total, first = 0.0, int(p[k + at.R_PRESSED])
        for number in range(first, first - int(p[k + at.R_ROWS])):
            if contact.touching(s, number):
                total += s[int(p[at.S_NORMAL]) + number]
        return total
    x = int(p[at.S_MULTIPLIER]) + int(p[k + at.R_PRESSED])
    return abs(s[x]) if p[k + at.R_ROWS] == 1.0 else math.sqrt(s[x] * s[x] + s[x + 1] * s[x + 1])


@compiled(INDEX(VECTOR, VECTOR, INDEX, REAL, INDEX))
def drag(p: Floats, s: Floats, row: int, force: float, into: int) -> int:
    """Add M^-1/2 J^T of one row, times a force, to the vector of bodies' triples at place `into`."""
    triple, columns = int(p[at.S_JACOBIAN]) + 2 * at.TRIPLE * row, int(p[at.AT_ROWS]) + at.ROW_COLUMNS * row
    i, j = into + int(p[columns + at.VELOCITY_I]), into + int(p[columns + at.VELOCITY_J])
    if p[at.RODS] > 0.0:
        return drag_frames(p, s, row, force, into, i, j)
    for axis in range(at.TRIPLE):
        s[i + axis] += s[triple + axis] * force
        s[j + axis] += s[triple + at.TRIPLE + axis] * force
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def drag_all(p: Floats, s: Floats, into: int) -> int:
    """The friction of all joints that slide, as it was last; anew where a step that did not hold has left no number."""
    k, state = int(p[at.AT_RUBS]), int(p[at.S_RUBS])
    for _ in range(int(p[at.RUBS])):
        if s[state + at.SLIP] != 0.0:
            if p[k + at.R_ROWS] < 0.0:  # a contact presses as its law says, whatever rubs
                s[state + at.RUBBING] = -s[state + at.SLIP] * p[k + at.R_SLIDING] * pressure(p, s, k)
            if not abs(s[state + at.RUBBING]) < math.inf:
                s[state + at.RUBBING] = 0.0
            drag(p, s, int(p[k + at.R_ROW]), s[state + at.RUBBING], into)
        k += at.RUB_COLUMNS
        state += at.RUB_STATES
    return 0


@compiled(TWO(VECTOR, VECTOR, INDEX, REAL))
def renew(p: Floats, s: Floats, into: int, part: float) -> tuple[float, float]:
    """Bring the friction of what slides to the forces that press, its change into the vector: a part of what is lacking.

    Returns (what was lacking, as a share of the largest; the part to take next time). The part is Aitken's, of all joints together (Irons
    and Tuck 1969): the forces being linear in friction, one joint is there with the second, also where plain repetition would fly apart.
    `part` 0: the first time, when nothing is known yet; then it is a small one, so that no joint changes the side on which it is pressed.
    """
    k, state, lacking, largest, agreeing, apart = int(p[at.AT_RUBS]), int(p[at.S_RUBS]), 0.0, 0.0, 0.0, 0.0
    for _ in range(int(p[at.RUBS])):
        if s[state + at.SLIP] != 0.0:
            force = -s[state + at.SLIP] * p[k + at.R_SLIDING] * pressure(p, s, k)
            if p[k + at.R_WHOLE] > 0.0:
                rate = s[int(p[at.S_GAP_RATE]) + int(p[k + at.R_ROW])]
                force *= s[state + at.SLIP] * min(max(rate / p[k + at.R_WHOLE], -1.0), 1.0)
            lack, before = force - s[state + at.RUBBING], s[state + at.LACKING]
            lacking, largest = max(lacking, abs(lack)), max(largest, abs(force))
            agreeing += before * (lack - before)
            apart += (lack - before) * (lack - before)
            s[state + at.LACKING] = lack
        k += at.RUB_COLUMNS
        state += at.RUB_STATES
    part = -part * agreeing / apart if part != 0.0 and apart > 0.0 else PROBED
    k, state = int(p[at.AT_RUBS]), int(p[at.S_RUBS])
    for _ in range(int(p[at.RUBS])):
        if s[state + at.SLIP] != 0.0:
            drag(p, s, int(p[k + at.R_ROW]), part * s[state + at.LACKING], into)
            s[state + at.RUBBING] += part * s[state + at.LACKING]
        k += at.RUB_COLUMNS
        state += at.RUB_STATES
    return lacking / largest if largest > 0.0 else 0.0, part


@compiled(INDEX(VECTOR, VECTOR))
def show(p: Floats, s: Floats) -> int:
    """The friction of what slides among the constraint forces, where it stands while it sticks."""
    k, state, x = int(p[at.AT_RUBS]), int(p[at.S_RUBS]), int(p[at.S_MULTIPLIER])
    for _ in range(int(p[at.RUBS])):
        if s[state + at.SLIP] != 0.0:
            s[x + int(p[k + at.R_ROW])] = s[state + at.RUBBING]
        k += at.RUB_COLUMNS
        state += at.RUB_STATES
    return 0


@compiled(INDEX(VECTOR, VECTOR))
def sticking(p: Floats, s: Floats) -> int:
    """How many joints stick."""
    count, state = 0, int(p[at.S_RUBS])
    for _ in range(int(p[at.RUBS])):
        count += s[state + at.SLIP] == 0.0
        state += at.RUB_STATES
    return count


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def closed(p: Floats, s: Floats, k: int) -> int:
    """How many of the contacts are closed that press the rub whose columns begin at k; 1 for a joint."""
    if p[k + at.R_ROWS] > 0.0:
        return 1
    count, first = 0, int(p[k + at.R_PRESSED])
    for number in range(first, first - int(p[k + at.R_ROWS])):
        count += contact.touching(s, number)
    return count


@compiled(REAL(VECTOR, VECTOR, INDEX))
def unheld(p: Floats, s: Floats, n: int) -> float:
    """Guard of rub n: positive where what sticks is pulled harder than friction holds, or what slides comes to turn back."""
    k, state = int(p[at.AT_RUBS]) + at.RUB_COLUMNS * n, int(p[at.S_RUBS]) + at.RUB_STATES * n
    row = int(p[k + at.R_ROW])
    if p[k + at.R_WHOLE] > 0.0:
        return -1.0
    if closed(p, s, k) == 0:
        return -1.0
    if s[state + at.SLIP] == 0.0:
        return float(abs(s[int(p[at.S_MULTIPLIER]) + row]) - p[k + at.R_STATIC] * pressure(p, s, k))
    return float(-s[state + at.SLIP] * s[int(p[at.S_GAP_RATE]) + row] - BACK)


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def let_go(p: Floats, s: Floats, n: int) -> int:
    """Rub n slides on against the force that has held it; or sticks, if it slid."""
    k, state = int(p[at.AT_RUBS]) + at.RUB_COLUMNS * n, int(p[at.S_RUBS]) + at.RUB_STATES * n
    row, active = int(p[k + at.R_ROW]), int(p[at.S_ACTIVE])
    if s[state + at.SLIP] != 0.0:
        s[state + at.SLIP], s[active + row] = 0.0, 1.0
        return 0
    s[state + at.SLIP] = -1.0 if s[int(p[at.S_MULTIPLIER]) + row] > 0.0 else 1.0
    s[state + at.RUBBING] = -s[state + at.SLIP] * p[k + at.R_SLIDING] * pressure(p, s, k)
    s[active + row] = 0.0
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def touched(p: Floats, s: Floats, number: int) -> int:
    """What rubs by a contact that has closed, the first of those that press, or opened, the last: it slides, by the rates in s."""
    k, state = int(p[at.AT_RUBS]), int(p[at.S_RUBS])
    for _ in range(int(p[at.RUBS])):
        first, end = p[k + at.R_PRESSED], p[k + at.R_PRESSED] - p[k + at.R_ROWS]
        if p[k + at.R_ROWS] < 0.0 and first <= number < end and closed(p, s, k) <= contact.touching(s, number):
            rate = s[int(p[at.S_GAP_RATE]) + int(p[k + at.R_ROW])]
            s[state + at.SLIP] = math.copysign(1.0, rate)
            s[state + at.RUBBING] = 0.0
            s[int(p[at.S_ACTIVE]) + int(p[k + at.R_ROW])] = 0.0
        k += at.RUB_COLUMNS
        state += at.RUB_STATES
    return 0


@compiled(INDEX(VECTOR, VECTOR, REAL))
def begin(p: Floats, s: Floats, least: float) -> int:
    """Whether each joint slides, by the rates of its row that stand in s; slower than `least` (m/s or rad/s) it sticks."""
    k, state = int(p[at.AT_RUBS]), int(p[at.S_RUBS])
    for _ in range(int(p[at.RUBS])):
        row = int(p[k + at.R_ROW])
        rate = s[int(p[at.S_GAP_RATE]) + row]
        s[state + at.SLIP] = 0.0 if abs(rate) <= least else math.copysign(1.0, rate)
        if p[k + at.R_WHOLE] > 0.0 or closed(p, s, k) == 0:
            s[state + at.SLIP] = 1.0
        s[state + at.RUBBING] = 0.0
        s[int(p[at.S_ACTIVE]) + row] = 1.0 if s[state + at.SLIP] == 0.0 else 0.0
        k += at.RUB_COLUMNS
        state += at.RUB_STATES
    return 0
