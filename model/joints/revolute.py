"""Revolute joint with clearance: a journal (body j) in a bearing (body i), in the plane, compiled (wang2017 eqs 1-8, eq 6 corrected).

| symbol | unit | meaning |
|---|---|---|
| e = r_j - r_i | m | eccentricity: centre of the journal from the centre of the bearing |
| c = R_i - R_j | m | radial clearance |
| n = e/abs(e), t | 1 | normal, from bearing towards journal; t is n turned by +90 degrees |
| delta = abs(e) - c | m | penetration, negative while apart |
| v_t | m/s | sliding speed of the journal's contact point against the bearing's: e'.t + omega_j R_j - omega_i R_i |
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import REAL, compiled

QUANTITIES = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
LOADS = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]
CENTRED = 1e-15  # m: eccentricity without a direction


@compiled(QUANTITIES(REAL, REAL, REAL, REAL, REAL, REAL, REAL, REAL), inline=True)
def approach(
    ex: float, ey: float, ex_rate: float, ey_rate: float, omega_i: float, omega_j: float, radius_i: float, radius_j: float
) -> tuple[float, float, float, float, float]:
    """(delta, delta', n_x, n_y, v_t) from eccentricity, its rate, angular speeds (rad/s) and radii (m). Centred: n is +x."""
    square = ex * ex + ey * ey
    distance = math.sqrt(square)
    shorten = distance * (1.0 / square)  # root and quotient at the same time; one after the other they take twice as long
    nx, ny = (ex * shorten, ey * shorten) if distance > CENTRED else (1.0, 0.0)
    rate = ex_rate * nx + ey_rate * ny
    sliding = -ex_rate * ny + ey_rate * nx + omega_j * radius_j - omega_i * radius_i
    return distance - (radius_i - radius_j), rate, nx, ny, sliding


@compiled(LOADS(REAL, REAL, REAL, REAL, REAL, REAL), inline=True)
def loads(nx: float, ny: float, normal: float, tangential: float, radius_i: float, radius_j: float) -> tuple[float, float, float, float]:
    """(f_x, f_y, m_i, m_j): force on the bearing at its centre, on the journal its opposite, and moments about each one's own centre.

    normal: N >= 0, pressing the journal outwards against the bearing; tangential: friction on the journal along t (N), negative where
    v_t > 0 (a FRICTION function's value). The power of the moments and the force is exactly tangential * v_t + normal * -delta'.
    """
    return normal * nx + tangential * ny, normal * ny - tangential * nx, -tangential * radius_i, tangential * radius_j


def radii(bearing: float, clearance: float) -> tuple[float, float]:
    """(R_i, R_j) for a bearing of that radius, m. Raises ValueError for a clearance that is not between 0 and the radius."""
    if not 0.0 <= clearance < bearing:
        raise ValueError(f"clearance: expected at least 0 and less than the bearing's radius, {bearing:g} m; got {clearance:g} m")
    return bearing, bearing - clearance
