"""A spatial ANCF bar hinged at both ends, its inner unknowns condensed to them in a frame that turns with it, compiled.

A hinge gives r and r_z of its node: the place, and the hinge's axis. The other two slopes of the node are free.

| symbol | meaning |
|---|---|
| x = (x_e, x_i) | Newton's correction: of both ends' (r, r_z), 12, and of the bar's other m = 12 elements coordinates |
| S = c_a M + c_v df/dv + df/dq | the bar's share of the iteration, of the straight bar in its own frame; symmetric |
| W = S_ii^-1, Z = W S_ie, C = S_ee - S_ei Z | made once: strains of a stiff bar hardly change S |
| R | axes of the bar's frame: x along the chord, z towards the first node's r_z |

In the frame x_i = W r_i - Z x_e, and the ends are left with r_e - Z^T r_i. All coordinates come in threes, so R turns them three by three.
"""

from __future__ import annotations

import numpy as np

from model.bodies.ancf_beam3d.beam import NODE, Beam
from model.compiled.arrays import fill
from model.compiled.signatures import INDEX, VECTOR, Floats, compiled

ENDS = 12  # r and r_z of the first, then of the last node
SLOPE, LAST, LAST_SLOPE = 3, 6, 9  # places among the ends


def matrices(beam: Beam, c_a: float, c_v: float) -> Floats:
    """W (m, m), Z (m, 12) and C (12, 12) in one row; c_a in 1/s^2, c_v in 1/s. Both 0: of a bar in equilibrium."""
    straight = beam.straight(np.zeros(3), np.eye(3))
    whole = beam.stiffness(straight) + c_v * beam.damping_matrix(straight) + c_a * beam.mass_matrix()
    last = NODE * beam.elements
    ends = np.array([0, 1, 2, 9, 10, 11])
    ends = np.concatenate([ends, last + ends])
    inner = np.setdiff1d(np.arange(beam.coordinates), ends)
    inverse = np.linalg.inv(whole[np.ix_(inner, inner)])
    spread = inverse @ whole[np.ix_(inner, ends)]
    condensed = whole[np.ix_(ends, ends)] - whole[np.ix_(ends, inner)] @ spread
    return np.concatenate([inverse.ravel(), spread.ravel(), condensed.ravel()])


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def join(inner: Floats, ends: Floats, q: Floats) -> int:
    """q, all coordinates of a bar in their order, from the inner ones and those of the ends."""
    m, last = inner.size, q.size - NODE
    for k in range(6):
        q[3 + k], q[last + 3 + k] = inner[k], inner[m - 6 + k]
    for k in range(6, m - 6):
        q[k + 6] = inner[k]
    for k in range(3):
        q[k], q[9 + k], q[last + k], q[last + 9 + k] = ends[k], ends[SLOPE + k], ends[LAST + k], ends[LAST_SLOPE + k]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def part(q: Floats, inner: Floats, ends: Floats) -> int:
    """The reverse of `join`."""
    m, last = inner.size, q.size - NODE
    for k in range(6):
        inner[k], inner[m - 6 + k] = q[3 + k], q[last + 3 + k]
    for k in range(6, m - 6):
        inner[k] = q[k + 6]
    for k in range(3):
        ends[k], ends[SLOPE + k], ends[LAST + k], ends[LAST_SLOPE + k] = q[k], q[9 + k], q[last + k], q[last + 9 + k]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def condense(made: Floats, inner: Floats, ends: Floats) -> int:
    """ends = - Z^T inner, both in the bar's frame."""
    m = inner.size
    spread = made[m * m : m * m + ENDS * m]
    fill(ends, 0.0)
    for k in range(m):
        value = inner[k]
        row = spread[ENDS * k : ENDS * (k + 1)]
        for e in range(ENDS):
            ends[e] -= row[e] * value
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR))
def recover(made: Floats, inner: Floats, ends: Floats, x: Floats) -> int:
    """x = W inner - Z ends, all in the bar's frame."""
    m = inner.size
    fill(x, 0.0)
    for k in range(m):  # W is symmetric: by rows, that neighbours may be added at once
        value = inner[k]
        row = made[m * k : m * (k + 1)]
        for i in range(m):
            x[i] += row[i] * value
    spread = made[m * m : m * m + ENDS * m]
    for k in range(m):
        total = x[k]
        for e in range(ENDS):
            total -= spread[ENDS * k + e] * ends[e]
        x[k] = total
    return 0
