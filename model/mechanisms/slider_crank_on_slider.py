"""Slider-crank whose rod is hinged to the slider by an ideal pin: clearance in the crank's pin, and perhaps in the guide, compiled.

With b = l - s, beta = m_3 b, M = m_3 + m_4, Q the forces on rod and slider: M x'' + beta (phi'' sin phi + phi'^2 cos phi) = Q_x,
M y'' - beta (phi'' cos phi - phi'^2 sin phi) = Q_y, J phi'' + beta (x'' sin phi - y'' cos phi) = Q_phi with J about the hinge;
solved by elimination of x'' and y'', where the terms with phi'^2 cancel unless the guide holds y.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from model.integrators import by_address, loop
from model.integrators.kernels import build_in
from model.integrators.memory import Memory, Method
from model.joints import contact, translational
from model.mechanisms.slider_crank_kernel import (
    CRANK_WEIGHT,
    FREEDOMS,
    GRAVITY,
    GUIDE,
    JOINT,
    MOTION,
    PER_J4,
    PHI,
    SPEED,
    SWING,
    TOTAL,
    TURNING,
    WITH_GUIDE,
    L,
    R,
    closed,
    guards,
    pin,
    publish,
    slider,
    switch,
)
from model.signatures import CHANNELS, REAL, RHS, VECTOR, Floats, compiled
from model.sincos import sincos


@compiled(MOTION(REAL, VECTOR, VECTOR, VECTOR), inline=True)
def motion(t: float, y: Floats, p: Floats, s: Floats) -> tuple[float, float, float, float, float, float, float, float]:
    """(phi'', x'', y'', psi'', T, F_x, F_y, guide force); guide: sum of N, or the reaction of an ideal one."""
    theta, phi, turning = p[SPEED] * t, y[PHI], y[int(p[FREEDOMS])]
    second, first = sincos(theta)
    ax, ay = p[R] * first, p[R] * second
    sine, cosine = sincos(phi)
    x, across, psi, vx, vy, omega = slider(y, p, ax, ay, cosine, sine)
    gx, gy, g_moment, guide = 0.0, 0.0, 0.0, 0.0
    if p[WITH_GUIDE] > 0.0:
        gx, gy, g_moment, guide = translational.loads(across, vx, vy, psi, omega, closed(s), p[GUIDE:])
    fx, fy, m_i, m_j = 0.0, 0.0, 0.0, 0.0
    if contact.touching(s, JOINT):
        ux, uy = p[L] * cosine, p[L] * sine
        pressing, fx, fy, m_i, m_j = pin(
            p, s, ax - x + ux, ay - across + uy, -p[SPEED] * ay - vx - turning * uy, p[SPEED] * ax - vy + turning * ux, turning,
            p[SPEED],
        )  # fmt: skip
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


@compiled(RHS.signature, built_in=True)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: Any) -> int:
    """Time derivative of the state; with a place for it the drive's power."""
    phi, x, across, psi, torque, _, _, _ = motion(t, y, p, s)
    n = int(p[FREEDOMS])
    dy[0], dy[1] = y[n], y[n + 1]
    dy[n], dy[n + 1] = phi, x
    if n == 4:
        dy[2], dy[3] = y[6], y[7]
        dy[6], dy[7] = across, psi
    if y.size > 2 * n:
        dy[2 * n] = torque * p[SPEED]
    return 0


@compiled(CHANNELS.signature, built_in=True)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: Any) -> int:
    """CHANNELS of model.mechanisms.slider_crank."""
    publish(t, y, values, p, s, motion(t, y, p, s))
    return 0


class Own(NamedTuple):
    """These functions, built into the solver's loop."""

    law: Any


build_in(Own, rhs, guards, switch, channels)


@compiled(by_address.ADVANCE)
def advance(
    _rhs: Any, _guards: Any, _switch: Any, _channels: Any, law: Any, method: Method, memory: Memory, p: Floats, s: Floats, u: Floats,
    first: int, out: Floats, low: Floats, high: Floats, events: Floats,
) -> int:  # fmt: skip
    """See model.integrators.loop.advance; the functions are built in, their addresses are not read."""
    return loop.advance(Own(law), method, memory, p, s, u, first, out, low, high, events)
