"""What the slider-crank's equations of motion have in common, compiled: layout, crank, contacts, guards (wang2017, corrected).

| symbol | unit | meaning |
|---|---|---|
| theta = omega t | rad | crank, A = r (cos theta, sin theta) its pin; led by samples theta = u and omega = u', alpha = u'' |
| phi; u, n | rad; 1 | rod; along it, from crank pin to slider pin, and across |
| x, y, psi | m, m, rad | slider's mass centre, where its pin is, and its angle |
| q | | phi and x with an ideal guide; phi and psi with an ideal pin; else all four; the state is (q, q'), then perhaps the drive's work |
| g = A + l u - (x, y) | m | from the slider's pin to where the rod would put it: with clearance, the pin's eccentricity or its negative |
| F | N | force of the contact on the rod, which holds the bearing |
| T | N m | torque on the crank |

What the crank does is one tuple, CRANK: `steady` at constant speed, `led` as the input samples have it. All else is there once, for both;
in the right-hand side the tuple is made where it is used, and again elsewhere, since what crosses a branch is not rounded once with a
product.

The pin's guard is (|g|^2 - c^2)/2c, which has the sign of the penetration and is smooth where the journal is centred.
"""

from __future__ import annotations

import math

from numba import types

from model.compiled.signatures import GUARDS, INDEX, REAL, SWITCH, VECTOR, Floats, compiled
from model.compiled.sincos import sincos
from model.contact.force import force
from model.friction import velocity_window
from model.joints import contact, revolute, translational
from model.stepping import inputs

# Parameters p. SWING, TURNING: first and second moment of what turns with the rod about its hinge (that is the rod, and with an ideal pin
# the slider too), TOTAL: its mass, and the slider's where it moves along; SIGN: eccentricity = SIGN g; those of the guide come last.
(
    SPEED, R, L, S, M3, J3, M4, PER_M4, PER_J4, CRANK_WEIGHT, GRAVITY, SWING, TURNING, PER_TURNING, TOTAL, CLEARANCE, RADIUS_I, RADIUS_J,
    V_FLOOR, SIGN, FREEDOMS, WITH_PIN, WITH_GUIDE, FRICTION, GUIDE,
) = (*range(24), 23 + velocity_window.PARAMETERS)  # fmt: skip
CRANK_INERTIA = GUIDE + translational.PARAMETERS  # about its bearing, kg m^2
HINGED_TO_SLIDER = CRANK_INERTIA + 1  # 1 where the rod's ideal pin is that of the slider, else 0
PARAMETERS = HINGED_TO_SLIDER + 1
JOINT, GUARD_COUNT = 0, 1 + translational.CORNERS  # the corners' contacts follow that of the pin
PHI, X, Y, PSI = range(4)  # places in q; with an ideal pin psi is at 1
CRANK_ANGLE, TORQUE, POSITION, VELOCITY, PENETRATION, JOINT_FORCE, GUIDE_FORCE, ACCELERATION, CHANNEL_COUNT = range(9)

SIX = types.UniTuple(REAL, 6)  # type: ignore[no-untyped-call]
FIVE = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
FOUR = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]
MOTION = types.UniTuple(REAL, 8)  # type: ignore[no-untyped-call]
CRANK = types.UniTuple(REAL, 7)  # type: ignore[no-untyped-call]


@compiled(CRANK(REAL, VECTOR), inline=True)
def steady(t: float, p: Floats) -> tuple[float, float, float, float, float, float, float]:
    """(theta, omega, cos theta, A, A'' with gravity added) at constant speed."""
    theta, omega = p[SPEED] * t, p[SPEED]
    second, first = sincos(theta)
    ax, ay, square = p[R] * first, p[R] * second, omega * omega
    return theta, omega, first, ax, ay, -square * ax, p[GRAVITY] - square * ay


