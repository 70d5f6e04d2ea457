"""The flexible pendulum for generalised-alpha, compiled: y = (q, v, v', lam), q the bar's coordinates, Phi = r of its first node.

p: the bar's parameters, then its weight (n); s: room that the bar's elements work in. lam: the bar's force on the joint, N.
"""

from __future__ import annotations

from typing import Any

from model.arrays import copy, fill
from model.bodies.ancf_beam3d_kernel import NODE, forces, inertia, masses, tangents
from model.bodies.ancf_beam3d_parameters import PARAMETERS
from model.integrators.generalized_alpha_kernel import RESIDUAL, TANGENT
from model.signatures import CHANNELS, GUARDS, SWITCH, Floats, compiled

HELD = 3  # constraints, of the coordinates with the same numbers


@compiled(RESIDUAL.signature)
def residual(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: Any) -> int:
    """M v' - f + Phi_q^T lam, Phi."""
    n = p.size - PARAMETERS
    bar, own = p[:PARAMETERS], r[:n]
    copy(own, p[PARAMETERS:])
    forces(y[:n], y[n : 2 * n], own, bar, s)
    for k in range(n):
        own[k] = -own[k]
    inertia(y[2 * n : 3 * n], own, bar)
    for k in range(HELD):
        own[k] += y[3 * n + k]
        r[n + k] = y[k]
    return 0


@compiled(TANGENT.signature)
def system(t: float, y: Floats, matrix: Floats, c_a: float, c_v: float, p: Floats, s: Floats, law: Any) -> int:
    """c_a M + c_v C + K, bordered by Phi_q."""
    n = p.size - PARAMETERS
    for k in range(matrix.shape[0]):
        fill(matrix[k], 0.0)
    tangents(y[:n], y[n : 2 * n], matrix, p[:PARAMETERS], 1.0, c_v, s)
    masses(matrix, c_a, p[:PARAMETERS], n)
    for k in range(HELD):
        matrix[n + k, k] = matrix[k, n + k] = 1.0
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Nothing ever begins or ends."""
    fill(g, -1.0)
    fill(g_rate, 0.0)
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Never asked for."""
    return 0.0


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: Any) -> int:
    """Place and velocity of the tip, force of the joint on the bar."""
    n = p.size - PARAMETERS
    for i in range(3):
        values[i], values[3 + i], values[6 + i] = y[n - NODE + i], y[2 * n - NODE + i], -y[3 * n + i]
    return 0
