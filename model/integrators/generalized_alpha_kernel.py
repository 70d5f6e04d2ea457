"""Steps of generalised-alpha, compiled once for all mechanisms: dense, for up to some sixty unknowns, or with the mechanism's own solution.

| symbol | meaning |
|---|---|
| y = (q, v, v', lam) | coordinates, velocities, accelerations (n each), multipliers (m) |
| a | the method's own accelerations: (1 - alpha_m) a_new + alpha_m a = (1 - alpha_f) v'_new + alpha_f v' |
| r = (M v' - f + Phi_q^T lam, Phi) | residual, what `residual` writes |
| S | c_a M + c_v df + K, Phi_q^T; Phi_q, 0: what `tangent` writes for dq and dlam, with dv' = c_a dq and dv = c_v dq |

Unknowns of Newton's iteration are dq and h^2 beta dlam/m, and the equations of motion are multiplied by h^2 beta/m, m the usual mass: so
the condition of the matrix does not depend on h (Bottasso et al.). The factored matrix is kept from step to step as long as it contracts.

A mechanism with many unknowns that knows their structure solves S (dq, dlam) = r (setting STRUCTURED): its `tangent` makes factors of
its own and keeps them in s, with S to work in, and returns a status; its `solve` puts (dq, dlam) in the place of r.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types

from model.compiled.arrays import copy, largest
from model.compiled.signatures import (
    CHANNELS,
    GUARDS,
    INDEX,
    LAW,
    REAL,
    SWITCH,
    TABLE,
    VECTOR,
    Channels,
    Compiled,
    ContactLaw,
    Floats,
    Guards,
    Switch,
    compiled,
)
from model.integrators.samples import VALUE, hand_over, trace, widen

RESIDUAL = types.FunctionType(INDEX(REAL, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
"""residual(t, y, r, p, s, law): writes r."""
TANGENT = types.FunctionType(INDEX(REAL, VECTOR, TABLE, REAL, REAL, VECTOR, VECTOR, LAW))
"""tangent(t, y, S, c_a, c_v, p, s, law): writes S."""
SOLVE = RESIDUAL
"""solve(t, y, r, p, s, law): r becomes S^-1 r, with what `tangent` has kept."""
Residual = Compiled[[float, Floats, Floats, Floats, Floats, ContactLaw], int]
Solve = Residual
Tangent = Compiled[[float, Floats, Floats, float, float, Floats, Floats, ContactLaw], int]

# Settings.
STEP, ALPHA_M, ALPHA_F, GAMMA, BETA, TOLERANCE, ITERATIONS, COORDINATES, FORCE, LENGTH, MASS, STRUCTURED, SETTINGS = range(13)
# Places in `clock`.
STEPS, FACTORED, EVENTS, ROWS, RESIDUALS, FACTORINGS, REPEATS, CLOCK = range(8)
# Rows of `states` and of `own` (a).
Y, Y_NEW, STATE_ROWS = range(3)
# Rows of `system`: residual, Newton's correction, row exchanges.
R, X, PIVOTS, SYSTEM_ROWS = range(4)
# Rows of `marks` (guards).
GUARD, GUARD_RATE, MARK_ROWS = range(3)

OK, NO_CONVERGENCE, NOT_FINITE, SINGULAR, CHATTER, EVENTS_FULL = range(6)
REASONS = {
    NO_CONVERGENCE: "Newton's iteration did not reach the tolerance; choose a smaller step, a wider tolerance or more iterations",
    NOT_FINITE: "the motion grew beyond all bounds",
    SINGULAR: "the system matrix is singular: constraints that depend on each other, or a coordinate that nothing moves",
    CHATTER: "contacts begin again and again within one step",
}
CONTRACTION = 0.2  # of the residual in an iteration, above which the matrix is made anew
ROUNDING = 4e-16  # of a coordinate: a smaller correction changes nothing
SMALLEST = 1e-4  # share of a correction that is halved once more
FEWEST = 8  # repeats of a step for contacts that begin in it
DIVERGED = 1e12  # residual, in units of the usual force
CALL = 1000  # residuals after which a call returns, so that its caller hears an interruption


class Work(NamedTuple):
    """What a run works on, between two calls as well."""

    clock: Floats
    settings: Floats
    states: Floats
    own: Floats
    system: Floats
    matrix: Floats
    marks: Floats
    trace: Floats


WORK = types.NamedTuple((VECTOR, VECTOR, TABLE, TABLE, TABLE, TABLE, TABLE, TABLE), Work)  # type: ignore[no-untyped-call]


def work(settings: Floats, constraints: int, guards: int, channels: int, scratch: int = 0) -> Work:
    """Room for n coordinates (in the settings) and so many constraints, guards and channels; scratch: size of S with STRUCTURED."""
    n = int(settings[COORDINATES])
    size = n + constraints
    table = scratch if settings[STRUCTURED] else size
    return Work(
        clock=np.zeros(CLOCK),
        settings=settings,
        states=np.zeros((STATE_ROWS, 3 * n + constraints)),
        own=np.zeros((STATE_ROWS, n)),
        system=np.zeros((SYSTEM_ROWS, size)),
        matrix=np.zeros((table, table)),
        marks=np.zeros((MARK_ROWS, guards)),
        trace=trace(channels),
    )


@compiled(INDEX(TABLE, VECTOR))
def factor(a: Floats, pivots: Floats) -> int:
    """A = P L U in place, with row exchanges; OK or SINGULAR."""
    size = a.shape[0]
    for k in range(size):
        best, place = 0.0, k
        for i in range(k, size):
            if abs(a[i, k]) > best:
                best, place = abs(a[i, k]), i
        if not 0.0 < best < np.inf:
            return SINGULAR
        pivots[k] = place
        if place != k:
            for j in range(size):
                a[k, j], a[place, j] = a[place, j], a[k, j]
        upper = a[k]
        for i in range(k + 1, size):
            share = a[i, k] / a[k, k]
            if share != 0.0:
                row = a[i]
                for j in range(k + 1, size):
                    row[j] -= share * upper[j]
            a[i, k] = share
    return OK


@compiled(INDEX(TABLE, VECTOR, VECTOR))
def solve(a: Floats, pivots: Floats, x: Floats) -> int:
    """x = A^-1 x with the factors."""
    size = a.shape[0]
    for k in range(size):
        place = int(pivots[k])
        x[k], x[place] = x[place], x[k]
    for i in range(1, size):
        total = x[i]
        for j in range(i):
            total -= a[i, j] * x[j]
        x[i] = total
    for i in range(size - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, size):
            total -= a[i, j] * x[j]
        x[i] = total / a[i, i]
    return OK


@compiled(SOLVE.signature)
def dense(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """The `solve` of a mechanism that leaves it to the dense factors: never asked for."""
    return OK


@compiled(INDEX(WORK))
def predict(w: Work) -> int:
    """First guess of the step: multipliers as they were, accelerations as well, or (setting STRUCTURED) changing as in the step before."""
    h, n = w.settings[STEP], int(w.settings[COORDINATES])
    alpha_m, alpha_f, gamma, beta = w.settings[ALPHA_M], w.settings[ALPHA_F], w.settings[GAMMA], w.settings[BETA]
    smooth = w.settings[STRUCTURED]
    y, new = w.states[Y], w.states[Y_NEW]
    copy(new, y)
    for k in range(n):
        a, more = w.own[Y, k], y[2 * n + k] - w.own[Y_NEW, k]
        if smooth == 0.0:
            more = 0.0
        new[2 * n + k] = y[2 * n + k] + more
        a_new = (y[2 * n + k] + (1.0 - alpha_f) * more - alpha_m * a) / (1.0 - alpha_m)
        new[k] = y[k] + h * y[n + k] + h * h * ((0.5 - beta) * a + beta * a_new)
        new[n + k] = y[n + k] + h * ((1.0 - gamma) * a + gamma * a_new)
    return 0


@compiled(INDEX(REAL, TANGENT, LAW, WORK, VECTOR, VECTOR))
def prepare(t: float, tangent: Tangent, law: ContactLaw, w: Work, p: Floats, s: Floats) -> int:
    """Scaled and factored system matrix at Y_NEW, or the mechanism's own factors."""
    h, n = w.settings[STEP], int(w.settings[COORDINATES])
    scale = h * h * w.settings[BETA]
    c_a = (1.0 - w.settings[ALPHA_M]) / (scale * (1.0 - w.settings[ALPHA_F]))
    status = tangent(t, w.states[Y_NEW], w.matrix, c_a, w.settings[GAMMA] / (h * w.settings[BETA]), p, s, law)
    w.clock[FACTORED] = 1.0
    w.clock[FACTORINGS] += 1.0
    if w.settings[STRUCTURED]:
        return int(status)
    scale /= w.settings[MASS]
    for i in range(n):
        for j in range(n):
            w.matrix[i, j] *= scale
    return factor(w.matrix, w.system[PIVOTS])