@compiled(CRANK(REAL, VECTOR, VECTOR), inline=True)
def led(t: float, p: Floats, u: Floats) -> tuple[float, float, float, float, float, float, float]:
    """The same as the samples turn the crank."""
    theta, omega, alpha = inputs.course(u, t)
    second, first = sincos(theta)
    ax, ay, square = p[R] * first, p[R] * second, omega * omega
    return theta, omega, first, ax, ay, -square * ax - alpha * ay, p[GRAVITY] - square * ay + alpha * ax


@compiled(SIX(CRANK, VECTOR, VECTOR, REAL, REAL), inline=True)
def slider(crank: tuple[float, ...], y: Floats, p: Floats, c: float, s: float) -> tuple[float, float, float, float, float, float]:
    """(x, y, psi, x', y', psi') from the crank, the state and cos phi, sin phi."""
    omega, ax, ay = crank[1], crank[3], crank[4]
    if p[WITH_PIN] == 0.0:
        x, across = ax + p[L] * c, ay + p[L] * s
        turning = p[L] * y[2]
        return x, across, y[1], -omega * ay - turning * s, omega * ax + turning * c, y[3]
    if p[WITH_GUIDE] == 0.0:
        return y[X], 0.0, 0.0, y[2 + X], 0.0, 0.0
    return y[X], y[Y], y[PSI], y[4 + X], y[4 + Y], y[4 + PSI]


@compiled(FIVE(VECTOR, VECTOR, REAL, REAL, REAL, REAL, REAL, REAL), inline=True)
def pin(
    p: Floats, s: Floats, gx: float, gy: float, gx_rate: float, gy_rate: float, omega_i: float, omega_j: float
) -> tuple[float, float, float, float, float]:
    """(N, F_x/N, F_y/N, m_i/N, m_j/N): contact of the pin on the rod, moments of its friction on the rod and on what holds the journal.

    By the newton, for N takes two roots, one after the other, and all else can be ready before.
    """
    depth, rate, nx, ny, sliding = revolute.approach(gx, gy, gx_rate, gy_rate, omega_i, omega_j, p[RADIUS_I], p[RADIUS_J])
    pressing = force(depth, rate, s[: contact.EACH])
    nx, ny = p[SIGN] * nx, p[SIGN] * ny
    if p[FRICTION] == 0.0:
        return pressing, nx, ny, 0.0, 0.0
    tangential = velocity_window.force(sliding, 1.0, p[FRICTION:GUIDE])
    fx, fy, m_i, m_j = revolute.loads(nx, ny, 1.0, tangential, p[RADIUS_I], p[RADIUS_J])
    return pressing, fx, fy, m_i, m_j


@compiled(INDEX(VECTOR))
def closed(s: Floats) -> int:
    """The corners that count as closed, as bits."""
    found = 0
    for k in range(translational.CORNERS):
        found |= contact.touching(s, 1 + k) << k
    return found


@compiled(FOUR(CRANK, VECTOR, VECTOR, REAL, REAL), inline=True)
def gap(crank: tuple[float, ...], y: Floats, p: Floats, cosine: float, sine: float) -> tuple[float, float, float, float]:
    """g and its rate from the crank, the state and cos phi, sin phi."""
    omega, ax, ay = crank[1], crank[3], crank[4]
    rate = y[int(p[FREEDOMS])]
    ux, uy = p[L] * cosine, p[L] * sine
    if p[WITH_GUIDE] == 0.0:
        return ax - y[X] + ux, ay + uy, -omega * ay - y[2 + X] - rate * uy, omega * ax + rate * ux
    return ax - y[X] + ux, ay - y[Y] + uy, -omega * ay - y[4 + X] - rate * uy, omega * ax - y[4 + Y] + rate * ux


@compiled(INDEX(CRANK, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR), inline=True)
def judge_pin(crank: tuple[float, ...], y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats) -> int:
    """Guard of the pin."""
    sine, cosine = sincos(y[PHI])
    gx, gy, gx_rate, gy_rate = gap(crank, y, p, cosine, sine)
    c = p[CLEARANCE]
    g[JOINT], g_rate[JOINT] = contact.guard(s, JOINT, 0.5 * (gx * gx + gy * gy - c * c) / c, (gx * gx_rate + gy * gy_rate) / c)
    return 0


