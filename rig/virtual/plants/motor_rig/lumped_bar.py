"""A bar that bends and stretches, as a massless beam between two points that carries three masses: compiled.

| symbol | unit | meaning |
|---|---|---|
| x_0 .. x_4 | m | points at equal distances along the bar: its ends, and the masses |
| c, u | m, 1 | chord x_4 - x_0, and its direction |
| d_j | m | x_j - x_0 - (j/4) c: along the chord s_j, across it the rest |
| N_i | N | pull in each quarter, k (a quarter of abs(c) - L, and what s_j add to it), k = 4 EA/L |
| K | N/m | of the masses across the chord: the inverse of the influence coefficients of a simply supported beam |

Forces are minus the gradient of the energy 1/2 N^2/k + 1/2 d K d by the five points; K and k act on the rates too, times a time constant.
A bar's mass goes on the points by Simpson's rule, so that its inertia is exact while it is straight, and so is its first bending mode's.
Influence coefficients: S. Timoshenko, Strength of Materials, part I, chapter V: b x (L^2 - b^2 - x^2)/(6 L EI) at x from a load at L - b.
"""

from __future__ import annotations

import math

import numpy as np

from model.compiled.signatures import REAL, VECTOR, Floats, compiled

MASSES, QUARTERS = 3, 4
SHARES = (1.0 / 12.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 12.0)
"""Of the bar's mass on its points."""
SPRING, LENGTH, DAMPING, BENDING = range(4)
BAR = BENDING + MASSES**2
"""Parameters of a bar: k in N/m, L in m, time constant in s, K."""
X, V, F, D, D_RATE, S, S_RATE = 0, 15, 30, 45, 54, 63, 66
ROOM = 69
"""Places to compute in: the five points, their rates, the forces on them, then what is across and along the chord."""


def parameters(length: float, axial: float, bending: float, damping: float) -> Floats:
    """(BAR,) of a bar of that length (m), EA (N) and EI (N m^2); damping: time constant, s."""
    p = np.zeros(BAR)
    p[SPRING], p[LENGTH], p[DAMPING] = QUARTERS * axial / length, length, damping
    places = length * np.arange(1, QUARTERS) / QUARTERS
    near, far = np.minimum.outer(places, places), np.maximum.outer(places, places)
    rest = length - far
    p[BENDING:] = np.linalg.inv(rest * near * (length**2 - rest**2 - near**2) / (6.0 * length * bending)).ravel()
    return p


def fastest(mass: float, p: Floats) -> float:
    """Bound of the circular frequencies of a bar of that mass (kg), 1/s: of its lightest point between two quarters."""
    return math.sqrt(4.0 * float(p[SPRING]) / (min(SHARES[1:-1]) * mass))


@compiled(REAL(VECTOR, VECTOR))
def strain(w: Floats, p: Floats) -> float:
    """Forces on the five points into w, from their places and rates there; the power that is lost, W."""
    cx, cy, cz = w[X + 12] - w[X], w[X + 13] - w[X + 1], w[X + 14] - w[X + 2]
    rx, ry, rz = w[V + 12] - w[V], w[V + 13] - w[V + 1], w[V + 14] - w[V + 2]
    span = math.sqrt(cx * cx + cy * cy + cz * cz)
    ux, uy, uz = cx / span, cy / span, cz / span
    for j in range(MASSES):
        share, at = 0.25 * (j + 1), 3 * (j + 1)
        dx, dy, dz = w[X + at] - w[X] - share * cx, w[X + at + 1] - w[X + 1] - share * cy, w[X + at + 2] - w[X + 2] - share * cz
        vx, vy, vz = w[V + at] - w[V] - share * rx, w[V + at + 1] - w[V + 1] - share * ry, w[V + at + 2] - w[V + 2] - share * rz
        s, rate = ux * dx + uy * dy + uz * dz, ux * vx + uy * vy + uz * vz
        w[S + j], w[S_RATE + j] = s, rate
        w[D + 3 * j], w[D + 3 * j + 1], w[D + 3 * j + 2] = dx - s * ux, dy - s * uy, dz - s * uz
        w[D_RATE + 3 * j], w[D_RATE + 3 * j + 1], w[D_RATE + 3 * j + 2] = vx - rate * ux, vy - rate * uy, vz - rate * uz
    stretch, growth = 0.25 * (span - p[LENGTH]), 0.25 * (ux * rx + uy * ry + uz * rz)
    lost = pulls = before = 0.0
    ex = ey = ez = tx = ty = tz = 0.0  # on x_4, and on all
    for i in range(QUARTERS):
        left, left_rate = (w[S + i - 1], w[S_RATE + i - 1]) if i > 0 else (0.0, 0.0)
        right, right_rate = (w[S + i], w[S_RATE + i]) if i < MASSES else (0.0, 0.0)
        rate = growth + right_rate - left_rate
        pull = p[SPRING] * (stretch + right - left + p[DAMPING] * rate)
        lost += p[SPRING] * p[DAMPING] * rate * rate
        pulls += pull
        if i > 0:
            j = i - 1
            apart, share, at = before - pull, 0.25 * i, 3 * i
            gx = gy = gz = 0.0
            for k in range(MASSES):
                stiff = p[BENDING + MASSES * j + k]
                gx += stiff * (w[D + 3 * k] + p[DAMPING] * w[D_RATE + 3 * k])
                gy += stiff * (w[D + 3 * k + 1] + p[DAMPING] * w[D_RATE + 3 * k + 1])
                gz += stiff * (w[D + 3 * k + 2] + p[DAMPING] * w[D_RATE + 3 * k + 2])
                for axis in range(3):
                    lost += p[DAMPING] * stiff * w[D_RATE + 3 * j + axis] * w[D_RATE + 3 * k + axis]
            fx, fy, fz = -apart * ux - gx, -apart * uy - gy, -apart * uz - gz
            w[F + at], w[F + at + 1], w[F + at + 2] = fx, fy, fz
            tx, ty, tz = tx + fx, ty + fy, tz + fz
            s = w[S + j]
            ex -= share * fx + (apart * w[D + 3 * j] - s * gx) / span
            ey -= share * fy + (apart * w[D + 3 * j + 1] - s * gy) / span
            ez -= share * fz + (apart * w[D + 3 * j + 2] - s * gz) / span
        before = pull
    ex, ey, ez = ex - 0.25 * pulls * ux, ey - 0.25 * pulls * uy, ez - 0.25 * pulls * uz
    w[F + 12], w[F + 13], w[F + 14] = ex, ey, ez
    w[F], w[F + 1], w[F + 2] = -ex - tx, -ey - ty, -ez - tz
    return lost


def stored(points: Floats, p: Floats) -> float:
    """Energy of the strained bar, J; points (5, 3), m."""
    chord = points[-1] - points[0]
    span = float(np.linalg.norm(chord))
    u = chord / span
    d = points[1:-1] - points[0] - np.outer(np.arange(1, QUARTERS) / QUARTERS, chord)
    s = d @ u
    across = d - np.outer(s, u)
    parts = np.diff(np.concatenate([[0.0], s, [0.0]])) + (span - p[LENGTH]) / QUARTERS
    bent = float(np.sum(across * (p[BENDING:].reshape(MASSES, MASSES) @ across)))
    return 0.5 * (float(p[SPRING]) * float(parts @ parts) + bent)
