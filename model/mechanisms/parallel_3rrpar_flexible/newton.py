"""Newton's correction of the flexible 3-RRPaR where pins press, rub and knock in their bushes, compiled.

But for the contacts the iteration is all but linear, and its matrix A changes slowly. So A is factored without them, condensed to what they
know, and their kinks are gone through there, in six unknowns, instead of by looking at all bars again and again.

| symbol | meaning |
|---|---|
| w, B | (e, beta) of R1 and R3, 6; their places among z |
| c(w, w') | what the contacts add to the residual, model.mechanisms.parallel_3rrpar_flexible.contact |
| x, x_w | correction of z, and of w: z becomes z - x, z' becomes z' - c_v x |
| U, K | A^-1 B, and (B^T A^-1 B)^-1: all that the rest of the mechanism shows the contacts within a step |
| dc | c(w - x_w, w' - c_v x_w) - c(w, w'); x = A^-1 r + U dc |
| g | K (x_w - B^T A^-1 r) - dc, N and N m: what is left of the balance at the pins |

Newton's iteration on g, a correction halved where it makes g larger: friction grows within 0.1 mm/s, forces end where pins part.
"""

from __future__ import annotations

import math

from model.compiled.arrays import copy, fill
from model.compiled.signatures import INDEX, LAW, REAL, TABLE, VECTOR, ContactLaw, Floats, compiled
from model.integrators.generalized_alpha_kernel import OK, factor, solve
from model.mechanisms.parallel_3rrpar.kernel import RADIUS_I
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible.contact import place_of

W = pins.SEEN
EXACT = 1e-4  # of g at first: what may be left of it, far below what the bars' turning leaves of the whole residual
MOST = 60  # corrections of x_w
SMALLEST = 1e-4  # share of a correction that is tried
# Places of the room, behind U by rows of `size` each: K, its row exchanges and room, then vectors of w.
K_TABLE, JACOBIAN, EXCHANGES, VECTORS = 0, W * W, 2 * W * W, 2 * W * W + W
# w, w', what these become with x_w, c(w, w'), c there, B^T A^-1 r, x_w, another one, its change, g.
OLD, OLD_RATE, NEW, NEW_RATE, OLD_FORCE, NEW_FORCE, FREE, X, TRIED, STEP, G, KINDS = range(12)
ROOM = VECTORS + KINDS * W


