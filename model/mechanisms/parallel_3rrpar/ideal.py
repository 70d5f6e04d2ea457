"""Loads of the 3-RRPaR mechanism with ideal joints, in closed form by virtual work, for any number of times at once.

| symbol | unit | meaning |
|---|---|---|
| T, u, x', n | m, 1 | tip; along the long bars; the bars' direction without tilt; n = dx'/dbeta across both |
| w | m/s^2 | upwards, g: an acceleration that stands for weight |
| m_b, m_s | kg | a long and a short bar |
| S = (m_b + m_s) L, I = (m_b/2 + m_s) L^2 | kg m, kg m^2 | of a leg's bars about T: first moment, second moment of what moves with u |
| J_x, J_t | kg m^2 | of a long bar along and across itself |
| H' | N m | rate of a long bar's angular momentum, J_t u x u'' + J_x (s u)', s = beta' sin gamma its spin |
| F | N | force of the platform on a leg at R |
| tau | N m | of a drive on its arm |

A turn d_beta moves the far end by L cos gamma n, d_gamma by L u_gamma; the joints do no work in either, so
L cos gamma F.n = (S (T'' + w) + I u'').cos gamma n + 2 H'.a + 2 J_sx beta'',
L F.u_gamma = (S (T'' + w) + I u'').u_gamma - 2 H'.n.
What F has along u follows from the platform, sum F = -m (P'' + w), and the drives from the virtual work of d_theta, which moves a leg as
it is. The multibody equations of model.spatial are not used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.floats import Floats
from model.mechanisms.parallel_3rrpar import kinematics
from model.mechanisms.parallel_3rrpar.config import Config

NEWTON = 4  # steps: each squares an error that begins with the clearance beside a bar's length
PLANE = np.array([0, 2])  # across the axes of R1 and R3: X and Z


@dataclass(frozen=True)
class Loads:
    """torque (..., 3) N m by leg; force (..., 3, 3) N by leg and axis, of the platform on the leg; and the motion they belong to."""

    torque: Floats
    force: Floats
    motion: kinematics.Motion

    @property
    def radial(self) -> Floats:
        """Force across the joint's axis at R1 and R3, (..., 2) N."""
        across = self.force[..., [0, 2], :][..., PLANE]
        return np.asarray(np.linalg.norm(across, axis=-1))

    @property
    def power(self) -> Floats:
        """Of the three drives together, (...,) W."""
        return np.asarray(np.sum(self.torque * self.motion.theta_rate, axis=-1))


def loads(config: Config, point: Floats, velocity: Floats, acceleration: Floats) -> Loads:
    """While the path's point (m) moves so (m/s, m/s^2), (..., 3) each. Raises ModelError for a place that cannot be reached."""
    moving = kinematics.motion_along(config, point, velocity, acceleration)
    length, bars, short = config.bars.length, config.bars, config.short
    up = np.array([0.0, 0.0, config.gravity])
    tip = _tip_acceleration(config, moving) + up
    first = (bars.mass + short.mass) * length
    swung = first * tip + (0.5 * bars.mass + short.mass) * length**2 * moving.u_acceleration
    across = _across_the_bars(config, moving, swung)
    rest = -config.platform.mass * (acceleration + up) - across.sum(axis=-2)
    pull = np.linalg.solve(np.swapaxes(moving.u, -1, -2), rest[..., None])  # sum N u = rest
    force = across + pull * moving.u
    carried = 2.0 * (bars.mass + short.mass) * tip + first * moving.u_acceleration - force
    return Loads(_torque(config, moving, carried, up), force, moving)


def rolling(config: Config, point: Floats, velocity: Floats, acceleration: Floats) -> Floats:
    """Where the path's point is, (..., 3) m, while the pins of R1 and R3 roll in their bushes without friction.

    The limit of small clearances: each pin is away from its bush's centre by the clearance, against the force on the platform, and the
    forces are those of ideal joints. Raises ModelError for a place that cannot be reached.
    """
    found = loads(config, point, velocity, acceleration)
    return carried_away(config, found, point, eccentricities(found, np.asarray(config.clearances)))[0]


def carried_away(config: Config, found: Loads, point: Floats, away: Floats) -> tuple[Floats, Floats]:
    """(the path's point (..., 3) m, u (..., 3, 3)) with the pins `away` (..., 3, 3) m from their bushes' centres, the arms as they are."""
    f = kinematics.frame(config)
    tips = kinematics.tips(config, found.motion.theta)
    place = np.array(point, dtype=np.float64)
    for _ in range(NEWTON):
        bars = (place - f.offset)[..., None, :] + f.joints - away - tips
        place -= np.linalg.solve(2.0 * bars, (_dot(bars, bars) - f.bar**2)[..., None])[..., 0]
    return place, ((place - f.offset)[..., None, :] + f.joints - away - tips) / f.bar


def eccentricities(found: Loads, sizes: Floats) -> Floats:
    """Where the pins are that are so far (m, R1 and R3) from their bushes' centres, against the forces on the platform, (..., 3, 3) m."""
    away = np.zeros_like(found.force)
    for leg, radial, size in zip((0, 2), np.moveaxis(found.radial, -1, 0), sizes, strict=True):
        away[..., leg, PLANE] = size * found.force[..., leg, PLANE] / radial[..., None]
    return away


def _tip_acceleration(config: Config, moving: kinematics.Motion) -> Floats:
    b, e = kinematics.arms(moving.theta)
    bent = e * moving.theta_acceleration[..., None] - b * (moving.theta_rate**2)[..., None]
    return np.asarray(config.geometry.arm_length * bent)


def _across_the_bars(config: Config, moving: kinematics.Motion, swung: Floats) -> Floats:
    """What F has at right angles to u, (..., 3, 3)."""
    beta, gamma, beta_rate, gamma_rate, beta_second, _ = kinematics.swing(moving)
    sine, cosine = np.sin(gamma)[..., None], np.cos(gamma)[..., None]
    out, n = kinematics.arms(beta)  # x', n
    leaning = cosine * kinematics.AXES - sine * out  # u_gamma
    spin = beta_rate[..., None] * sine
    spin_rate = beta_second[..., None] * sine + (beta_rate * gamma_rate)[..., None] * cosine
    turned = config.bars.jy * np.cross(moving.u, moving.u_acceleration)
    turned += config.bars.jx * (spin_rate * moving.u + spin * moving.u_rate)  # H'
    swing = cosine[..., 0] * _dot(swung, n) + 2.0 * _dot(turned, kinematics.AXES) + 2.0 * config.short.jx * beta_second
    lean = _dot(swung, leaning) - 2.0 * _dot(turned, n)
    return np.asarray((swing[..., None] / cosine * n + lean[..., None] * leaning) / config.bars.length)


def _torque(config: Config, moving: kinematics.Motion, carried: Floats, up: Floats) -> Floats:
    """carried: inertia and weight of a leg's bars, less the platform's force, N."""
    _, e = kinematics.arms(moving.theta)
    arm, length = config.arm, config.geometry.arm_length
    about = np.array([arm.jy, arm.jz, arm.jy]) + 0.25 * arm.mass * length**2
    return np.asarray(about * moving.theta_acceleration + length * _dot(carried + 0.5 * arm.mass * up, e))


def _dot(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.sum(left * right, axis=-1))