@compiled(INDEX(CRANK, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR), inline=True)
def judge_corners(crank: tuple[float, ...], y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats) -> int:
    """Guards of the slider's corners."""
    sine, cosine = sincos(y[PHI])
    _, across, psi, vx, vy, omega = slider(crank, y, p, cosine, sine)
    sine, cosine = sincos(psi)
    for k in range(translational.CORNERS):
        depth, rate, _, _, _ = translational.corner(k, across, vx, vy, sine, cosine, omega, p[GUIDE:])
        g[1 + k], g_rate[1 + k] = contact.guard(s, 1 + k, depth, rate)
    return 0


@compiled(GUARDS.signature, built_in=True)
def guards(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Pin and corners at constant speed."""
    g[JOINT], g_rate[JOINT] = -1.0, 0.0
    if p[WITH_PIN] > 0.0:
        judge_pin(steady(t, p), y, g, g_rate, p, s)
    if p[WITH_GUIDE] > 0.0:
        judge_corners(steady(t, p), y, g, g_rate, p, s)
    return 0


@compiled(GUARDS.signature)
def guards_driven(t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """The same as the samples turn the crank."""
    g[JOINT], g_rate[JOINT] = -1.0, 0.0
    crank = led(t, p, u)
    if p[WITH_PIN] > 0.0:
        judge_pin(crank, y, g, g_rate, p, s)
    if p[WITH_GUIDE] > 0.0:
        judge_corners(crank, y, g, g_rate, p, s)
    return 0


@compiled(REAL(INDEX, CRANK, VECTOR, VECTOR, VECTOR))
def change(k: int, crank: tuple[float, ...], y: Floats, p: Floats, s: Floats) -> float:
    """Open or close a contact; notes its approach speed, m/s, 0 when it opens."""
    sine, cosine = sincos(y[PHI])
    if k == JOINT:
        gx, gy, gx_rate, gy_rate = gap(crank, y, p, cosine, sine)
        return float(contact.switch(s, JOINT, (gx * gx_rate + gy * gy_rate) / math.sqrt(gx * gx + gy * gy), p[V_FLOOR]))
    _, across, psi, vx, vy, omega = slider(crank, y, p, cosine, sine)
    sine, cosine = sincos(psi)
    rate = translational.corner(k - 1, across, vx, vy, sine, cosine, omega, p[GUIDE:])[1]
    return float(contact.switch(s, k, rate, p[V_FLOOR]))


@compiled(SWITCH.signature)
def switch(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """`change` at constant speed."""
    return float(change(k, steady(t, p), y, p, s))


@compiled(SWITCH.signature)
def switch_driven(k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """`change` as the samples turn the crank."""
    return float(change(k, led(t, p, u), y, p, s))


@compiled(INDEX(CRANK, VECTOR, VECTOR, VECTOR, VECTOR, REAL, REAL, MOTION), inline=True)
def publish(
    crank: tuple[float, ...], y: Floats, values: Floats, p: Floats, s: Floats, cosine: float, sine: float, motion: tuple[float, ...]
) -> int:
    """CHANNELS of model.mechanisms.slider_crank from the state, cos phi, sin phi and what the hinge's `motion` gives."""
    x, _, _, vx, _, _ = slider(crank, y, p, cosine, sine)
    values[CRANK_ANGLE], values[TORQUE], values[POSITION], values[VELOCITY] = crank[0], motion[4], x, vx
    values[JOINT_FORCE], values[GUIDE_FORCE] = math.sqrt(motion[5] ** 2 + motion[6] ** 2), motion[7]
    values[ACCELERATION], values[PENETRATION] = motion[1], 0.0
    if contact.touching(s, JOINT):
        gx, gy, _, _ = gap(crank, y, p, cosine, sine)
        values[PENETRATION] = max(0.0, math.sqrt(gx * gx + gy * gy) - p[CLEARANCE])
    return 0
