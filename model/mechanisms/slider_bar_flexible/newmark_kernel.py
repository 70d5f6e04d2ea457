"""The driven slider with a flexible slider that has all its inertia, by Newmark's method, compiled (karnopp eqs 6 and 7).

q = (x, y, tilt of the slider's mean motion, amplitudes of elastic modes of unit modal mass); the bar turns about the mean motion's centre,
at theta = omega0 t (+ tilt, motor on the slider). In each step g = (x'', y'', tilt'') of its end, and C is the slider's compliance over a
step: C of all elastic modes without inertia, and beta h^2 phi phi^T/(1 + beta h^2 omega^2) of those with. Nodes' springs are damped, what
model.mechanisms.slider_bar_flexible.contact sees as their displacement is u + tau u'.

Friction: while the slider slides all nodes in contact slip with mu; once it comes into the band (DV = 0: once its speed would change sign)
each node sticks up to mu' n, and slides when it has left the band (DV = 0: when every node slips and all other forces exceed mu' S).
"""

from __future__ import annotations

import math

from model.compiled.arrays import copy
from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled
from model.friction.karnopp import BAND, SLIDING, STATIC
from model.integrators.samples import HIGH, LOW, VALUE, hand_over, widen
from model.mechanisms.slider_bar.kernel import (
    CAME,
    DRIVE,
    DRIVE_SPEED,
    FRICTION,
    GRAVITY,
    HEIGHT,
    MASS,
    MODE,
    MOUNTED,
    NORMALS,
    OFFSET,
    SLIDING_FORCE,
    SPEED,
    STICKING,
    STIFFNESS,
    SUM,
    SWING,
    TORQUE,
    VISCOUS,
    WEIGHT,
    V,
    X,
)
from model.mechanisms.slider_bar_flexible.contact import (
    A_X,
    A_Y,
    ALONG,
    ANCHOR,
    E_X,
    E_Y,
    FACE,
    HEAD,
    HINGE,
    HOLDING,
    LIMIT,
    LOAD,
    OPEN,
    PLACES_X,
    PRESSING,
    RATIO,
    RUBBING,
    SETTLED,
    SHARE,
    SLIPS,
    STATE,
    STICKS,
    TANGENT,
    TANGENT_STIFFNESS,
    TOTAL,
    U_X,
    B,
    C,
    G,
    L,
    areas,
    settle,
)
from model.mechanisms.slider_bar_flexible.stick_slip import EVENTS, HELD, ROW, SINCE, SOLVED, STEPS, held, stuck

# Places in m: step, method, slider and bar, then omega^2 of the modes, then their shapes at the interface, coordinate by coordinate.
STEP, BETA, GAMMA, DAMPING, INERTIA, BAR_INERTIA, BAR_MASS, MODES, OMEGA = range(9)
# Rows of z: displacement, velocity, acceleration; the same predicted (the last: modal force).
Q, Q_RATE, Q_SECOND, FREE, FREE_RATE, FORCE, ROWS = range(7)
OK, UNSETTLED, NOT_FINITE, EVENTS_FULL = range(4)
CALL = 2000  # steps after which a call returns, so that its caller hears an interruption
REASONS = {
    UNSETTLED: "the contact states of the slider's nodes do not settle; choose a smaller step",
    NOT_FINITE: "the motion grew beyond all bounds",
}
REPEATS, CLOSE = 12, 1e-14  # of a step for the tilt in the bar's angle, rad
BOUND = 1e6  # m


@compiled(INDEX(TABLE, VECTOR))
def predict(z: Floats, m: Floats) -> int:
    """Where the step would end without acceleration at its end."""
    h, beta, gamma = m[STEP], m[BETA], m[GAMMA]
    for k in range(z.shape[1]):
        z[FREE, k] = z[Q, k] + h * z[Q_RATE, k] + h * h * (0.5 - beta) * z[Q_SECOND, k]
        z[FREE_RATE, k] = z[Q_RATE, k] + h * (1.0 - gamma) * z[Q_SECOND, k]
    return 0


@compiled(REAL(INDEX, TABLE, VECTOR))
def elastic(i: int, z: Floats, m: Floats) -> float:
    """What the modes with inertia bring to coordinate i of the interface without new forces, m."""
    modes, total = int(m[MODES]), 0.0
    scale = m[BETA] * m[STEP] * m[STEP]
    for k in range(modes):
        total += m[OMEGA + modes * (1 + i) + k] * z[FREE, HINGE + k] / (1.0 + scale * m[OMEGA + k])
    return total


