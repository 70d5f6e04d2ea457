"""Constraint forces in a singular pose for generated equations, compiled once: as model.assembly.solving has it, for a full matrix."""

from __future__ import annotations

from model.assembly.solving import AGAIN, SOFT
from model.compiled.signatures import INDEX, VECTOR, Floats, compiled


def room(rows: int) -> int:
    """Places that `solve_softly` works in."""
    return rows * rows + 3 * rows


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
def solve_softly(s: Floats, place: int, rows: int) -> int:
    """lam in the place of b. From `place` on s holds S (rows, rows), whose lower half counts, b (rows,), room, each one's measure."""
    b, left, diagonal = place + rows * rows, place + rows * rows + rows, place + rows * rows + 2 * rows
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
