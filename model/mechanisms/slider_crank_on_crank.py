"""Slider-crank whose rod hangs on the crank by an ideal pin: clearance in its other pin, in the guide, or in both, compiled.

J phi'' = -SWING (u x (A'' + gravity)) + l u x F + m_i: the masses are decoupled, so each acceleration follows by itself. With an ideal
slider pin the slider is part of what turns (J, SWING), and F is what the guide does to it.
Force of the crank on the rod: TOTAL (A'' + gravity) + SWING (phi'' n - phi'^2 u) - F.
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
    M4,
    MOTION,
    PER_J4,
    PER_M4,
    PER_TURNING,
    PHI,
    SIGN,
    SPEED,
    SWING,
    TOTAL,
    WITH_GUIDE,
    WITH_PIN,
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
    """(phi'', x'', y'', psi'', T, F_x, F_y, guide force); F in the pin that may have clearance; guide: sum of N."""
    theta, phi, turning = p[SPEED] * t, y[PHI], y[int(p[FREEDOMS])]
    second, first = sincos(theta)
    ax, ay = p[R] * first, p[R] * second
    sine, cosine = sincos(phi)
    x, across, psi, vx, vy, omega = slider(y, p, ax, ay, cosine, sine)
    gx, gy, g_moment, guide = 0.0, 0.0, 0.0, 0.0
    if p[WITH_GUIDE] > 0.0:
        gx, gy, g_moment, guide = translational.loads(across, vx, vy, psi, omega, closed(s), p[GUIDE:])
    pressing, fx, fy, m_i, m_j = 0.0, 0.0, 0.0, 0.0, 0.0
    if contact.touching(s, JOINT):
        ux, uy = p[L] * cosine, p[L] * sine
        pressing, fx, fy, m_i, m_j = pin(
            p, s, ax - x + ux, ay - across + uy, -p[SPEED] * ay - vx - turning * uy, p[SPEED] * ax - vy + turning * ux, turning, omega
        )
    elif p[WITH_PIN] == 0.0:
        pressing, fx, fy = 1.0, gx, gy
    square = p[SPEED] * p[SPEED]
    bx, by = -square * ax, p[GRAVITY] - square * ay
    turn = p[SWING] * (bx * sine - by * cosine) * p[PER_TURNING] + pressing * ((p[L] * (fy * cosine - fx * sine) + m_i) * p[PER_TURNING])
    fx, fy, m_j = pressing * fx, pressing * fy, pressing * m_j
    inward = turning * turning
    hx = p[TOTAL] * bx - p[SWING] * (turn * sine + inward * cosine) - fx
    hy = p[TOTAL] * by + p[SWING] * (turn * cosine - inward * sine) - fy
    torque = ax * hy - ay * hx + p[CRANK_WEIGHT] * first
    psi_turn = (g_moment + m_j) * p[PER_J4]
    if p[WITH_PIN] == 0.0:
        if p[SIGN] > 0.0:
            return turn, 0.0, 0.0, psi_turn, torque, hx, hy, guide
        rx = p[M4] * (bx - p[L] * (turn * sine + inward * cosine)) - gx
        ry = p[M4] * (by + p[L] * (turn * cosine - inward * sine)) - gy
        return turn, 0.0, 0.0, psi_turn, torque, rx, ry, guide
    if p[WITH_GUIDE] == 0.0:
        guide = abs(fy + p[M4] * p[GRAVITY])
    return turn, (gx - fx) * p[PER_M4], (gy - fy) * p[PER_M4] - p[GRAVITY], psi_turn, torque, fx, fy, guide


@compiled(RHS.signature, built_in=True)
def rhs(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: Any) -> int:
    """Time derivative of the state; with a place for it the drive's power."""
    phi, x, across, psi, torque, _, _, _ = motion(t, y, p, s)
    n = int(p[FREEDOMS])
    dy[0], dy[1] = y[n], y[n + 1]
    dy[n] = phi
    dy[n + 1] = x if p[WITH_PIN] > 0.0 else psi
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
