"""Leapfrog steps of the flexible slider-crank, compiled (model.integrators.leapfrog; symbols as in slider_crank_flexible_kernel).

A step: half a kick, a whole drift, contacts that have begun or ended are switched, half a kick by the new accelerations, with the rates in
the forces predicted by the old ones. Friction in the pin turns the light end of the rod and is far stiffer: its impulse at the end of the
step obeys the law of the velocity window with the sliding speed that it leaves behind. It is given LATE of the step, the rest (by the
friction that was) at the beginning: half each would ring while the pin sticks, all at the end would let it creep by half a step's free
acceleration. Friction in the guide, on the slider's mass, is a force like the others.
"""

from __future__ import annotations

from model.bodies.ancf_beam2d.kernel import NODE
from model.compiled.arrays import copy, fill, largest
from model.compiled.signatures import INDEX, LAW, REAL, TABLE, VECTOR, ContactLaw, Floats, compiled
from model.friction.velocity_window import COEFFICIENT, NONE_BELOW, WHOLE_ABOVE
from model.integrators.samples import VALUE, hand_over, widen
from model.joints import contact, revolute
from model.mechanisms.slider_crank_flexible.kernel import (
    CONTACTS,
    CRANK_ROD,
    GUIDE,
    NONE,
    PHI,
    PIN,
    PIN_CONTACT,
    R_I,
    R_J,
    SLIDER,
    SLIDER_INERTIA,
    SLIDER_MASS,
    X,
    Y,
    accelerate,
    channels,
    guards,
    load,
    pin_gap,
    rod_size,
    switch,
)

OK, NOT_FINITE, EVENTS_FULL = range(3)
LATE = 0.6  # share of friction at the end of a step
# Rows of `lines`: those of the inverse mass matrix for the pin's node, x and x', y and y'. Of `marks`: guards.
AT_X, TURN_X, AT_Y, TURN_Y = range(4)
GUARD, GUARD_RATE = range(2)
# Rows of `rows`: accelerations, by friction in the pin, and what is computed anew.
SMOOTH, RUBBED, NEW = range(3)
# Places in `clock`.
STEPS, EVENTS, ROWS, STEP, CLOCK = range(5)
BOUND = 1e5  # m/s: a slider that fast is none
CALL = 5000  # steps after which a call returns, so that its caller hears an interruption


@compiled(REAL(REAL, REAL, REAL, VECTOR))
def slowed(sliding: float, normal: float, mobility: float, friction: Floats) -> float:
    """Impulse along the sliding speed, against it, N s: z' + mobility mu N h c_d(z') = z with `normal` = N h, mobility in 1/kg."""
    z, none, whole = abs(sliding), friction[NONE_BELOW], friction[WHOLE_ABOVE]
    most = friction[COEFFICIENT] * normal
    if most <= 0.0 or z <= none:
        return 0.0
    reach = mobility * most
    if z - reach < whole:
        steep = reach / (whole - none)
        most = (z - (z + steep * none) / (1.0 + steep)) / mobility
    return -float(most) if sliding > 0.0 else float(most)


@compiled(REAL(VECTOR, VECTOR, TABLE, VECTOR, REAL, REAL))
def respond(y: Floats, p: Floats, lines: Floats, into: Floats, nx: float, ny: float) -> float:
    """Velocities per impulse of friction in the pin, 1/kg and 1/(kg m), into `into`; returns that of the sliding speed."""
    size = rod_size(p)
    at = 0 if p[PIN] == CRANK_ROD else size - NODE
    fx, fy, bearing, journal = revolute.loads(nx, ny, 0.0, 1.0, p[R_I], p[R_J])
    tx, ty = y[at + 2], y[at + 3]
    square = tx * tx + ty * ty
    gx, gy = -bearing * ty / square, bearing * tx / square
    for k in range(size // 2):
        into[2 * k] = lines[AT_X, k] * fx + lines[TURN_X, k] * gx
        into[2 * k + 1] = lines[AT_Y, k] * fy + lines[TURN_Y, k] * gy
    sx, sy, turn = 0.0, 0.0, 0.0
    if p[PIN] != CRANK_ROD:
        sx = -fx / p[SLIDER_MASS]
        if p[GUIDE] != 0.0:
            sy, turn = -fy / p[SLIDER_MASS], journal / p[SLIDER_INERTIA]
    turning = (tx * into[at + 3] - ty * into[at + 2]) / square
    into[size + X], into[size + Y], into[size + PHI] = sx, sy, turn
    mobility = -(sx - into[at]) * ny + (sy - into[at + 1]) * nx + turn * p[R_J] - turning * p[R_I]
    if p[PIN] == CRANK_ROD:
        into[size + X], into[size + Y] = into[size - NODE], into[size - NODE + 1]
    return float(mobility)


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR, VECTOR, TABLE, VECTOR, VECTOR, LAW))
def rub(t: float, y: Floats, rubbed: Floats, p: Floats, s: Floats, lines: Floats, friction: Floats, clock: Floats, law: ContactLaw) -> int:
    """The friction of the pin at the end of a step; into `rubbed` what it accelerates."""
    if s[PIN_CONTACT + contact.SPEED] == 0.0 or friction[COEFFICIENT] == 0.0:
        fill(rubbed, 0.0)
        return 0
    gap, rate, nx, ny, sliding = pin_gap(t, y, p)
    normal = law(gap, rate, s[PIN_CONTACT : PIN_CONTACT + contact.EACH])
    h, mobility = LATE * clock[STEP], respond(y, p, lines, rubbed, nx, ny)
    impulse = slowed(sliding, normal * h, mobility, friction)
    for k in range(rubbed.size):
        y[rubbed.size + k] += impulse * rubbed[k]
        rubbed[k] *= impulse / h
    return 0


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR, TABLE, TABLE, VECTOR))
def touch(t: float, y: Floats, p: Floats, s: Floats, marks: Floats, events: Floats, clock: Floats) -> int:
    """Switch the contacts that have begun or ended; when, by their rates."""
    guards(t, y, marks[GUARD], marks[GUARD_RATE], p, s, s)
    if largest(marks[GUARD]) <= 0.0:
        return 0
    for k in range(CONTACTS):
        if marks[GUARD, k] > 0.0:
            late = min(clock[STEP], marks[GUARD, k] / marks[GUARD_RATE, k]) if marks[GUARD_RATE, k] > 0.0 else 0.0
            place = int(clock[EVENTS])
            events[place, 0], events[place, 1], events[place, 2] = t - late, k, switch(k, t, y, p, s, s)
            clock[EVENTS] += 1.0
    return 0


