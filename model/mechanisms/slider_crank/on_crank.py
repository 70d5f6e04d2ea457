"""Slider-crank whose rod hangs on the crank by an ideal pin: clearance in its other pin, in the guide, or in both, compiled.

J phi'' = -SWING (u x (A'' + gravity)) + l u x F + m_i: the masses are decoupled, so each acceleration follows by itself. With an ideal
slider pin the slider is part of what turns (J, SWING), and F is what the guide does to it.
Force of the crank on the rod: TOTAL (A'' + gravity) + SWING (phi'' n - phi'^2 u) - F.
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
    M4,
    MOTION,
    PENETRATION,
    PER_J4,
    PER_M4,
    PER_TURNING,
    PHI,
    SIGN,
    SWING,
    TORQUE,
    TOTAL,
    WITH_GUIDE,
    WITH_PIN,
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
    """(phi'', x'', y'', psi'', T, F_x, F_y, guide force); F in the pin that may have clearance; guide: sum of N."""
    _, speed, first, ax, ay, bx, by = crank
    turning = y[int(p[FREEDOMS])]
    sine, cosine = sincos(y[PHI])
    x, across, psi, vx, vy, omega = slider(crank, y, p, cosine, sine)
    gx, gy, g_moment, guide = 0.0, 0.0, 0.0, 0.0
    if p[WITH_GUIDE] > 0.0:
        gx, gy, g_moment, guide = translational.loads(across, vx, vy, psi, omega, closed(s), p[GUIDE:])
    pressing, fx, fy, m_i, m_j = 0.0, 0.0, 0.0, 0.0, 0.0
    if contact.touching(s, JOINT):
        ux, uy = p[L] * cosine, p[L] * sine
        pressing, fx, fy, m_i, m_j = pin(
            p, s, ax - x + ux, ay - across + uy, -speed * ay - vx - turning * uy, speed * ax - vy + turning * ux, turning, omega
        )
    elif p[WITH_PIN] == 0.0:
        pressing, fx, fy = 1.0, gx, gy
    turn = p[SWING] * (bx * sine - by * cosine) * p[PER_TURNING] + pressing * ((p[L] * (fy * cosine - fx * sine) + m_i) * p[PER_TURNING])
    fx, fy, m_j = pressing * fx, pressing * fy, pressing * m_j
    inward = turning * turning
    hx = p[TOTAL] * bx - p[SWING] * (turn * sine + inward * cosine) - fx
    hy = p[TOTAL] * by + p[SWING] * (turn * cosine - inward * sine) - fy
    torque = ax * hy - ay * hx + p[CRANK_WEIGHT] * first
    psi_turn = (g_moment + m_j) * p[PER_J4]
    if p[WITH_PIN] == 0.0:
        x_rate = bx - p[L] * (turn * sine + inward * cosine)
        if p[SIGN] > 0.0:
            return turn, x_rate, 0.0, psi_turn, torque, hx, hy, guide
        rx = p[M4] * x_rate - gx
        ry = p[M4] * (by + p[L] * (turn * cosine - inward * sine)) - gy
        return turn, x_rate, 0.0, psi_turn, torque, rx, ry, guide
    if p[WITH_GUIDE] == 0.0:
        guide = abs(fy + p[M4] * p[GRAVITY])
    return turn, (gx - fx) * p[PER_M4], (gy - fy) * p[PER_M4] - p[GRAVITY], psi_turn, torque, fx, fy, guide


@compiled(INDEX(CRANK, VECTOR, VECTOR, VECTOR, VECTOR), inline=True)
def moving(crank: tuple[float, ...], y: Floats, dy: Floats, p: Floats, s: Floats) -> int:
    """Time derivative of the state; with a place for it the drive's power."""
    phi, x, across, psi, torque, _, _, _ = motion(crank, y, p, s)
    n = int(p[FREEDOMS])
    dy[0], dy[1] = y[n], y[n + 1]
    dy[n] = phi
    dy[n + 1] = x if p[WITH_PIN] > 0.0 else psi
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
