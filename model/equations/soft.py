"""Constraint forces of rows that depend on each other, for generated equations, compiled once.

In a singular pose: as model.assembly.solving has it, for a full matrix. Where rows follow from others all the way, S lam = b has a solution
only within rounding and what is violated, and that rest would come out as forces 1/SOFT times as large along what S does not see. So b is
brought into what S reaches first (S times a solution), and the forces that are left are those that share evenly, by each row's measure.
"""

from __future__ import annotations

from model.assembly.solving import AGAIN, SOFT
from model.compiled.signatures import INDEX, VECTOR, Floats, compiled

FOLLOWS = 1e-5  # of its measure, below which a pivot is nothing: SOFT times the sum of squares of what combines rows, some 30 at most each


def room(rows: int) -> int:
    """Places that `solve_softly` and `solve_shared` work in."""
    return rows * rows + 4 * rows


@compiled(INDEX(VECTOR, INDEX, INDEX, INDEX))
def substitute(s: Floats, place: int, rows: int, x: int) -> int:
    """The solution in the place of the right side, by the factors L (below the diagonal) and D (on it)."""
    for r in range(rows):
        for c in range(r):
            s[x + r] -= s[place + rows * r + c] * s[x + c]
    for r in range(rows):
        s[x + r] /= s[place + (rows + 1) * r]
    for r in range(rows - 1, -1, -1):
        for c in range(r + 1, rows):
            s[x + r] -= s[place + rows * c + r] * s[x + c]
    return 0


@compiled(INDEX(VECTOR, INDEX, INDEX))
def soften(s: Floats, place: int, rows: int) -> int:
    """Factor S + SOFT times the measures, which are then that."""
    diagonal = place + rows * rows + 2 * rows
    for r in range(rows):
        s[diagonal + r] *= SOFT
        s[place + (rows + 1) * r] += s[diagonal + r]
        for c in range(r):
            total = s[place + rows * r + c]
            for k in range(c):
                total -= s[place + rows * r + k] * s[place + rows * c + k] * s[place + (rows + 1) * k]
            s[place + rows * r + c] = total / s[place + (rows + 1) * c]
        for c in range(r):
            s[place + (rows + 1) * r] -= s[place + rows * r + c] ** 2 * s[place + (rows + 1) * c]
    return 0


@compiled(INDEX(VECTOR, INDEX, INDEX))
def settle(s: Floats, place: int, rows: int) -> int:
    """The solution in the place of b, by what `soften` made, and again for what that leaves."""
    b, left, diagonal = place + rows * rows, place + rows * rows + rows, place + rows * rows + 2 * rows
    substitute(s, place, rows, b)
    for r in range(rows):
        s[left + r] = s[b + r]
    for _ in range(AGAIN):
        for r in range(rows):
            s[left + r] *= s[diagonal + r]
        substitute(s, place, rows, left)
        for r in range(rows):
            s[b + r] += s[left + r]
    return 0


@compiled(INDEX(VECTOR, INDEX, INDEX))
def solve_softly(s: Floats, place: int, rows: int) -> int:
    """lam in the place of b. From `place` on s holds S (rows, rows), b (rows,), room (rows,), each one's measure (rows,)."""
    soften(s, place, rows)
    return int(settle(s, place, rows))


@compiled(INDEX(VECTOR, INDEX, INDEX))
def solve_shared(s: Floats, place: int, rows: int) -> int:
    """The same where rows follow from others, with `rows` further places behind. Returns how many do in this pose."""
    b, left = place + rows * rows, place + rows * rows + rows
    diagonal, kept = left + rows, left + 2 * rows
    for r in range(rows):
        s[kept + r] = s[place + (rows + 1) * r]
    soften(s, place, rows)
    following = 0
    for r in range(rows):
        following += s[place + (rows + 1) * r] * SOFT < FOLLOWS * s[diagonal + r]
    settle(s, place, rows)
    for r in range(rows):  # the lower half of S is gone, the upper one is still there
        s[left + r] = s[kept + r] * s[b + r]
        for c in range(rows):
            if c != r:
                s[left + r] += s[place + rows * min(r, c) + max(r, c)] * s[b + c]
    for r in range(rows):
        s[b + r] = s[left + r]
    settle(s, place, rows)
    return following
