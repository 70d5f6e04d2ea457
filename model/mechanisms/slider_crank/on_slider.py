"""Slider-crank whose rod is hinged to the slider by an ideal pin: clearance in the crank's pin, and perhaps in the guide, compiled.

With b = l - s, beta = m_3 b, M = m_3 + m_4, Q the forces on rod and slider: M x'' + beta (phi'' sin phi + phi'^2 cos phi) = Q_x,
M y'' - beta (phi'' cos phi - phi'^2 sin phi) = Q_y, J phi'' + beta (x'' sin phi - y'' cos phi) = Q_phi with J about the hinge;
solved by elimination of x'' and y'', where the terms with phi'^2 cancel unless the guide holds y.
"""

from __future__ import annotations

from typing import NamedTuple

from model.compiled.signatures import CHANNELS, INDEX, RHS, VECTOR, ContactLaw, Floats, compiled
from model.compiled.sincos import sincos
from model.integrators import by_address, loop
from model.integrators.kernels import build_in
from model.integrators.memory import Memory, Method
from model.joints import contact, translational
from model.mechanisms.slider_crank.kernel import (
    CRANK,
    CRANK_INERTIA,
    CRANK_WEIGHT,
    FREEDOMS,
    GRAVITY,
    GUIDE,
    JOINT,
    MOTION,
    PENETRATION,
    PER_J4,
    PHI,
    SWING,
    TORQUE,
    TOTAL,
    TURNING,
    WITH_GUIDE,
    L,
    closed,
    depth,
    guards,
    led,
    pin,
    publish,
    slider,
    steady,
    switch,
)
from model.stepping import inputs


@compiled(MOTION(CRANK, VECTOR, VECTOR, VECTOR), inline=True)
def motion(crank: tuple[float, ...], y: Floats, p: Floats, s: Floats) -> tuple[float, float, float, float, float, float, float, float]:
    """(phi'', x'', y'', psi'', T, F_x, F_y, guide force); guide: sum of N, or the reaction of an ideal one."""
    _, speed, first, ax, ay, _, _ = crank
    turning = y[int(p[FREEDOMS])]
    sine, cosine = sincos(y[PHI])
    x, across, psi, vx, vy, omega = slider(crank, y, p, cosine, sine)
    gx, gy, g_moment, guide = 0.0, 0.0, 0.0, 0.0
    if p[WITH_GUIDE] > 0.0:
        gx, gy, g_moment, guide = translational.loads(across, vx, vy, psi, omega, closed(s), p[GUIDE:])
    fx, fy, m_i, m_j = 0.0, 0.0, 0.0, 0.0
    if contact.touching(s, JOINT):
        ux, uy = p[L] * cosine, p[L] * sine
        pressing, fx, fy, m_i, m_j = pin(
            p, s, ax - x + ux, ay - across + uy, -speed * ay - vx - turning * uy, speed * ax - vy + turning * ux, turning, speed
        )
        fx, fy, m_i, m_j = pressing * fx, pressing * fy, pressing * m_i, pressing * m_j
    torque = ax * fy - ay * fx - m_j + p[CRANK_WEIGHT] * first
    beta, mass, inward = p[SWING], p[TOTAL], turning * turning
    qx, qy = fx + gx, fy + gy - mass * p[GRAVITY]
    q_phi = p[L] * (sine * fx - cosine * fy) + m_i + beta * p[GRAVITY] * cosine
    if p[WITH_GUIDE] > 0.0:
        turn = (q_phi - beta * (sine * qx - cosine * qy) / mass) / (p[TURNING] - beta * beta / mass)
        y_rate = (qy + beta * (turn * cosine - inward * sine)) / mass
    else:
        turn = (q_phi - beta * sine * (qx - beta * inward * cosine) / mass) / (p[TURNING] - beta * beta * sine * sine / mass)
        y_rate = 0.0
        guide = abs(beta * (turn * cosine - inward * sine) + qy)
    x_rate = (qx - beta * (turn * sine + inward * cosine)) / mass
    return turn, x_rate, y_rate, g_moment * p[PER_J4], torque, fx, fy, guide


@compiled(INDEX(CRANK, VECTOR, VECTOR, VECTOR, VECTOR), inline=True)
def moving(crank: tuple[float, ...], y: Floats, dy: Floats, p: Floats, s: Floats) -> int:
    """Time derivative of the state; with a place for it the drive's power."""
    phi, x, across, psi, torque, _, _, _ = motion(crank, y, p, s)
    n = int(p[FREEDOMS])
    dy[0], dy[1] = y[n], y[n + 1]
    dy[n], dy[n + 1] = phi, x
    if n == 4:
        dy[2], dy[3] = y[6], y[7]
        dy[6], dy[7] = across, psi
    if y.size > 2 * n:
        dy[2 * n] = torque * crank[1]
    return 0


@compiled(RHS.signature, built_in=True)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`moving` at constant speed."""
    moving(steady(t, p), y, dy, p, s)
    return 0


@compiled(RHS.signature)
def rhs_driven(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`moving` as the samples turn the crank, whose inertia takes its share of the work."""
    moving(led(t, p, u), y, dy, p, s)
    n = 2 * int(p[FREEDOMS])
    if y.size > n:
        _, omega, alpha = inputs.course(u, t)
        dy[n] += p[CRANK_INERTIA] * alpha * omega
    return 0


@compiled(CHANNELS.signature, built_in=True)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.slider_crank, at constant speed."""
    publish(steady(t, p), y, values, p, motion(steady(t, p), y, p, s))
    if contact.touching(s, JOINT):
        values[PENETRATION] = depth(steady(t, p), y, p)
    return 0


@compiled(CHANNELS.signature)
def channels_driven(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """The same as the samples turn the crank, whose inertia takes its share of the torque."""
    crank = led(t, p, u)
    publish(crank, y, values, p, motion(crank, y, p, s))
    values[TORQUE] += p[CRANK_INERTIA] * inputs.course(u, t)[2]
    if contact.touching(s, JOINT):
        values[PENETRATION] = depth(crank, y, p)
    return 0


class Own(NamedTuple):
    """These functions, built into the solver's loop."""

    law: ContactLaw


build_in(Own, rhs, guards, switch, channels)


@compiled(by_address.ADVANCE)
def advance(
    _rhs: object, _guards: object, _switch: object, _channels: object, law: ContactLaw, method: Method, memory: Memory,
    p: Floats, s: Floats, u: Floats, first: int, out: Floats, low: Floats, high: Floats, events: Floats,
) -> int:  # fmt: skip
    """See model.integrators.loop.advance; the functions are built in, their addresses are not read."""
    return loop.advance(Own(law), method, memory, p, s, u, first, out, low, high, events)