@compiled(INDEX(REAL, TABLE, VECTOR, VECTOR, VECTOR))
def displacements(r: float, z: Floats, w: Floats, p: Floats, m: Floats) -> int:
    """Known part of the nodes' displacements, and states to begin with; r: friction over normal force while it slides, else 0."""
    face, tau = int(p[FACE]), m[DAMPING]
    nodes = 2 * face
    along, across = z[FREE, 0] + tau * z[FREE_RATE, 0], z[FREE, 1] + tau * z[FREE_RATE, 1]
    turn = z[FREE, 2] + tau * z[FREE_RATE, 2]
    for i in range(nodes):
        y = 0.5 * p[HEIGHT] if i >= face else -0.5 * p[HEIGHT]
        anchor = w[HEAD + ANCHOR * nodes + i]
        w[HEAD + E_X * nodes + i] = along - y * turn + elastic(2 * i, z, m) - anchor
        w[HEAD + E_Y * nodes + i] = across + p[PLACES_X + i % face] * turn + elastic(2 * i + 1, z, m)
        if r != 0.0 or w[HOLDING] == 0.0:
            w[HEAD + SHARE * nodes + i] = r
            if w[HEAD + STATE * nodes + i] == STICKS:
                w[HEAD + STATE * nodes + i] = SLIPS
    return 0


@compiled(INDEX(REAL, REAL, TABLE, VECTOR, VECTOR, VECTOR))
def balance(t: float, tilt: float, z: Floats, w: Floats, p: Floats, m: Floats) -> int:
    """Equations of motion of slider and bar at the end of the step, with the tilt in the bar's angle as given."""
    h, bar, mounted, swing = m[STEP], m[BAR_MASS], p[MOUNTED], p[SWING]
    square, first = m[BETA] * h * h, m[GAMMA] * h
    rate = z[FREE_RATE, 2] + (first / square) * (tilt - z[FREE, 2])
    theta, turning = p[SPEED] * t + mounted * tilt, p[SPEED] + mounted * rate
    sine, cosine = math.sin(theta), math.cos(theta)
    for k in range(B, TOTAL):
        w[k] = 0.0
    soft = p[STIFFNESS] * square + p[VISCOUS] * first
    known = p[DRIVE] * math.sin(p[DRIVE_SPEED] * t) - p[STIFFNESS] * (z[FREE, 0] - p[OFFSET]) - p[VISCOUS] * z[FREE_RATE, 0]
    known += swing * turning * turning * cosine
    lifting, weighing = swing * turning * turning * sine, mounted * swing * p[GRAVITY] * cosine
    w[B], w[B + 2] = p[MASS] + soft, -swing * sine * mounted
    w[B + 4], w[B + 5] = p[MASS], swing * cosine * mounted
    w[B + 6], w[B + 7], w[B + 8] = -mounted * swing * sine, mounted * swing * cosine, m[INERTIA] + mounted * m[BAR_INERTIA]
    w[C], w[C + 1], w[C + 2] = known, lifting - p[WEIGHT], -weighing
    w[L], w[L + 2] = -(bar + soft), swing * sine * mounted
    w[L + 4], w[L + 5] = -bar, -swing * cosine * mounted
    w[L + 6], w[L + 7], w[L + 8] = mounted * swing * sine, -mounted * swing * cosine, -mounted * m[BAR_INERTIA]
    w[LOAD], w[LOAD + 1], w[LOAD + 2] = known, lifting - bar * p[GRAVITY], -weighing
    w[A_X] = w[A_Y] = square + m[DAMPING] * first
    w[ALONG] = 1.0
    return 0


@compiled(INDEX(REAL, REAL, TABLE, VECTOR, VECTOR, VECTOR, VECTOR))
def attempt(t: float, mode: float, z: Floats, w: Floats, p: Floats, m: Floats, clock: Floats) -> int:
    """Accelerations and forces at t, the end of the step, for sliding (mode: direction) or nodes that may stick (HELD)."""
    nodes = 2 * int(p[FACE])
    w[HOLDING], w[LIMIT] = (1.0 if mode == HELD else 0.0), p[FRICTION + STATIC]
    w[RATIO] = r = -mode * p[FRICTION + SLIDING]
    square = m[BETA] * m[STEP] * m[STEP]
    tilt = z[FREE, 2] + square * z[Q_SECOND, 2]
    for _ in range(REPEATS):
        balance(t, tilt, z, w, p, m)
        displacements(r, z, w, p, m)
        clock[SOLVED] += 1.0
        if settle(w, p) != SETTLED:
            for i in range(nodes):
                w[HEAD + STATE * nodes + i] = OPEN
            displacements(r, z, w, p, m)
            if settle(w, p) != SETTLED:
                return UNSETTLED
        found = z[FREE, 2] + square * w[G + 2]
        if not abs(found) < BOUND:
            return NOT_FINITE
        moved = abs(found - tilt)
        tilt = found
        if moved < CLOSE or p[MOUNTED] == 0.0:
            break
    return OK


