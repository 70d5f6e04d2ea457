"""A spatial ANCF bar between two points, its inner unknowns condensed to them in a frame that turns with the bar, compiled.

The joints at its ends give r of the first and of the last node; all slopes are free (the paper's pairs, chen2026 eq 31).

| symbol | meaning |
|---|---|
| x = (x_e, x_i) | Newton's correction: of both ends' r (6), and of the bar's other m coordinates |
| S x = r | the bar's share of the iteration: S = c_a M + c_v df/dv + df/dq, r = M a - weight + f |
| R | axes of the bar's frame: x along the chord, y towards the first node's r_y |
| S' = R^T S R | in the frame; of a bar that moves as a rigid body it stays what it is, so that it may be kept over many steps |
| y = S_ii^-1 r_i, Z = S_ii^-1 S_ie, C = S_ee - S_ei Z | in the frame; x_i = y - Z x_e |

An iteration: `refresh` when the matrix is to be made anew, `condense` for the ends' residual r_e - S_ei y, `add_ends` for C into the matrix
of the joints, and with their solution `recover` for the whole x. The bar's coordinates keep their order, so S_ii has a band of 23 on
either side; it is positive definite as long as the step resolves buckling, and needs no exchange of rows.
"""

from __future__ import annotations

import math

from model.bodies.ancf_beam3d.frame import WIDTH, find_frame, into_frame, out_of_frame
from model.bodies.ancf_beam3d.kernel import ELEMENT, NODE, forces, inertia, masses, tangents
from model.compiled.arrays import copy, fill
from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled
from model.integrators.generalized_alpha_kernel import OK, SINGULAR

ENDS = 6
BAND = ELEMENT - 1
COLUMN = 2 * BAND + 1  # of the factors: rows k - BAND .. k + BAND of column k
# Places in the store, in multiples of m: factors, S_ei by rows, Z by columns, y; then C, R, and two rooms for all coordinates.
TO_ENDS, FROM_ENDS, SOLVED, CONDENSED = COLUMN, COLUMN + ENDS, COLUMN + 2 * ENDS, COLUMN + 2 * ENDS + 1
FRAME, ROOMS = ENDS * ENDS, ENDS * ENDS + 9  # from there on


def store_size(elements: int) -> int:
    """Numbers to be kept for a bar."""
    size = NODE * (elements + 1)
    return CONDENSED * (size - ENDS) + ROOMS + 2 * size


@compiled(INDEX(INDEX, INDEX))
def inside(k: int, size: int) -> int:
    """Coordinate of a bar with `size` of them that is its inner unknown k."""
    return k + 3 if k < size - 15 else k + 6


@compiled(INDEX(INDEX, INDEX))
def end(k: int, size: int) -> int:
    """Coordinate that is the ends' unknown k."""
    return k if k < 3 else size - NODE + k - 3


@compiled(INDEX(TABLE))
def factor(a: Floats) -> int:
    """A = L U in place, A[i, k] at a[k, BAND + i - k], without exchanges; OK or SINGULAR."""
    size = a.shape[0]
    for k in range(size):
        pivot = a[k, BAND]
        if not 0.0 < abs(pivot) < math.inf:
            return SINGULAR
        below = min(BAND, size - 1 - k)
        for i in range(1, below + 1):
            a[k, BAND + i] /= pivot
        for j in range(1, below + 1):
            above = a[k + j, BAND - j]
            if above != 0.0:
                for i in range(1, below + 1):
                    a[k + j, BAND - j + i] -= a[k, BAND + i] * above
    return OK


@compiled(INDEX(TABLE, VECTOR))
def solve(a: Floats, x: Floats) -> int:
    """x = A^-1 x with the factors."""
    size = a.shape[0]
    for k in range(size):
        value = x[k]
        for i in range(1, min(BAND, size - 1 - k) + 1):
            x[k + i] -= a[k, BAND + i] * value
    for k in range(size - 1, -1, -1):
        x[k] /= a[k, BAND]
        value = x[k]
        for i in range(1, min(BAND, k) + 1):
            x[k - i] -= a[k, BAND - i] * value
    return 0


@compiled(INDEX(TABLE, VECTOR))
def split(matrix: Floats, store: Floats) -> int:
    """S' into the store: S_ii to be factored, S_ei, S_ie and S_ee."""
    size = matrix.shape[0]
    m = size - ENDS
    columns = store[: COLUMN * m].reshape((m, COLUMN))
    for k in range(m):
        fill(columns[k], 0.0)
        for i in range(max(0, k - BAND), min(m, k + BAND + 1)):
            columns[k, BAND + i - k] = matrix[inside(i, size), inside(k, size)]
    for e in range(ENDS):
        for k in range(m):
            store[(TO_ENDS + e) * m + k] = matrix[end(e, size), inside(k, size)]
            store[(FROM_ENDS + e) * m + k] = matrix[inside(k, size), end(e, size)]
        for g in range(ENDS):
            store[CONDENSED * m + ENDS * e + g] = matrix[end(e, size), end(g, size)]
    return 0


