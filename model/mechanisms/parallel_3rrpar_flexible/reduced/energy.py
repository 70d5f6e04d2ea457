"""Energy of the reduced flexible 3-RRPaR, and the power its motion takes: from the field of the bars, with none of its equations of motion.

Symbols: model.mechanisms.parallel_3rrpar_flexible.reduced.kernel. A place xi of the length of a pair of bars is at
T + xi w + sum of (eta_nk n + eta_yk y) sin(k pi xi).
"""

from __future__ import annotations

import numpy as np

from model.floats import Floats
from model.joints import contact
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar import kinematics
from model.mechanisms.parallel_3rrpar_flexible import drives
from model.mechanisms.parallel_3rrpar_flexible.config import Config
from model.mechanisms.parallel_3rrpar_flexible.reduced import bars as pairs
from model.mechanisms.parallel_3rrpar_flexible.reduced import kernel

PLACES, WEIGHTS = np.polynomial.legendre.leggauss(12)
PLACES, WEIGHTS = 0.5 * (1.0 + PLACES)[:, None], 0.5 * WEIGHTS
SHAPES = np.sin(np.pi * PLACES * np.arange(1, pairs.MODES + 1))  # (places, modes)
MOMENT = 1e-4  # s, by which energies are differenced; and, much smaller, directions of the bars
BRIEF = 1e-6


def energy(config: Config, p: Floats, t: float, y: Floats, s: Floats) -> float:
    """Of all that moves, the strained bars and the contacts (Hertz: undamped), J."""
    q, v, _ = y.reshape(3, -1)
    return _moving(config, p, t, q, v) + _contacts(config, q, s)


def power(config: Config, p: Floats, t: float, y: Floats) -> float:
    """What the drives must give, W: of the bodies' inertia, weight and strain, and of the damping in the bars; not of the contacts."""
    q, v, a = y.reshape(3, -1)

    def later(by: float) -> float:
        return _moving(config, p, t + by, q + by * v + 0.5 * by * by * a, v + by * a)

    change = (8.0 * (later(MOMENT) - later(-MOMENT)) - later(2.0 * MOMENT) + later(-2.0 * MOMENT)) / (12.0 * MOMENT)
    return change + _damped(p, t, q, v)


def _ends(leg: int, p: Floats, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """T, T', E, E', (3,) each."""
    of, side = drives.tip(leg, t, p), kinematics.SIDES[leg]
    flip = 1.0 if leg == 1 else -1.0
    tip = of[0] * kinematics.X_AXIS + flip * of[1] * side + (p[rigid.PIVOT + 5] * kinematics.AXES[1] if leg == 1 else 0.0)
    tip_rate = of[2] * kinematics.X_AXIS + flip * of[3] * side
    end, rate = q[:3] + p[rigid.JOINT + 3 * leg : rigid.JOINT + 3 * leg + 3], v[:3]
    if len(q) > pairs.IDEAL and leg != 1:
        gap = np.array([q[pairs.IDEAL + leg : pairs.IDEAL + leg + 2], v[pairs.IDEAL + leg : pairs.IDEAL + leg + 2]])
        away = gap[:, :1] * kinematics.X_AXIS + gap[:, 1:] * side
        end, rate = end - away[0], rate - away[1]
    return tip, tip_rate, end, rate


def _directions(leg: int, w: Floats) -> Floats:
    """n and y, (2, 3)."""
    out, up = float(w @ kinematics.X_AXIS), float(w @ kinematics.SIDES[leg])
    n = (out * kinematics.SIDES[leg] - up * kinematics.X_AXIS) / np.hypot(out, up)
    return np.array([n, np.cross(n, w / np.linalg.norm(w))])


def _bending(leg: int, q: Floats) -> Floats:
    """eta of a leg, (n or y, modes), m, or a rate."""
    begin = pairs.ETA + 2 * pairs.MODES * leg
    return q[begin : begin + 2 * pairs.MODES].reshape(2, pairs.MODES)


def _moving(config: Config, p: Floats, t: float, q: Floats, v: Floats) -> float:
    mine, g, short = p[kernel.own(p) :], config.gravity, config.short.mass
    mass, squares = mine[pairs.PAIR], mine[pairs.SQUARES : pairs.SQUARES + pairs.MODES]
    total = config.platform.mass * (0.5 * float(v[:3] @ v[:3]) + g * q[2])
    for leg in range(rigid.LEGS):
        tip, tip_rate, end, end_rate = _ends(leg, p, t, q, v)
        w, rate, eta = end - tip, end_rate - tip_rate, _bending(leg, q)
        now = _directions(leg, w)
        turning = (_directions(leg, w + BRIEF * rate) - _directions(leg, w - BRIEF * rate)) / (2.0 * BRIEF)
        height = tip[2] + PLACES[:, 0] * w[2] + (SHAPES @ eta.T @ now)[:, 2]
        speed = tip_rate + PLACES * rate + SHAPES @ (_bending(leg, v).T @ now + eta.T @ turning)
        total += mass * float(WEIGHTS @ (0.5 * np.sum(speed**2, axis=1) + g * height))
        total += short * float(0.5 * (tip_rate @ tip_rate + end_rate @ end_rate) + g * (tip[2] + end[2]))
        total += 0.5 * mine[pairs.STIFFNESS] * float(np.linalg.norm(w) - mine[pairs.LENGTH]) ** 2
        total += 0.25 * mass * float(np.sum(squares * eta**2))
        total += 0.5 * p[rigid.J_ARM + leg] * drives.drive(leg, t, p)[1] ** 2
        total += 0.5 * config.arm.mass * g * float(tip[2] + p[rigid.PIVOT + 3 * leg + 2])
    return float(total)


def _damped(p: Floats, t: float, q: Floats, v: Floats) -> float:
    mine = p[kernel.own(p) :]
    squares, total = mine[pairs.SQUARES : pairs.SQUARES + pairs.MODES], 0.0
    for leg in range(rigid.LEGS):
        tip, tip_rate, end, end_rate = _ends(leg, p, t, q, v)
        w = end - tip
        total += mine[pairs.STIFFNESS] * float(w @ (end_rate - tip_rate) / np.linalg.norm(w)) ** 2
        total += 0.5 * mine[pairs.PAIR] * float(np.sum(squares * _bending(leg, v) ** 2))
    return float(mine[pairs.DAMPING] * total)


def _contacts(config: Config, q: Floats, s: Floats) -> float:
    total = 0.0
    for pin, leg in enumerate(rigid.ALONG_Y if len(q) > pairs.IDEAL else ()):
        stiffness, exponent, _, speed = s[contact.EACH * pin : contact.EACH * (pin + 1)]
        away = float(np.hypot(*q[pairs.IDEAL + leg : pairs.IDEAL + leg + 2]))
        depth = max(0.0, away - config.clearances[pin]) if speed > 0.0 else 0.0
        total += stiffness * depth ** (exponent + 1.0) / (exponent + 1.0)
    return float(total)
