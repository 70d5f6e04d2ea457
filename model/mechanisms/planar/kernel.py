"""Motion of an assembled planar mechanism, compiled once for all of them (tables in model.assembly.layout).

| symbol | unit | meaning |
|---|---|---|
| q, v | m, rad; m/s, rad/s | x, y of the mass centre, angle of each body, their rates; the state is (q, v), then motors' own, rods' |
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
from model.assembly.rods.bending import accelerate_frames, react
from model.assembly.rubbing import AGREED, ROUNDS, drag_all, let_go, renew, show, sticking, touched, unheld
from model.assembly.solving import SINGULAR, along, back, choose, forward, multiply_out, pull, reduce, solve_softly
from model.assembly.touching import approach, gauge, told
from model.compiled.signatures import CHANNELS, GUARDS, INDEX, LAW, REAL, RHS, SWITCH, VECTOR, ContactLaw, Floats, compiled, template
from model.joints import contact

TIRED = 0.1  # of the smallest pivot that the independent set had: then another set is looked for


@compiled(INDEX(VECTOR, VECTOR, REAL, INDEX, INDEX))
def lack(p: Floats, s: Floats, kappa: float, acceleration: int, x: int) -> int:
    """b in the place x: what the accelerations of the loads, at their place, leave to the constraints; 0 in rows that are not held."""
    gap, rate, rest = int(p[at.S_GAP]), int(p[at.S_GAP_RATE]), int(p[at.S_REST])
    for r in range(int(p[at.ROWS])):
        held = s[int(p[at.S_ACTIVE]) + r]
        s[x + r] = -held * (s[rest + r] + kappa * (2.0 * s[rate + r] + kappa * s[gap + r]) + along(p, s, r, acceleration))
    return 0


@template()
def moved(t: float, y: Floats, p: Floats, s: Floats, u: Floats, kappa: float, law: ContactLaw | None) -> float:
    """Accelerations (times the roots of mass and inertia), multipliers and the smallest pivot for the state y, into s."""
    acceleration, x = int(p[at.S_ACCELERATION]), int(p[at.S_MULTIPLIER])
    pose(y, p, s)
    load_all(t, p, s, u, acceleration, law)
    root = int(p[at.S_POSES])
    for place in range(acceleration, acceleration + at.TRIPLE * (int(p[at.BODIES]) + 1), at.TRIPLE):
        s[place] *= s[root + at.ROOT_MASS]
        s[place + 1] *= s[root + at.ROOT_MASS]
        s[place + 2] *= s[root + at.ROOT_INERTIA]
        root += at.POSE_COLUMNS
    if p[at.RODS] > 0.0:
        accelerate_frames(p, s, acceleration, 1.0)
    constrain_all(t, p, s, u)
    drag_all(p, s, acceleration)
    multiply_out(p, s)
    lack(p, s, kappa, acceleration, x)
    least = reduce(0.0, p, s, x)
    passing = int(p[at.S_SINGULAR])
    if least > SINGULAR:
        back(p, s, x)
    else:
        if s[passing + at.HOW_OFTEN] == 0.0 or t - s[passing + at.WHEN] > 1.0 / p[at.STABILISATION]:  # another one, and not its next step
            s[passing + at.HOW_OFTEN] += 1.0
        s[passing + at.WHEN] = t
        lack(p, s, kappa, acceleration, x)
        solve_softly(p, s, x)
    lacking, part = 1.0 if p[at.RUBS] > sticking(p, s) else 0.0, 0.0
    for _ in range(ROUNDS):
        if lacking <= AGREED:
            break
        lacking, part = renew(p, s, acceleration, part)
        lack(p, s, kappa, acceleration, x)
        forward(p, s, x)
        back(p, s, x)
    if not lacking <= AGREED:
        s[x] = math.nan  # which no step survives: a joint that jams
    pull(p, s, x, acceleration)
    show(p, s)
    if p[at.RODS] > 0.0:
        react(p, s, x)
    return least


@compiled(REAL(REAL, VECTOR, VECTOR, VECTOR, VECTOR, REAL, LAW))
def accelerate(t: float, y: Floats, p: Floats, s: Floats, u: Floats, kappa: float, law: ContactLaw) -> float:
    """The same with a law that is handed on, for whoever is not compiled."""
    return float(moved(t, y, p, s, u, kappa, law))


@compiled(RHS.signature)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Time derivative of the state."""
    moved(t, y, p, s, u, p[at.STABILISATION], law)
    speeds, acceleration, root = at.TRIPLE * int(p[at.BODIES]), int(p[at.S_ACCELERATION]), int(p[at.S_POSES])
    for k in range(0, speeds, at.TRIPLE):
        mass, inertia = s[root + at.ROOT_MASS], s[root + at.ROOT_INERTIA]
        dy[k], dy[k + 1], dy[k + 2] = y[speeds + k], y[speeds + k + 1], y[speeds + k + 2]
        dy[speeds + k] = mass * s[acceleration + k]
        dy[speeds + k + 1] = mass * s[acceleration + k + 1]
        dy[speeds + k + 2] = inertia * s[acceleration + k + 2]
        root += at.POSE_COLUMNS
    own = int(p[at.OWN_STATES])
    for k in range(own):
        dy[2 * speeds + k] = s[int(p[at.S_OWN]) + own + k]
    return 0


