"""The flexible slider-crank with its ideal joints as constraints, for generalised-alpha, compiled (wang2017 eqs 39-40).

Coordinates as in model.mechanisms.slider_crank_flexible.kernel. Phi, with its multipliers, in this order: node 0 on the crank pin (2), the
last node on the slider's centre (2), the slider in the middle of the guide, not turned (2); those of a joint with clearance fall away.
r = M v' - f + Phi_q^T lam; M v' is written out element by element, not by the factored matrix of the minimal coordinates.
"""

from __future__ import annotations

import math

from model.bodies.ancf_beam2d.kernel import ELEMENT, NODE, TANGENT_WORK, tangent
from model.compiled.arrays import fill
from model.compiled.signatures import CHANNELS, INDEX, LAW, REAL, TABLE, VECTOR, ContactLaw, Floats, compiled
from model.integrators.generalized_alpha_kernel import RESIDUAL, TANGENT
from model.mechanisms.slider_crank_flexible.kernel import (
    ACCELERATION,
    BEAM,
    CHANNEL_COUNT,
    CORNERED,
    CRANK,
    CRANK_ANGLE,
    CRANK_INERTIA,
    CRANK_ROD,
    CRANK_WEIGHT,
    ELEMENT_MASS,
    GUIDE,
    GUIDE_FORCE,
    JOINT_FORCE,
    NONE,
    PENETRATION,
    PHI,
    PIN,
    POSITION,
    ROD_SLIDER,
    ROOM,
    SLIDER,
    SLIDER_INERTIA,
    SLIDER_MASS,
    TORQUE,
    VELOCITY,
    X,
    Y,
    guide_loads,
    load,
    pin_force,
    pin_gap,
    rod_size,
    turned,
)

LENGTH = 3  # place of an element's length in the beam's parameters
SHIFT = 1e-10  # m: of a coordinate for the slope of the contact forces
MEAN = 420.0  # of the element's consistent mass matrix
MASSES = ((156.0, 22.0, 54.0, -13.0), (22.0, 4.0, 13.0, -3.0), (54.0, 13.0, 156.0, -22.0), (-13.0, -3.0, -22.0, 4.0))


@compiled(REAL(INDEX, INDEX, VECTOR))
def mass(i: int, j: int, p: Floats) -> float:
    """Of an element, between its shape functions i and j: kg, kg m, kg m^2."""
    value = p[ELEMENT_MASS] / MEAN * MASSES[i][j]
    if i % 2 == 1:
        value *= p[BEAM + LENGTH]
    return float(value * p[BEAM + LENGTH] if j % 2 == 1 else value)


@compiled(INDEX(VECTOR))
def count_constraints(p: Floats) -> int:
    """m."""
    return 2 * (int(p[PIN] != CRANK_ROD) + int(p[PIN] != ROD_SLIDER) + int(p[GUIDE] == 0.0))


