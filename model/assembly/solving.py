"""The constraint forces, compiled: A lam = b with A = J M^-1 J^T, symmetric and sparse, as L D L^T within its skyline.

Rows that are not in the independent set are passed over: their pivot counts as 1, their coupling as 0, so their force is 0. A row of the
skyline reaches from the first body's neighbour to the diagonal; the order of the constraints keeps it short (model.assembly.ordering).

Where a mechanism passes a singular pose, A has a small eigenvalue mu and then none there: the constraints do not say how it goes on, its
velocity does. There A + SOFT diag(A) is factored, and what that leaves of b is solved for again: after n times a component is off by
(SOFT/(mu + SOFT))^(n + 1), so all but the singular one are exact, and that one fades out and in again (an augmented Lagrangian).
"""

from __future__ import annotations

from model.assembly import layout as at
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled


@compiled(INDEX(VECTOR, VECTOR))
def multiply_out(p: Floats, s: Floats) -> int:
    """A = J M^-1 J^T into the skyline."""
    skyline, size = int(p[at.S_SKYLINE]), int(p[at.S_PIVOTS])
    for k in range(skyline, size):
        s[k] = 0.0
    k = int(p[at.AT_PAIRS])
    for _ in range(int(p[at.PAIRS])):
        place, a, b = int(p[k]), int(p[k + 1]), int(p[k + 2])
        s[place] += s[a] * s[b] + s[a + 1] * s[b + 1] + s[a + 2] * s[b + 2]
        k += at.PAIR_COLUMNS
    return 0


SINGULAR = 1e-6  # smallest pivot, share of its diagonal element, below which a pose counts as singular
SOFT, AGAIN = 1e-8, 3


@compiled(REAL(REAL, VECTOR, VECTOR, INDEX))
def reduce(soft: float, p: Floats, s: Floats, x: int) -> float:
    """L D L^T of A + soft diag(A) in place, the inverse pivots beside it, and D^-1 L^-1 b in the place x of b.

    Returns the smallest pivot as a share of its diagonal element: 0 for dependent rows.
    """
    rows, active, inverse = int(p[at.ROWS]), int(p[at.S_ACTIVE]), int(p[at.S_PIVOTS])
    table, least = int(p[at.AT_ROWS]), 1.0
    for r in range(rows):
        columns = table + at.ROW_COLUMNS * r
        first, base = int(p[columns + at.FIRST_COLUMN]), int(p[columns + at.DIAGONAL]) - r
        if s[active + r] == 0.0:
            for c in range(first, r):
                s[base + c] = 0.0
            s[inverse + r], s[x + r] = 1.0, 0.0
            continue
        for c in range(first, r):
            other = table + at.ROW_COLUMNS * c
            begin, other_base = int(p[other + at.FIRST_COLUMN]), int(p[other + at.DIAGONAL]) - c
            total = s[base + c] if s[active + c] != 0.0 else 0.0
            for k in range(max(first, begin), c):
                total -= s[base + k] * s[other_base + k]
            s[base + c] = total
        whole = s[base + r]
        pivot = whole * (1.0 + soft)
        right = s[x + r]
        for c in range(first, r):
            part = s[base + c]
            right -= part * s[x + c]
            share = part * s[inverse + c]
            s[base + c] = share
            pivot -= part * share
        least = min(least, pivot / whole)
        s[inverse + r], s[x + r] = 1.0 / pivot, right / pivot
    return float(least)


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def back(p: Floats, s: Floats, x: int) -> int:
    """lam = L^-T x in the place of x, after `reduce`."""
    table = int(p[at.AT_ROWS])
    for r in range(int(p[at.ROWS]) - 1, 0, -1):
        columns = table + at.ROW_COLUMNS * r
        first, base = int(p[columns + at.FIRST_COLUMN]), int(p[columns + at.DIAGONAL]) - r
        force = s[x + r]
        for c in range(first, r):
            s[x + c] -= s[base + c] * force
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def forward(p: Floats, s: Floats, x: int) -> int:
    """D^-1 L^-1 b in the place x of b, after `reduce`."""
    table, inverse = int(p[at.AT_ROWS]), int(p[at.S_PIVOTS])
    rows = int(p[at.ROWS])
    for r in range(rows):
        columns = table + at.ROW_COLUMNS * r
        first, base = int(p[columns + at.FIRST_COLUMN]), int(p[columns + at.DIAGONAL]) - r
        right = s[x + r]
        for c in range(first, r):
            right -= s[base + c] * s[x + c]
        s[x + r] = right
    for r in range(rows):
        s[x + r] *= s[inverse + r]
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def solve_softly(p: Floats, s: Floats, x: int) -> int:
    """lam in the place x of b in a singular pose."""
    rows, table = int(p[at.ROWS]), int(p[at.AT_ROWS])
    left = int(p[at.S_SOFT])
    diagonal = left + rows
    multiply_out(p, s)
    for r in range(rows):
        place = int(p[table + at.ROW_COLUMNS * r + at.DIAGONAL])
        s[diagonal + r] = SOFT * s[place] * s[int(p[at.S_ACTIVE]) + r]
    reduce(SOFT, p, s, x)
    back(p, s, x)
    for r in range(rows):
        s[left + r] = s[x + r]
    for _ in range(AGAIN):
        for r in range(rows):
            s[left + r] *= s[diagonal + r]
        forward(p, s, left)
        back(p, s, left)
        for r in range(rows):
            s[x + r] += s[left + r]
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX, INDEX))
def pull(p: Floats, s: Floats, x: int, into: int) -> int:
    """Add M^-1/2 J^T lam, lam from place x of s, to the vector of bodies' triples at place `into`."""
    k = int(p[at.AT_PULLS])
    bodies, frames = int(p[at.BODIES]), int(p[at.FRAMES])
    for body in range(bodies if frames == 0 else bodies + 1 + frames):
        place = into + at.TRIPLE * body
        along_x, along_y, turning = s[place], s[place + 1], s[place + 2]
        count = int(p[k])
        for _ in range(count):
            force, triple = s[x + int(p[k + 1])], int(p[k + 2])
            along_x += s[triple] * force
            along_y += s[triple + 1] * force
            turning += s[triple + 2] * force
            k += 2
        s[place], s[place + 1], s[place + 2] = along_x, along_y, turning
        k += 1
    return 0


