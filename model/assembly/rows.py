"""Where a constraint's row stands in s, compiled: what is violated, its rate, what is left of the second derivative, the Jacobian."""

from __future__ import annotations

from model.assembly import layout as at
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled

NOTED = INDEX(VECTOR, VECTOR, INDEX, REAL, REAL, REAL)
TRIPLES = INDEX(VECTOR, INDEX, INDEX, INDEX, REAL, REAL, REAL, REAL)


@compiled(NOTED)
def note(p: Floats, s: Floats, row: int, gap: float, gap_rate: float, rest: float) -> int:
    """Phi, Phi' and c of a row; returns the place of its triples."""
    s[int(p[at.S_GAP]) + row] = gap
    s[int(p[at.S_GAP_RATE]) + row] = gap_rate
    s[int(p[at.S_REST]) + row] = rest
    return int(p[at.S_JACOBIAN]) + 2 * at.TRIPLE * row


@compiled(TRIPLES)
def triples(s: Floats, place: int, i: int, j: int, ex: float, ey: float, turn_i: float, turn_j: float) -> int:
    """The row -e, turn_i for body i and e, turn_j for body j, divided by the roots of mass and inertia."""
    root_i, root_j = s[i + at.ROOT_MASS], s[j + at.ROOT_MASS]
    s[place], s[place + 1], s[place + 2] = -ex * root_i, -ey * root_i, turn_i * s[i + at.ROOT_INERTIA]
    s[place + 3], s[place + 4], s[place + 5] = ex * root_j, ey * root_j, turn_j * s[j + at.ROOT_INERTIA]
    return 0
