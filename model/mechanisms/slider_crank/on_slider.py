"""Slider-crank whose rod is hinged to the slider by an ideal pin: clearance in the crank's pin, and perhaps in the guide, compiled.

With b = l - s, beta = m_3 b, M = m_3 + m_4, Q the forces on rod and slider: M x'' + beta (phi'' sin phi + phi'^2 cos phi) = Q_x,
M y'' - beta (phi'' cos phi - phi'^2 sin phi) = Q_y, J phi'' + beta (x'' sin phi - y'' cos phi) = Q_phi with J about the hinge;
solved by elimination of x'' and y'', where the terms with phi'^2 cancel unless the guide holds y.
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
    MOTION,
    PER_J4,
    SWING,
    TOTAL,
    TURNING,
    WITH_GUIDE,
    L,
    closed,
    pin,
    slider,
)


@compiled(MOTION(CRANK, VECTOR, VECTOR, VECTOR, REAL, REAL), inline=True)
def motion(
    crank: tuple[float, ...], y: Floats, p: Floats, s: Floats, cosine: float, sine: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """(phi'', x'', y'', psi'', T, F_x, F_y, guide force); guide: sum of N, or the reaction of an ideal one."""
    _, speed, first, ax, ay, _, _ = crank
    turning = y[int(p[FREEDOMS])]
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