@compiled(REAL(WORK))
def size_of_residual(w: Work) -> float:
    """Largest residual as a share of the usual force, or of the usual length."""
    n, r, found = int(w.settings[COORDINATES]), w.system[R], 0.0
    for k in range(r.size):
        part = abs(r[k]) / (w.settings[FORCE] if k < n else w.settings[LENGTH])
        if not part < np.inf:
            return np.inf
        found = max(found, part)
    return found


@compiled(REAL(WORK, REAL))
def move(w: Work, share: float) -> float:
    """Move Y_NEW by a share of the correction; the largest change of a coordinate, as a share of it (and of the usual length)."""
    h, n = w.settings[STEP], int(w.settings[COORDINATES])
    y, x = w.states[Y_NEW], w.system[X]
    scale = h * h * w.settings[BETA]
    c_a = (1.0 - w.settings[ALPHA_M]) / (scale * (1.0 - w.settings[ALPHA_F]))
    c_v, scale = w.settings[GAMMA] / (h * w.settings[BETA]), scale / w.settings[MASS]
    moved = 0.0
    for k in range(n):
        change = share * x[k]
        y[k] -= change
        y[n + k] -= c_v * change
        y[2 * n + k] -= c_a * change
        moved = max(moved, abs(change) / (abs(y[k]) + w.settings[LENGTH]))
    for k in range(n, x.size):
        y[2 * n + k] -= share * x[k] / scale
    return moved