@compiled(REAL(VECTOR, VECTOR, INDEX, INDEX))
def along(p: Floats, s: Floats, r: int, vector: int) -> float:
    """Row r of J M^-1/2 times the vector of bodies' triples at place `vector`."""
    triple, columns = int(p[at.S_JACOBIAN]) + 2 * at.TRIPLE * r, int(p[at.AT_ROWS]) + at.ROW_COLUMNS * r
    i, j = vector + int(p[columns + at.VELOCITY_I]), vector + int(p[columns + at.VELOCITY_J])
    return float(
        s[triple] * s[i]
        + s[triple + 1] * s[i + 1]
        + s[triple + 2] * s[i + 2]
        + s[triple + 3] * s[j]
        + s[triple + 4] * s[j + 1]
        + s[triple + 5] * s[j + 2]
    )


@compiled(INDEX(VECTOR, INDEX, INDEX, INDEX))
def eliminate(s: Floats, square: int, rows: int, k: int) -> int:
    """Take row and column k out of the dense symmetric matrix (rows, rows) at place `square`."""
    pivot = s[square + (rows + 1) * k]
    for r in range(rows):
        if r != k:
            share = s[square + rows * r + k] / pivot
            for c in range(rows):
                s[square + rows * r + c] -= share * s[square + rows * k + c]
    return 0


@compiled(INDEX(VECTOR, VECTOR))
def choose(p: Floats, s: Floats) -> int:
    """Another independent set of as many rows, for the J in s: the largest pivots of A, its diagonal made 1, one after the other."""
    rows, active, square, table = int(p[at.ROWS]), int(p[at.S_ACTIVE]), int(p[at.S_SQUARE]), int(p[at.AT_ROWS])
    multiply_out(p, s)
    rank = 0
    for r in range(rows):
        rank += int(s[active + r])
        s[active + r] = 0.0
        base, first = int(p[table + at.ROW_COLUMNS * r + at.DIAGONAL]) - r, int(p[table + at.ROW_COLUMNS * r + at.FIRST_COLUMN])
        for c in range(r + 1):
            other = int(p[table + at.ROW_COLUMNS * c + at.DIAGONAL])
            value = s[base + c] / (s[base + r] * s[other]) ** 0.5 if c >= first else 0.0
            s[square + rows * r + c] = s[square + rows * c + r] = value
    for _ in range(rank):
        best = -1
        for r in range(rows):
            free = s[active + r] == 0.0
            if free and (best < 0 or s[square + (rows + 1) * r] > s[square + (rows + 1) * best]):
                best = r
        s[active + best] = 1.0
        eliminate(s, square, rows, best)
    return 0