@compiled(INDEX(VECTOR, TABLE, VECTOR, VECTOR, VECTOR, TABLE, VECTOR, TABLE, TABLE, VECTOR, LAW))
def leap(
    y: Floats, rows: Floats, p: Floats, smooth: Floats, s: Floats, lines: Floats, friction: Floats,
    marks: Floats, events: Floats, clock: Floats, law: ContactLaw,
) -> int:  # fmt: skip
    """One step from y = (q, v), in place; `smooth`: parameters without friction in the pin."""
    h, a, rubbed, new = clock[STEP], rows[SMOOTH], rows[RUBBED], rows[NEW]
    half, early, t, n = 0.5 * h, (1.0 - LATE) * h, (clock[STEPS] + 1.0) * h, a.size
    for k in range(n):
        v = y[n + k] + half * a[k] + early * rubbed[k]
        y[k] += h * v
        y[n + k] = v + half * a[k] + LATE * h * rubbed[k]
    if p[PIN] != NONE or p[GUIDE] != 0.0:
        touch(t, y, p, s, marks, events, clock)
    load(t, y, smooth, s, new, law)
    accelerate(t, y, smooth, new)
    for k in range(n):
        y[n + k] += half * (new[k] - a[k]) - LATE * h * rubbed[k]
        a[k] = new[k]
    rub(t, y, rubbed, p, s, lines, friction, clock, law)
    clock[STEPS] += 1.0
    return 0


ADVANCE = INDEX(
    VECTOR, TABLE, VECTOR, VECTOR, VECTOR, TABLE, VECTOR, TABLE, TABLE, VECTOR, LAW, INDEX, INDEX, TABLE, TABLE, TABLE, TABLE
)  # fmt: skip


@compiled(ADVANCE)
def advance(
    y: Floats, rows: Floats, p: Floats, smooth: Floats, s: Floats, lines: Floats, friction: Floats,
    marks: Floats, events: Floats, clock: Floats, law: ContactLaw,
    first: int, part: int, trace: Floats, out: Floats, low: Floats, high: Floats,
) -> int:  # fmt: skip
    """Fill `out` (k, channels) with the samples first + row, `part` steps apart; `low`, `high`: extremes since the one before, or empty."""
    watched, row, slider = low.shape[0] > 0, int(clock[ROWS]), y.size - SLIDER
    until = clock[STEPS] + CALL
    while row < out.shape[0]:
        while clock[STEPS] < (first + row) * part:
            if events.shape[0] - clock[EVENTS] < CONTACTS or clock[STEPS] >= until:
                clock[ROWS] = row
                return EVENTS_FULL
            leap(y, rows, p, smooth, s, lines, friction, marks, events, clock, law)
            if not abs(y[slider]) < BOUND:
                return NOT_FINITE
            if watched:
                channels(clock[STEPS] * clock[STEP], y, trace[VALUE], p, s, s, law)
                widen(trace)
        channels(clock[STEPS] * clock[STEP], y, trace[VALUE], p, s, s, law)
        copy(out[row], trace[VALUE])
        if watched:
            widen(trace)
            hand_over(trace, low[row], high[row])
        row += 1
    clock[ROWS] = 0.0
    return OK