@compiled(REAL(REAL, SOLVE, LAW, WORK, VECTOR, VECTOR))
def correct(t: float, solved: Solve, law: ContactLaw, w: Work, p: Floats, s: Floats) -> float:
    """Newton's correction for the residual in R, made; what `move` returns."""
    n, x = int(w.settings[COORDINATES]), w.system[X]
    scale = w.settings[STEP] * w.settings[STEP] * w.settings[BETA] / w.settings[MASS]
    if w.settings[STRUCTURED]:
        copy(x, w.system[R])
        solved(t, w.states[Y_NEW], x, p, s, law)
        for k in range(n, x.size):
            x[k] *= scale
        return move(w, 1.0)
    for k in range(x.size):
        x[k] = scale * w.system[R, k] if k < n else w.system[R, k]
    solve(w.matrix, w.system[PIVOTS], x)
    return move(w, 1.0)


@compiled(INDEX(REAL, RESIDUAL, TANGENT, SOLVE, LAW, WORK, VECTOR, VECTOR))
def attempt(t: float, residual: Residual, tangent: Tangent, solved: Solve, law: ContactLaw, w: Work, p: Floats, s: Floats) -> int:
    """Y_NEW at t from Y a step before, by Newton's iteration; a correction that makes it worse is taken back, with a new matrix by halves.

    Friction that rises from nothing within a narrow window needs that: from either side the tangent points beyond the other.
    """
    predict(w)
    before, moved, share, fresh = np.inf, np.inf, 0.0, False
    for _ in range(int(w.settings[ITERATIONS]) + 1):
        residual(t, w.states[Y_NEW], w.system[R], p, s, law)
        w.clock[RESIDUALS] += 1.0
        now = size_of_residual(w)
        if now <= w.settings[TOLERANCE] or (share == 1.0 and moved <= ROUNDING):
            return OK
        if not now <= before:
            back = share if not fresh else (0.5 * share if share > SMALLEST else share - 1.0)
            move(w, -back)
            share -= back
            if not fresh or share == 1.0:
                before, w.clock[FACTORED] = np.inf, 0.0
            continue
        if not now < DIVERGED:
            return NOT_FINITE
        fresh = w.clock[FACTORED] == 0.0 or now > CONTRACTION * before
        if fresh:
            status = prepare(t, tangent, law, w, p, s)
            if status != OK:
                return status
        before, share = now, 1.0
        moved = correct(t, solved, law, w, p, s)
    return NO_CONVERGENCE


