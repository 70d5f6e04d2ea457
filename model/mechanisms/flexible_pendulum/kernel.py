"""The flexible pendulum for generalised-alpha, compiled: y = (q, v, v', lam), q the bar's coordinates, Phi = r of its first node.

p: the bar's parameters, then its weight (n). lam: the bar's force on the joint, N. The bar's inner unknowns are condensed to its ends in a
frame that turns with it (model.bodies.ancf_beam3d.bar), so that factors made once serve for a long way; `system` is the whole matrix.
s: room of the elements, ends' matrix C (6, 6), that of the tip (3, 3), its row exchanges (3), ends' residual and correction (6), the store.
"""

from __future__ import annotations

from model.bodies.ancf_beam3d.bar import ENDS, add_ends, condense, recover, refresh
from model.bodies.ancf_beam3d.kernel import NODE, ROOM, forces, inertia, masses, tangents
from model.bodies.ancf_beam3d.parameters import PARAMETERS
from model.compiled.arrays import copy, fill
from model.compiled.signatures import CHANNELS, GUARDS, SWITCH, ContactLaw, Floats, compiled
from model.integrators.generalized_alpha_kernel import OK, RESIDUAL, SOLVE, TANGENT, factor, solve

BAR, WEIGHT = 0, PARAMETERS  # places in p
HELD = 3  # constraints, of the coordinates with the same numbers
JOINED, TIP, EXCHANGES, MOVED, STORE = ROOM, ROOM + 36, ROOM + 45, ROOM + 48, ROOM + 54  # places in s


@compiled(RESIDUAL.signature)
def residual(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """M v' - f + Phi_q^T lam, Phi."""
    n = p.size - WEIGHT
    bar, own = p[BAR:WEIGHT], r[:n]
    copy(own, p[WEIGHT:])
    forces(y[:n], y[n : 2 * n], own, bar, s[:ROOM])
    for k in range(n):
        own[k] = -own[k]
    inertia(y[2 * n : 3 * n], own, bar)
    for k in range(HELD):
        own[k] += y[3 * n + k]
        r[n + k] = y[k]
    return 0


@compiled(TANGENT.signature)
def system(t: float, y: Floats, matrix: Floats, c_a: float, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> int:
    """c_a M + c_v C + K, bordered by Phi_q."""
    n = p.size - WEIGHT
    for k in range(matrix.shape[0]):
        fill(matrix[k], 0.0)
    tangents(y[:n], y[n : 2 * n], matrix, p[BAR:WEIGHT], 1.0, c_v, s[:ROOM])
    masses(matrix, c_a, p[BAR:WEIGHT], n)
    for k in range(HELD):
        matrix[n + k, k] = matrix[k, n + k] = 1.0
    return 0


@compiled(TANGENT.signature)
def condensed(t: float, y: Floats, matrix: Floats, c_a: float, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> int:
    """Make the factors of the bar; OK or SINGULAR."""
    n = p.size - WEIGHT
    return int(refresh(y[:n], y[n : 2 * n], c_a, c_v, p[BAR:WEIGHT], s[STORE:], matrix, s[:ROOM]))


@compiled(SOLVE.signature)
def solved(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """Of the ends, the first is where the constraints want it, the last one is free; r becomes the correction."""
    n = p.size - WEIGHT
    store, ends, exchanges = s[STORE:], s[MOVED:STORE], s[EXCHANGES:MOVED]
    joined, tip = s[JOINED:TIP].reshape((ENDS, ENDS)), s[TIP:EXCHANGES].reshape((HELD, HELD))
    condense(y[:n], r[:n], store, ends)
    fill(s[JOINED:TIP], 0.0)
    add_ends(store, n, joined, 0, HELD)
    for i in range(ENDS):
        for j in range(HELD):
            ends[i] -= joined[i, j] * r[n + j]
    for i in range(HELD):
        copy(tip[i], joined[HELD + i, HELD:])
    status = factor(tip, exchanges)
    if status != OK:
        return int(status)
    solve(tip, exchanges, ends[HELD:])
    for i in range(HELD):
        force = ends[i]
        for j in range(HELD):
            force -= joined[i, HELD + j] * ends[HELD + j]
        ends[i] = r[n + i]
        r[n + i] = force
    recover(ends, store, r[:n])
    return OK


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
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Place and velocity of the tip, force of the joint on the bar."""
    n = p.size - WEIGHT
    for i in range(3):
        values[i], values[3 + i], values[6 + i] = y[n - NODE + i], y[2 * n - NODE + i], -y[3 * n + i]
    return 0