@compiled(GUARDS.signature)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Contacts; one that only redundant constraints need: the independent set has become nearly dependent; rubs."""
    pose(y, p, s)
    k, contacts = int(p[at.AT_CONTACTS]), int(p[at.CONTACTS])
    for number in range(contacts):
        depth, rate = gauge(p, s, k)
        g[number], g_rate[number] = contact.guard(s, number, depth, rate)
        k += at.C_COLUMNS
    g[contacts], g_rate[contacts] = -1.0, 0.0
    if p[at.REDUNDANT] > 0.0:
        constrain_all(t, p, s, u)
        multiply_out(p, s)
        g[contacts] = TIRED * s[int(p[at.S_PIVOT])] - reduce(0.0, p, s, int(p[at.S_MULTIPLIER]))
    rubs = int(p[at.RUBS])
    if rubs == 0:
        return 0
    if sticking(p, s):
        moved(t, y, p, s, u, p[at.STABILISATION], None)
    else:
        constrain_all(t, p, s, u)
    for n in range(rubs):
        g[contacts + 1 + n], g_rate[contacts + 1 + n] = unheld(p, s, n), 0.0
    return 0


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Open or close a contact (notes its approach speed, m/s, 0 when it opens); or (noting nothing) choose another independent set, let a
    joint stick or slide."""
    pose(y, p, s)
    if k < int(p[at.CONTACTS]):
        columns = int(p[at.AT_CONTACTS]) + at.C_COLUMNS * k
        noted = contact.switch(s, k, approach(p, s, columns)[1], p[columns + at.C_FLOOR])
        if p[at.RUBS] > 0.0:
            constrain_all(t, p, s, u)
            touched(p, s, k)
        return float(noted)
    if k > int(p[at.CONTACTS]):
        moved(t, y, p, s, u, p[at.STABILISATION], None)
        let_go(p, s, k - int(p[at.CONTACTS]) - 1)
        return np.nan
    constrain_all(t, p, s, u)
    choose(p, s)
    multiply_out(p, s)
    s[int(p[at.S_PIVOT])] = reduce(0.0, p, s, int(p[at.S_MULTIPLIER]))
    return np.nan


@compiled(REAL(VECTOR, VECTOR, INDEX, INDEX, INDEX))
def of_point(p: Floats, s: Floats, k: int, code: int, body: int) -> float:
    """A position, speed or acceleration of the point whose columns begin at k; or what its direction has upwards."""
    place = int(p[k + at.L_POSE])
    ex, ey = arm(s, place, p[k + at.P_DIRECTION], p[k + at.P_DIRECTION + 1])
    if code == at.POINT_UP:
        return float(ex * p[at.UP] + ey * p[at.UP_Y])
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
    x = s[triple] * s[place + at.ROOT_MASS] - turn * ay - omega * omega * ax
    y = s[triple + 1] * s[place + at.ROOT_MASS] + turn * ax - omega * omega * ay
    if code == at.POINT_ALONG:
        return float(ex * x + ey * y)
    return float(x if code == at.POINT_AX else y)


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """What the table of channels asks for; constraint forces without what the stabilisation adds."""
    moved(t, y, p, s, u, 0.0, law)
    x = int(p[at.S_MULTIPLIER])
    k = int(p[at.AT_OUTPUTS])
    for n in range(int(p[at.OUTPUTS])):
        code, first, second = int(p[k + at.CODE]), int(p[k + at.FIRST]), int(p[k + at.SECOND])
        if code == at.STATE:
            values[n] = y[first]
        elif code == at.ACCELERATION_OF:
            values[n] = s[int(p[at.S_ACCELERATION]) + first] * s[second]
        elif code <= at.POINT_UP:
            values[n] = of_point(p, s, first, code, second)
        elif code == at.MULTIPLIER:
            values[n] = s[x + first]
        elif code == at.MULTIPLIER_SIZE:
            values[n] = math.sqrt(s[x + first] ** 2 + s[x + first + 1] ** 2)
        elif code == at.ACTUATOR_TORQUE:
            values[n] = s[int(p[at.S_ACTUATORS]) + first]
        elif code == at.IN_POSE:
            values[n] = s[first]
        elif code == at.PULL:
            values[n] = s[int(p[at.S_PULLS]) + first]
        elif code == at.PUSH:
            values[n] = -s[int(p[at.S_PULLS]) + first]
        else:
            values[n] = told(p, s, code, first, second, law)
        k += at.OUTPUT_COLUMNS
    return 0
