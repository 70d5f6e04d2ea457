"""Stresses and tangent moduli of Green's strains at a point of a spatial ANCF beam, compiled.

| symbol | unit | meaning |
|---|---|---|
| r = (r_x, r_y, r_z) | 1 | position gradient, 9: component i of r_a at 3 a + i |
| E_ab = (r_a.r_b - delta_ab)/2 | 1 | Green strain |
| S_ab | Pa | second Piola-Kirchhoff stress: S_aa = sum D_ac E_cc, S_ab = 2 G_ab E_ab |
| u = r + 2 beta r' | 1 | puts Kelvin-Voigt damping into any quadratic strain: E + beta E' = (r_a.u_b + u_a.r_b)/4 - delta_ab/2 |
| t | 1 | c_k (r + beta r') + c_d beta r: c_k dE + c_d (dE/dr') = r_a.dt_b ... : the second factor of the tangent |

Since only dot products enter, a rigid rotation of the bar changes no strain.
"""

from __future__ import annotations

from numba import types

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled

STRESS = types.UniTuple(REAL, 6)  # type: ignore[no-untyped-call]
MODULI = 9  # D, then G


@compiled(REAL(VECTOR, VECTOR, INDEX, INDEX), built_in=True)
def dot(r: Floats, u: Floats, a: int, b: int) -> float:
    """r_a . u_b."""
    return float(r[3 * a] * u[3 * b] + r[3 * a + 1] * u[3 * b + 1] + r[3 * a + 2] * u[3 * b + 2])


@compiled(STRESS(VECTOR, VECTOR, VECTOR), built_in=True)
def stress(r: Floats, u: Floats, law: Floats) -> tuple[float, float, float, float, float, float]:
    """S_xx, S_yy, S_zz, S_xy, S_xz, S_yz."""
    xx, yy, zz = 0.5 * dot(r, u, 0, 0) - 0.5, 0.5 * dot(r, u, 1, 1) - 0.5, 0.5 * dot(r, u, 2, 2) - 0.5
    xy, xz = 0.5 * (dot(r, u, 0, 1) + dot(r, u, 1, 0)), 0.5 * (dot(r, u, 0, 2) + dot(r, u, 2, 0))
    yz = 0.5 * (dot(r, u, 1, 2) + dot(r, u, 2, 1))
    return (
        law[0] * xx + law[1] * yy + law[2] * zz,
        law[3] * xx + law[4] * yy + law[5] * zz,
        law[6] * xx + law[7] * yy + law[8] * zz,
        law[MODULI + 1] * xy,
        law[MODULI + 2] * xz,
        law[MODULI + 5] * yz,
    )


@compiled(INDEX(VECTOR, VECTOR, VECTOR, REAL, VECTOR), built_in=True)
def pull(r: Floats, u: Floats, law: Floats, weight: float, into: Floats) -> int:
    """into += weight dW/dr (9): sum over b of S_ab r_b."""
    xx, yy, zz, xy, xz, yz = stress(r, u, law)
    for i in range(3):
        x, y, z = weight * r[i], weight * r[3 + i], weight * r[6 + i]
        into[i] += xx * x + xy * y + xz * z
        into[3 + i] += xy * x + yy * y + yz * z
        into[6 + i] += xz * x + yz * y + zz * z
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR, REAL, REAL, VECTOR))
def moduli(r: Floats, u: Floats, t: Floats, law: Floats, stiffness: float, weight: float, into: Floats) -> int:
    """into += weight times the change of `pull` with r, (9, 9) by rows."""
    s = stress(r, u, law)
    for a in range(3):
        for c in range(3):
            d, g = weight * law[3 * a + c], weight * law[MODULI + 3 * a + c]
            own = weight * stiffness * (s[a] if a == c else s[a + c + 2])
            for i in range(3):
                row = 27 * a + 9 * i + 3 * c
                along, across = d * r[3 * a + i], g * r[3 * c + i]
                for j in range(3):
                    into[row + j] += along * t[3 * c + j] + across * t[3 * a + j]
                into[row + i] += own
        for b in range(3):
            g = weight * law[MODULI + 3 * a + b]
            for i in range(3):
                for j in range(3):
                    into[27 * a + 9 * i + 3 * a + j] += g * r[3 * b + i] * t[3 * b + j]
    return 0