@compiled(RESIDUAL.signature)
def residual(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
    """Equations of motion, then constraints."""
    size = rod_size(p)
    n = size + SLIDER
    a, lam = y[2 * n : 3 * n], y[3 * n :]
    load(t, y, p, s, r[:n], law)
    for k in range(n):
        r[k] = -r[k]
    for at in range(0, size - NODE, NODE):
        for i in range(ELEMENT // 2):
            for j in range(ELEMENT // 2):
                m = mass(i, j, p)
                r[at + 2 * i] += m * a[at + 2 * j]
                r[at + 2 * i + 1] += m * a[at + 2 * j + 1]
    r[size + X] += p[SLIDER_MASS] * a[size + X]
    r[size + Y] += p[SLIDER_MASS] * a[size + Y]
    r[size + PHI] += p[SLIDER_INERTIA] * a[size + PHI]
    row = 0
    if p[PIN] != CRANK_ROD:
        angle = turned(t, p)[0]
        r[n] = y[0] - p[CRANK] * math.cos(angle)
        r[n + 1] = y[1] - p[CRANK] * math.sin(angle)
        r[0] += lam[0]
        r[1] += lam[1]
        row = 2
    if p[PIN] != ROD_SLIDER:
        for d in range(2):
            r[n + row + d] = y[size - NODE + d] - y[size + d]
            r[size - NODE + d] += lam[row + d]
            r[size + d] -= lam[row + d]
        row += 2
    if p[GUIDE] == 0.0:
        for d in range(2):
            r[n + row + d] = y[size + Y + d]
            r[size + Y + d] += lam[row + d]
    return 0


@compiled(INDEX(REAL, VECTOR, TABLE, REAL, VECTOR, VECTOR, LAW, INDEX))
def contact_column(t: float, y: Floats, matrix: Floats, c_v: float, p: Floats, s: Floats, law: ContactLaw, k: int) -> int:
    """Subtract the slope of the forces in pin and guide for coordinate k, by a difference; beside them nothing is computed."""
    size = rod_size(p)
    n = size + SLIDER
    at = 0 if p[PIN] == CRANK_ROD else size - NODE
    f, shift = s[ROOM : ROOM + n], SHIFT if k >= size or k % NODE < 2 else SHIFT / p[BEAM + LENGTH]
    position, speed = y[k], y[n + k]
    for side in range(2):
        sign = -1.0 / shift if side == 0 else 1.0 / shift
        if side == 1:
            y[k] = position + shift
            y[n + k] = speed + c_v * shift
        fill(f, 0.0)
        fx, fy, journal = pin_force(t, y, p, s, f[:size], law)
        ux, uy, moment, _ = guide_loads(y, p, s)
        for i in range(NODE):
            matrix[at + i, k] -= sign * f[at + i]
        if p[PIN] == ROD_SLIDER:
            ux, uy, moment = ux + fx, uy + fy, moment + journal
        matrix[size + X, k] -= sign * ux
        matrix[size + Y, k] -= sign * uy
        matrix[size + PHI, k] -= sign * moment
    y[k], y[n + k] = position, speed
    return 0


@compiled(INDEX(VECTOR, TABLE))
def bind(p: Floats, matrix: Floats) -> int:
    """Write Phi_q and its transpose."""
    size = rod_size(p)
    row = size + SLIDER
    for d in range(2):
        if p[PIN] != CRANK_ROD:
            matrix[row, d] = matrix[d, row] = 1.0
            row += 1
    for d in range(2):
        if p[PIN] != ROD_SLIDER:
            matrix[row, size - NODE + d] = matrix[size - NODE + d, row] = 1.0
            matrix[row, size + d] = matrix[size + d, row] = -1.0
            row += 1
    for d in range(2):
        if p[GUIDE] == 0.0:
            matrix[row, size + Y + d] = matrix[size + Y + d, row] = 1.0
            row += 1
    return 0


@compiled(TANGENT.signature)
def system(t: float, y: Floats, matrix: Floats, c_a: float, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> int:
    """c_a M + c_v C + K, bordered by Phi_q."""
    size = rod_size(p)
    n = size + SLIDER
    for i in range(matrix.shape[0]):
        fill(matrix[i], 0.0)
    room = s[ROOM : ROOM + TANGENT_WORK * ELEMENT].reshape((TANGENT_WORK, ELEMENT))
    for at in range(0, size - NODE, NODE):
        tangent(y, y[n:], at, matrix, at, p[BEAM:CORNERED], 1.0, c_v, room)
        for i in range(ELEMENT):
            for j in range(i % 2, ELEMENT, 2):
                matrix[at + i, at + j] += c_a * mass(i // 2, j // 2, p)
    matrix[size + X, size + X] += c_a * p[SLIDER_MASS]
    matrix[size + Y, size + Y] += c_a * p[SLIDER_MASS]
    matrix[size + PHI, size + PHI] += c_a * p[SLIDER_INERTIA]
    bind(p, matrix)
    if p[PIN] != NONE or p[GUIDE] != 0.0:
        at = 0 if p[PIN] == CRANK_ROD else size - NODE
        for k in range(NODE):
            contact_column(t, y, matrix, c_v, p, s, law, at + k)
        for k in range(SLIDER):
            contact_column(t, y, matrix, c_v, p, s, law, size + k)
    return 0


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.slider_crank_flexible, from the multipliers."""
    size = rod_size(p)
    n = size + SLIDER
    lam = y[3 * n :]
    angle, _, change = turned(t, p)
    faces = guide_loads(y, p, s)
    fx, fy, journal = pin_force(t, y, p, s, s[ROOM : ROOM + n], law)
    values[CRANK_ANGLE], values[POSITION], values[VELOCITY] = angle, y[size + X], y[n + size + X]
    values[ACCELERATION] = y[2 * n + size + X]
    values[PENETRATION] = 0.0 if p[PIN] == NONE else max(0.0, pin_gap(t, y, p)[0])
    values[GUIDE_FORCE] = abs(lam[lam.size - 2]) if p[GUIDE] == 0.0 else faces[3]
    if p[PIN] == NONE:
        fx, fy = lam[2], lam[3]
    values[JOINT_FORCE] = math.sqrt(fx * fx + fy * fy)
    if p[PIN] != CRANK_ROD:
        fx, fy, journal = lam[0], lam[1], 0.0
    values[TORQUE] = p[CRANK] * (math.sin(angle) * fx - math.cos(angle) * fy) - journal + p[CRANK_WEIGHT] * math.cos(angle)
    values[TORQUE] += p[CRANK_INERTIA] * change
    return CHANNEL_COUNT
