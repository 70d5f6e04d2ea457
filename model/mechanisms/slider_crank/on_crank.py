"""Slider-crank whose rod hangs on the crank by an ideal pin: clearance in its other pin, in the guide, or in both, compiled.

J phi'' = -SWING (u x (A'' + gravity)) + l u x F + m_i: the masses are decoupled, so each acceleration follows by itself. With an ideal
slider pin the slider is part of what turns (J, SWING), and F is what the guide does to it.
Force of the crank on the rod: TOTAL (A'' + gravity) + SWING (phi'' n - phi'^2 u) - F.
"""

from __future__ import annotations

from model.compiled.signatures import REAL, VECTOR, Floats, compiled
from model.joints import contact, translational
from model.mechanisms.slider_crank.kernel import (
    CRANK,
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
    SIGN,
    SWING,
    TOTAL,
    WITH_GUIDE,
    WITH_PIN,
    L,
    closed,
    pin,
    slider,
)


@compiled(MOTION(CRANK, VECTOR, VECTOR, VECTOR, REAL, REAL), inline=True)
def motion(
    crank: tuple[float, ...], y: Floats, p: Floats, s: Floats, cosine: float, sine: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """(phi'', x'', y'', psi'', T, F_x, F_y, guide force); F in the pin that may have clearance; guide: sum of N."""
    _, speed, first, ax, ay, bx, by = crank
    turning = y[int(p[FREEDOMS])]
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
