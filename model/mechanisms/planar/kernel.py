"""Motion of an assembled planar mechanism, compiled once for all of them (tables in model.assembly.layout).

| symbol | unit | meaning |
|---|---|---|
| q, v | m, rad; m/s, rad/s | x, y of the mass centre and angle of each body, and their rates; the state is (q, v) |
| M, Q | kg, kg m^2; N, N m | masses and inertias; what acts |
| Phi, J, c | | constraints, Jacobian, Phi'' = J v' + c (model.assembly.constraints) |
| lam | N, N m | constraint forces J^T lam |
| kappa | 1/s | how fast what is violated is taken back |

M v' = Q + J^T lam with A lam = -(c + 2 kappa Phi' + kappa^2 Phi) - J M^-1 Q. On the constraints the added terms vanish, so they change
neither the solution nor the order of a method; off them Phi decays as exp(-kappa t), so that rounding and the error of the steps do not
add up. kappa goes with the mechanism's own pace: 1 to 50 1/s (wang2017 eq 41) is far too weak for a fast one.
"""

from __future__ import annotations

import math

import numpy as np

from model.assembly import layout as at
from model.assembly.constraints import constrain_all
from model.assembly.loads import load_all
from model.assembly.poses import arm, pose
from model.assembly.solving import along, back, choose, multiply_out, pull, reduce
from model.assembly.touching import approach, gauge, told
from model.compiled.signatures import CHANNELS, GUARDS, INDEX, LAW, REAL, RHS, SWITCH, VECTOR, ContactLaw, Floats, compiled
from model.joints import contact

TIRED = 0.1  # of the smallest pivot that the independent set had: then another set is looked for


@compiled(REAL(REAL, VECTOR, VECTOR, VECTOR, REAL, LAW))
def accelerate(t: float, y: Floats, p: Floats, s: Floats, kappa: float, law: ContactLaw) -> float:
    """Accelerations (times the roots of mass and inertia), multipliers and the smallest pivot for the state y, into s."""
    acceleration, x = int(p[at.S_ACCELERATION]), int(p[at.S_MULTIPLIER])
    pose(y, p, s)
    load_all(p, s, acceleration, law)
    root = int(p[at.S_POSES])
    for place in range(acceleration, acceleration + at.TRIPLE * (int(p[at.BODIES]) + 1), at.TRIPLE):
        s[place] *= s[root + at.ROOT_MASS]
        s[place + 1] *= s[root + at.ROOT_MASS]
        s[place + 2] *= s[root + at.ROOT_INERTIA]
        root += at.POSE_COLUMNS
    constrain_all(t, p, s)
    multiply_out(p, s)
    gap, rate, rest = int(p[at.S_GAP]), int(p[at.S_GAP_RATE]), int(p[at.S_REST])
    for r in range(int(p[at.ROWS])):
        s[x + r] = -(s[rest + r] + kappa * (2.0 * s[rate + r] + kappa * s[gap + r])) - along(p, s, r, acceleration)
    least = reduce(p, s, x)
    back(p, s, x)
    pull(p, s, x, acceleration)
    return least


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Time derivative of the state."""
    accelerate(t, y, p, s, p[at.STABILISATION], law)
    speeds, acceleration, root = at.TRIPLE * int(p[at.BODIES]), int(p[at.S_ACCELERATION]), int(p[at.S_POSES])
    for k in range(0, speeds, at.TRIPLE):
        mass, inertia = s[root + at.ROOT_MASS], s[root + at.ROOT_INERTIA]
        dy[k], dy[k + 1], dy[k + 2] = y[speeds + k], y[speeds + k + 1], y[speeds + k + 2]
        dy[speeds + k] = mass * s[acceleration + k]
        dy[speeds + k + 1] = mass * s[acceleration + k + 1]
        dy[speeds + k + 2] = inertia * s[acceleration + k + 2]
        root += at.POSE_COLUMNS
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Contacts; and a last one that only redundant constraints need: the independent set has become nearly dependent."""
    pose(y, p, s)
    k, contacts = int(p[at.AT_CONTACTS]), int(p[at.CONTACTS])
    for number in range(contacts):
        depth, rate = gauge(p, s, k)
        g[number], g_rate[number] = contact.guard(s, number, depth, rate)
        k += at.C_COLUMNS
    g[contacts], g_rate[contacts] = -1.0, 0.0
    if p[at.REDUNDANT] > 0.0:
        constrain_all(t, p, s)
        multiply_out(p, s)
        g[contacts] = TIRED * s[int(p[at.S_PIVOT])] - reduce(p, s, int(p[at.S_MULTIPLIER]))
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Open or close a contact (notes its approach speed, m/s, 0 when it opens); or choose another independent set (notes nothing)."""
    pose(y, p, s)
    if k < int(p[at.CONTACTS]):
        columns = int(p[at.AT_CONTACTS]) + at.C_COLUMNS * k
        return float(contact.switch(s, k, approach(p, s, columns)[1], p[columns + at.C_FLOOR]))
    constrain_all(t, p, s)
    choose(p, s)
    multiply_out(p, s)
    s[int(p[at.S_PIVOT])] = reduce(p, s, int(p[at.S_MULTIPLIER]))
    return np.nan


@compiled(REAL(VECTOR, VECTOR, INDEX, INDEX, INDEX))
def of_point(p: Floats, s: Floats, k: int, code: int, body: int) -> float:
    """A position, speed or acceleration of the point that the load table's columns from k on describe."""
    place = int(p[k + at.L_POSE])
    ax, ay = arm(s, place, p[k + at.L_POINT], p[k + at.L_POINT + 1])
    omega = s[place + at.OMEGA]
    if code == at.POINT_X:
        return float(s[place + at.X] + ax)
    if code == at.POINT_Y:
        return float(s[place + at.Y] + ay)
    if code == at.POINT_VX:
        return float(s[place + at.VX] - omega * ay)
    if code == at.POINT_VY:
        return float(s[place + at.VY] + omega * ax)
    triple = int(p[at.S_ACCELERATION]) + body
    turn = s[triple + 2] * s[place + at.ROOT_INERTIA]
    if code == at.POINT_AX:
        return float(s[triple] * s[place + at.ROOT_MASS] - turn * ay - omega * omega * ax)
    return float(s[triple + 1] * s[place + at.ROOT_MASS] + turn * ax - omega * omega * ay)


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """What the table of channels asks for; constraint forces without what the stabilisation adds."""
    accelerate(t, y, p, s, 0.0, law)
    x = int(p[at.S_MULTIPLIER])
    k = int(p[at.AT_OUTPUTS])
    for n in range(int(p[at.OUTPUTS])):
        code, first, second = int(p[k + at.CODE]), int(p[k + at.FIRST]), int(p[k + at.SECOND])
        if code == at.STATE:
            values[n] = y[first]
        elif code == at.ACCELERATION_OF:
            values[n] = s[int(p[at.S_ACCELERATION]) + first] * s[second]
        elif code <= at.POINT_AY:
            values[n] = of_point(p, s, first, code, second)
        elif code == at.MULTIPLIER:
            values[n] = s[x + first]
        elif code == at.MULTIPLIER_SIZE:
            values[n] = math.sqrt(s[x + first] ** 2 + s[x + first + 1] ** 2)
        else:
            values[n] = told(p, s, code, first, second, law)
        k += at.OUTPUT_COLUMNS
    return 0