@compiled(INDEX(VECTOR, VECTOR, REAL, REAL, VECTOR, VECTOR, TABLE, VECTOR))
def refresh(q: Floats, v: Floats, c_a: float, c_v: float, beam: Floats, store: Floats, matrix: Floats, room: Floats) -> int:
    """Make S' at q, v, its factors, Z and C; matrix: room for (q.size, q.size), room: for ROOM. OK or SINGULAR."""
    size = q.size
    m = size - ENDS
    rest = store[CONDENSED * m :]
    frame, own, rates = rest[FRAME:ROOMS], rest[ROOMS : ROOMS + size], rest[ROOMS + size :]
    find_frame(q, WIDTH, frame)
    into_frame(frame, q, own)
    into_frame(frame, v, rates)
    for k in range(size):
        fill(matrix[k], 0.0)
    tangents(own, rates, matrix, beam, 1.0, c_v, room)
    masses(matrix, c_a, beam, size)
    split(matrix, store)
    factors = store[: COLUMN * m].reshape((m, COLUMN))
    status = factor(factors)
    if status != OK:
        return int(status)
    for g in range(ENDS):
        z = store[(FROM_ENDS + g) * m : (FROM_ENDS + g + 1) * m]
        solve(factors, z)
        for e in range(ENDS):
            row = store[(TO_ENDS + e) * m : (TO_ENDS + e + 1) * m]
            total = 0.0
            for k in range(m):
                total += row[k] * z[k]
            rest[ENDS * e + g] -= total
    return OK


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def residual(q: Floats, v: Floats, a: Floats, weight: Floats, r: Floats, beam: Floats, room: Floats) -> int:
    """r = M a - weight + f of the whole bar."""
    copy(r, weight)
    forces(q, v, r, beam, room)
    for k in range(r.size):
        r[k] = -r[k]
    inertia(a, r, beam)
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR))
def condense(q: Floats, r: Floats, store: Floats, ends: Floats) -> int:
    """ends (6) = r_e - S_ei y, in global axes, for the bar as it lies now."""
    size = q.size
    m = size - ENDS
    rest = store[CONDENSED * m :]
    frame, own = rest[FRAME:ROOMS], rest[ROOMS : ROOMS + size]
    y, left = store[SOLVED * m : CONDENSED * m], rest[ROOMS + size : ROOMS + size + ENDS]
    find_frame(q, WIDTH, frame)
    into_frame(frame, r, own)
    for k in range(m):
        y[k] = own[inside(k, size)]
    solve(store[: COLUMN * m].reshape((m, COLUMN)), y)
    for e in range(ENDS):
        total = own[end(e, size)]
        for k in range(m):
            total -= store[(TO_ENDS + e) * m + k] * y[k]
        left[e] = total
    out_of_frame(frame, left, ends)
    return 0


@compiled(INDEX(VECTOR, INDEX, TABLE, INDEX, INDEX))
def add_ends(store: Floats, size: int, into: Floats, first: int, last: int) -> int:
    """Add R C R^T to the rows and columns `first` + 0..2 (r of the first node) and `last` + 0..2; size: coordinates of the bar."""
    rest = store[CONDENSED * (size - ENDS) :]
    frame = rest[FRAME:ROOMS]
    for e in range(2):
        for g in range(2):
            row, column = first if e == 0 else last, first if g == 0 else last
            for i in range(3):
                for j in range(3):
                    total = 0.0
                    for k in range(3):
                        for n in range(3):
                            total += frame[3 * i + k] * rest[ENDS * (3 * e + k) + 3 * g + n] * frame[3 * j + n]
                    into[row + i, column + j] += total
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def recover(ends: Floats, store: Floats, x: Floats) -> int:
    """x (all coordinates, global axes) from x_e (6, global axes), after `condense`."""
    size = x.size
    m = size - ENDS
    rest = store[CONDENSED * m :]
    frame, own = rest[FRAME:ROOMS], rest[ROOMS : ROOMS + size]
    y, local = store[SOLVED * m : CONDENSED * m], rest[ROOMS + size : ROOMS + size + ENDS]
    into_frame(frame, ends, local)
    for e in range(ENDS):
        own[end(e, size)] = local[e]
        z = store[(FROM_ENDS + e) * m : (FROM_ENDS + e + 1) * m]
        for k in range(m):
            y[k] -= z[k] * local[e]
    for k in range(m):
        own[inside(k, size)] = y[k]
    out_of_frame(frame, own, x)
    return 0