@compiled(INDEX(REAL, RESIDUAL, TANGENT, SOLVE, GUARDS, SWITCH, LAW, WORK, VECTOR, VECTOR, TABLE))
def step(
    t: float, residual: Residual, tangent: Tangent, solved: Solve, guards: Guards, switch: Switch, law: ContactLaw,
    w: Work, p: Floats, s: Floats, events: Floats,
) -> int:  # fmt: skip
    """One step to t, once more for every contact that begins in it; contacts that end are opened behind it."""
    n, marks = int(w.settings[COORDINATES]), w.marks
    y = w.states[Y_NEW, : 2 * n]
    for _ in range(FEWEST):
        status = attempt(t, residual, tangent, solved, law, w, p, s)
        if status != OK:
            return status
        guards(t, y, marks[GUARD], marks[GUARD_RATE], p, s, marks[GUARD])
        if largest(marks[GUARD]) <= 0.0:
            return OK
        again = 0
        for k in range(marks.shape[1]):
            if marks[GUARD, k] > 0.0:
                noted = switch(k, t, y, p, s, marks[GUARD])
                if not math.isnan(noted):
                    back = min(w.settings[STEP], max(0.0, marks[GUARD, k] / marks[GUARD_RATE, k])) if marks[GUARD_RATE, k] > 0.0 else 0.0
                    place = int(w.clock[EVENTS])
                    events[place, 0], events[place, 1], events[place, 2] = t - back, k, noted
                    w.clock[EVENTS] += 1.0
                    if noted > 0.0:
                        again = 1
        w.clock[FACTORED] = 0.0
        if again == 0:
            return OK
        w.clock[REPEATS] += 1.0
    return CHATTER


@compiled(INDEX(WORK))
def accept(w: Work) -> int:
    """The new state becomes the present one."""
    n, alpha_m, alpha_f = int(w.settings[COORDINATES]), w.settings[ALPHA_M], w.settings[ALPHA_F]
    y, new = w.states[Y], w.states[Y_NEW]
    for k in range(n):
        w.own[Y_NEW, k] = y[2 * n + k]
        w.own[Y, k] = ((1.0 - alpha_f) * new[2 * n + k] + alpha_f * y[2 * n + k] - alpha_m * w.own[Y, k]) / (1.0 - alpha_m)
    copy(y, new)
    w.clock[STEPS] += 1.0
    return 0


@compiled(INDEX(RESIDUAL, TANGENT, GUARDS, SWITCH, CHANNELS, LAW, SOLVE, WORK, VECTOR, VECTOR, INDEX, INDEX, TABLE, TABLE, TABLE, TABLE))
def advance(
    residual: Residual, tangent: Tangent, guards: Guards, switch: Switch, channels: Channels, law: ContactLaw, solved: Solve,
    w: Work, p: Floats, s: Floats, first: int, part: int, out: Floats, low: Floats, high: Floats, events: Floats,
) -> int:  # fmt: skip
    """Fill `out` (k, channels) with the samples first + row, `part` steps apart; `low`, `high`: extremes since the one before, or empty.

    Returns a status; EVENTS_FULL asks to be called again after the events have been taken, as it does after CALL residuals.
    """
    clock, tr, watched = w.clock, w.trace, low.shape[0] > 0
    until = clock[RESIDUALS] + CALL
    row = int(clock[ROWS])
    while row < out.shape[0]:
        while clock[STEPS] < (first + row) * part:
            if events.shape[0] - clock[EVENTS] < FEWEST * w.marks.shape[1] or clock[RESIDUALS] > until:
                clock[ROWS] = row
                return EVENTS_FULL
            t = (clock[STEPS] + 1.0) * w.settings[STEP]
            status = step(t, residual, tangent, solved, guards, switch, law, w, p, s, events)
            if status != OK:
                clock[ROWS] = row
                return status
            accept(w)
            if watched:
                channels(t, w.states[Y], tr[VALUE], p, s, tr[VALUE], law)
                widen(tr)
        channels(clock[STEPS] * w.settings[STEP], w.states[Y], tr[VALUE], p, s, tr[VALUE], law)
        for k in range(out.shape[1]):
            out[row, k] = tr[VALUE, k]
        if watched:
            widen(tr)
            hand_over(tr, low[row], high[row])
        row += 1
    clock[ROWS] = 0.0
    return OK