@compiled(INDEX(TABLE, VECTOR, VECTOR, VECTOR))
def accept(z: Floats, w: Floats, p: Floats, m: Floats) -> int:
    """The end of the step becomes the present; springs of nodes that slip or are open move along."""
    nodes, modes, h = 2 * int(p[FACE]), int(m[MODES]), m[STEP]
    square, first = m[BETA] * h * h, m[GAMMA] * h
    for k in range(HINGE):
        z[Q_SECOND, k] = w[G + k]
    for k in range(modes):
        force = 0.0
        for i in range(nodes):
            up = -w[HEAD + PRESSING * nodes + i] if 2 * i >= nodes else w[HEAD + PRESSING * nodes + i]
            place = OMEGA + modes * (1 + 2 * i) + k
            force += m[place] * w[HEAD + TANGENT * nodes + i] + m[place + modes] * up
        for i in range(HINGE):
            load = w[LOAD + i] + w[L + 3 * i] * w[G] + w[L + 3 * i + 1] * w[G + 1] + w[L + 3 * i + 2] * w[G + 2]
            force += m[OMEGA + modes * (1 + 2 * nodes + i) + k] * load
        z[Q_SECOND, HINGE + k] = (force - m[OMEGA + k] * z[FREE, HINGE + k]) / (1.0 + square * m[OMEGA + k])
    for k in range(z.shape[1]):
        z[Q, k] = z[FREE, k] + square * z[Q_SECOND, k]
        z[Q_RATE, k] = z[FREE_RATE, k] + first * z[Q_SECOND, k]
    for i in range(nodes):
        if w[HEAD + STATE * nodes + i] != STICKS:
            w[HEAD + ANCHOR * nodes + i] += w[HEAD + U_X * nodes + i] + w[HEAD + TANGENT * nodes + i] / p[TANGENT_STIFFNESS]
    return 0


@compiled(INDEX(REAL, TABLE, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, TABLE))
def step(t: float, z: Floats, s: Floats, w: Floats, p: Floats, m: Floats, clock: Floats, events: Floats) -> int:
    """One step to t. s: the friction's mode and whence the slider came into it, as in the rigid slider's kernel."""
    nodes, band = 2 * int(p[FACE]), p[FRICTION + BAND]
    predict(z, m)
    status = attempt(t, s[MODE], z, w, p, m, clock)
    if status != OK:
        return status
    first = m[GAMMA] * m[STEP]
    if s[MODE] != HELD and s[MODE] * (z[FREE_RATE, X] + first * w[G]) < band:
        s[CAME], s[MODE], clock[SINCE] = s[MODE], HELD, t
        for i in range(nodes):
            if w[HEAD + STATE * nodes + i] == SLIPS:
                w[HEAD + STATE * nodes + i] = STICKS
        status = attempt(t, s[MODE], z, w, p, m, clock)
        if status != OK:
            return status
    accept(z, w, p, m)
    if s[MODE] == HELD:
        held(t, z[Q_RATE, X], s, w, p, clock, events)
    return OK


@compiled(INDEX(REAL, VECTOR, TABLE, VECTOR, VECTOR, VECTOR, VECTOR))
def channels(t: float, values: Floats, z: Floats, s: Floats, w: Floats, p: Floats, m: Floats) -> int:
    """See model.mechanisms.slider_bar, after a step."""
    theta = p[SPEED] * t + p[MOUNTED] * z[Q, 2]
    accelerated = z[Q_SECOND, 1] * math.cos(theta) - z[Q_SECOND, 0] * math.sin(theta) + p[GRAVITY] * math.cos(theta)
    values[X], values[V] = z[Q, 0], z[Q_RATE, 0]
    values[STICKING] = 1.0 if s[MODE] == HELD and stuck(w, p) > 0 else 0.0
    values[TORQUE] = p[SWING] * accelerated + p[MOUNTED] * m[BAR_INERTIA] * z[Q_SECOND, 2]
    values[SLIDING_FORCE], values[SUM] = w[RUBBING], w[TOTAL]
    areas(values[NORMALS:], w, p)
    return 0


@compiled(INDEX(TABLE, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, INDEX, INDEX, TABLE, TABLE, TABLE, TABLE, TABLE))
def advance(
    z: Floats, s: Floats, w: Floats, p: Floats, m: Floats, clock: Floats,
    first: int, part: int, out: Floats, low: Floats, high: Floats, trace: Floats, events: Floats,
) -> int:  # fmt: skip
    """Fill `out` (k, channels) with the samples first + row, `part` steps apart; `low`, `high`: extremes since the one before, or empty.

    trace: see model.integrators.samples. Returns a status; EVENTS_FULL asks to be called again.
    """
    watched, until = low.shape[0] > 0, clock[STEPS] + CALL
    for row in range(int(clock[ROW]), out.shape[0]):
        while clock[STEPS] < (first + row) * part:
            clock[ROW] = row
            if events.shape[0] - clock[EVENTS] < 2 or clock[STEPS] >= until:
                return EVENTS_FULL
            t = (clock[STEPS] + 1.0) * m[STEP]
            status = step(t, z, s, w, p, m, clock, events)
            if status == OK and not abs(z[Q, X]) < BOUND:
                status = NOT_FINITE
            if status != OK:
                return status
            clock[STEPS] += 1.0
            channels(t, trace[VALUE], z, s, w, p, m)
            widen(trace)
        copy(out[row], trace[VALUE])
        if watched:
            hand_over(trace, low[row], high[row])
        else:
            copy(trace[LOW], trace[VALUE])
            copy(trace[HIGH], trace[VALUE])
    clock[ROW] = 0.0
    return OK