def room_size(size: int) -> int:
    """Numbers for `size` coordinates z."""
    return W * size + ROOM


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def subtract_forces(z: Floats, v: Floats, rows: Floats, room: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """Those of the contacts, from the rows of z."""
    w = room[W * rows.size + VECTORS :].reshape((KINDS, W))
    old, rate, force = w[OLD], w[OLD_RATE], w[OLD_FORCE]
    pins.gather(z, old)
    pins.gather(v, rate)
    fill(force, 0.0)
    pins.subtract_forces(old, rate, force, p, s, law)
    for k in range(W):
        rows[place_of(k)] += force[k]
    return 0


@compiled(INDEX(TABLE, VECTOR, REAL, VECTOR, VECTOR, LAW))
def add_tangents(matrix: Floats, room: Floats, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> int:
    """Those of the contacts to a matrix of z, after `subtract_forces`."""
    rest = room[W * matrix.shape[0] :]
    w = rest[VECTORS:].reshape((KINDS, W))
    fill(rest[JACOBIAN:EXCHANGES], 0.0)
    table = rest[JACOBIAN:EXCHANGES].reshape((W, W))
    pins.subtract_tangents(w[OLD], w[OLD_RATE], table, c_v, p, s, law)
    for i in range(W):
        for j in range(W):
            matrix[place_of(i), place_of(j)] += table[i, j]
    return 0


@compiled(INDEX(TABLE, VECTOR, VECTOR))
def condense(factors: Floats, exchanges: Floats, room: Floats) -> int:
    """U and K into the room, from the factors of A. OK or SINGULAR."""
    size = factors.shape[0]
    rest = room[W * size :]
    k, order, line = rest[K_TABLE:JACOBIAN], rest[EXCHANGES:VECTORS], rest[VECTORS:].reshape((KINDS, W))[TRIED]
    table = rest[JACOBIAN:EXCHANGES].reshape((W, W))
    for j in range(W):
        u = room[size * j : size * (j + 1)]
        fill(u, 0.0)
        u[place_of(j)] = 1.0
        solve(factors, exchanges, u)
        for i in range(W):
            table[i, j] = u[place_of(i)]
    status = factor(table, order)
    if status != OK:
        return int(status)
    for j in range(W):
        fill(line, 0.0)
        line[j] = 1.0
        solve(table, order, line)
        for i in range(W):
            k[W * i + j] = line[i]
    return OK


@compiled(REAL(VECTOR, VECTOR, REAL, VECTOR, VECTOR, LAW))
def leave(x: Floats, rest: Floats, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> float:
    """w, w' and c with the correction x_w, and g; its size, N."""
    w = rest[VECTORS:].reshape((KINDS, W))
    old, rate, new, new_rate = w[OLD], w[OLD_RATE], w[NEW], w[NEW_RATE]
    force, before, free, g = w[NEW_FORCE], w[OLD_FORCE], w[FREE], w[G]
    for i in range(W):
        new[i], new_rate[i], force[i] = old[i] - x[i], rate[i] - c_v * x[i], 0.0
    pins.subtract_forces(new, new_rate, force, p, s, law)
    square = 0.0
    for i in range(W):
        total = before[i] - force[i]
        for j in range(W):
            total += rest[W * i + j] * (x[j] - free[j])
        g[i] = total
        square += (total / p[RADIUS_I]) ** 2 if i % pins.PIN == pins.BETA else total * total
    return math.sqrt(square)


@compiled(INDEX(VECTOR, REAL, VECTOR, VECTOR, LAW))
def find(rest: Floats, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> int:
    """x_w, with c there. Where it cannot be found exactly the best so far: the whole iteration goes on from there."""
    w = rest[VECTORS:].reshape((KINDS, W))
    x, tried, step, g = w[X], w[TRIED], w[STEP], w[G]
    jacobian, exchanges = rest[JACOBIAN:EXCHANGES], rest[EXCHANGES:VECTORS]
    table = jacobian.reshape((W, W))
    fill(x, 0.0)
    size = leave(x, rest, c_v, p, s, law)
    enough = EXACT * size
    for _ in range(MOST):
        if size <= enough:
            return 0
        copy(jacobian, rest[K_TABLE:JACOBIAN])
        pins.subtract_tangents(w[NEW], w[NEW_RATE], table, c_v, p, s, law)
        if factor(table, exchanges) != OK:
            return 0
        solve(table, exchanges, g)
        share, before, now = 1.0, size, math.inf
        copy(step, g)
        while not now < before and share > SMALLEST:
            for i in range(W):
                tried[i] = x[i] - share * step[i]
            now = leave(tried, rest, c_v, p, s, law)
            share *= 0.5
        if not now < before:
            leave(x, rest, c_v, p, s, law)
            return 0
        copy(x, tried)
        size = now
    return 0


@compiled(INDEX(VECTOR, REAL, TABLE, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def answer(x: Floats, c_v: float, factors: Floats, exchanges: Floats, room: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """x, the residual of z, becomes its correction; after `subtract_forces`, which knows where the pins are, and `condense`."""
    size = x.size
    rest = room[W * size :]
    w = rest[VECTORS:].reshape((KINDS, W))
    force, new = w[OLD_FORCE], w[NEW_FORCE]
    solve(factors, exchanges, x)
    pins.gather(x, w[FREE])
    find(rest, c_v, p, s, law)
    for j in range(W):
        more = new[j] - force[j]
        if more != 0.0:
            for i in range(size):
                x[i] += room[size * j + i] * more
    return 0
