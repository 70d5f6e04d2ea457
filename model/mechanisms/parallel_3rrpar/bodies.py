"""The 3-RRPaR mechanism as 16 rigid bodies and their joints: 108 constraint rows with the drives (chen2026 section 1.3.1, corrected).

Body 0 is the platform; of leg i follow arm, short bar at the arm's tip (near), two long bars, short bar at the platform (far). An arm's
x is b_i and its y (legs 1, 3) or z (leg 2) the driven axis; a short bar's x is the driven axis a_i, its z the normal n of the
parallelogram; a long bar's x is u_i, its z is n. Ideal joints leave nothing free: rank 96, 12 rows depend on others (three in each
parallelogram, three since each of the legs alone would keep the platform from turning). Radial clearance at R1 and R3 takes two rows of
each: 104, rank 92.
"""

from __future__ import annotations

import numpy as np

from model.floats import Floats
from model.mechanisms.parallel_3rrpar import kinematics, parts
from model.mechanisms.parallel_3rrpar.config import Config
from model.paths.course import Course
from model.spatial.bodies import GROUND, Body, State
from model.spatial.joints import Hinge, Joint, clearance_revolute, drive, revolute
from model.spatial.system import System

PLATFORM = 0
EACH = 5
ARM, NEAR, LONG_PLUS, LONG_MINUS, FAR = range(1, 1 + EACH)
WITH_CLEARANCE = (0, 2)  # legs whose joint at the platform may have it
X, Y, Z = np.eye(3)


def number(leg: int, part: int) -> int:
    """Of a body: leg 0, 1, 2 and ARM .. FAR."""
    return EACH * leg + part


def bodies(config: Config) -> tuple[Body, ...]:
    """The 16."""
    made = [_body("platform", config.platform)]
    for leg in (1, 2, 3):
        made += [_body(f"arm {leg}", config.arm), _body(f"near short bar {leg}", config.short)]
        made += [_body(f"long bar {leg}{sign}", config.bars) for sign in "+-"]
        made.append(_body(f"far short bar {leg}", config.short))
    return tuple(made)


def _body(name: str, part: parts.Body | parts.Bars) -> Body:
    return Body(name, part.mass, (part.jx, part.jy, part.jz))


def system(config: Config, path: Course, clearance: bool) -> System:
    """Bodies, joints and drives; clearance: those of R1 and R3 that have it keep only the rows that it leaves."""
    made: list[Joint] = []
    for leg in range(3):
        parts = clearance and leg in WITH_CLEARANCE and config.clearances[WITH_CLEARANCE.index(leg)] > 0.0
        made += [*_chain(config, leg), _at_platform(config, leg, parts), _drive(config, path, leg)]
    return System(bodies(config), tuple(made), np.array([0.0, 0.0, -config.gravity]))


def _chain(config: Config, leg: int) -> list[Joint]:
    """Motor, arm's tip, the parallelogram's four hinges."""
    f, axis = kinematics.frame(config), kinematics.AXES[leg]
    arm, near, far = number(leg, ARM), number(leg, NEAR), number(leg, FAR)
    half, bar, aside = 0.5 * f.arm * X, 0.5 * f.bar * X, 0.5 * config.geometry.short_length * X
    own = _own_axis(leg)
    made = [
        revolute(f"motor {leg + 1}", Hinge(GROUND, arm, f.pivots[leg], -half, axis, own)),
        revolute(f"tip {leg + 1}", Hinge(arm, near, half, np.zeros(3), own, X)),
    ]
    for part, sign, word in ((LONG_PLUS, 1.0, "+"), (LONG_MINUS, -1.0, "-")):
        long = number(leg, part)
        made.append(revolute(f"near {leg + 1}{word}", Hinge(near, long, sign * aside, -bar, Z, Z)))
        made.append(revolute(f"far {leg + 1}{word}", Hinge(far, long, sign * aside, bar, Z, Z)))
    return made


def _at_platform(config: Config, leg: int, clearance: bool) -> Joint:
    f = kinematics.frame(config)
    hinge = Hinge(number(leg, FAR), PLATFORM, np.zeros(3), f.joints[leg], X, kinematics.AXES[leg])
    return (clearance_revolute if clearance else revolute)(f"R{leg + 1}", hinge)


def _drive(config: Config, path: Course, leg: int) -> Joint:
    """The arm's angle is what the path asks for."""

    def given(time: float) -> tuple[float, float, float]:
        moving = kinematics.motion_along(config, *path.evaluate(np.array([time])))
        return float(moving.theta[0, leg]), float(moving.theta_rate[0, leg]), float(moving.theta_acceleration[0, leg])

    nowhere = np.zeros(3)
    hinge = Hinge(GROUND, number(leg, ARM), nowhere, nowhere, kinematics.AXES[leg], _own_axis(leg))
    return drive(f"drive {leg + 1}", hinge, X, X, given)


def _own_axis(leg: int) -> Floats:
    """The driven axis in an arm's own axes."""
    return Z if leg == 1 else Y


def state(config: Config, path: Course, time: float) -> State:
    """Of all bodies with ideal joints, at a time in s. Raises ModelError where the path cannot be reached."""
    point, velocity, acceleration = path.evaluate(np.array([time]))
    moving = kinematics.motion_along(config, point, velocity, acceleration)
    beta, gamma, beta_rate, gamma_rate, *_ = (value[0] for value in kinematics.swing(moving))
    angles = np.array([moving.theta[0], beta, gamma]), np.array([moving.theta_rate[0], beta_rate, gamma_rate])
    return placed(config, time, point[0] - kinematics.frame(config).offset, velocity[0], *angles)


def placed(config: Config, time: float, platform: Floats, velocity: Floats, angles: Floats, rates: Floats) -> State:
    """Of all bodies, from the platform's mass centre (m, m/s) and theta, beta, gamma of the legs and their rates, (3, 3) each, rad."""
    f, (theta, beta, gamma), (theta_rate, beta_rate, gamma_rate) = kinematics.frame(config), angles, rates
    (b, e), (out, normal) = kinematics.arms(theta), kinematics.arms(beta)  # x' and n of the bars
    r, turns, v, w = [platform], [np.eye(3)], [velocity], [np.zeros(3)]
    for leg in range(3):
        axis, n, flat, tilt = kinematics.AXES[leg], normal[leg], np.cos(gamma[leg]), np.sin(gamma[leg])
        u = flat * out[leg] + tilt * axis
        tip, tip_rate = f.pivots[leg] + f.arm * b[leg], f.arm * theta_rate[leg] * e[leg]
        bar, bar_rate = f.bar * u, f.bar * (flat * beta_rate[leg] * n + gamma_rate[leg] * (flat * axis - tilt * out[leg]))
        aside = 0.5 * config.geometry.short_length * axis
        crossways = np.cross(b[leg], axis)
        arm = np.column_stack([b[leg], -crossways, axis] if leg == 1 else [b[leg], axis, crossways])
        short, long = np.column_stack([axis, out[leg], n]), np.column_stack([u, np.cross(n, u), n])
        swung = beta_rate[leg] * axis
        r += [0.5 * (f.pivots[leg] + tip), tip, tip + 0.5 * bar + aside, tip + 0.5 * bar - aside, tip + bar]
        v += [0.5 * tip_rate, tip_rate, tip_rate + 0.5 * bar_rate, tip_rate + 0.5 * bar_rate, tip_rate + bar_rate]
        w += [theta_rate[leg] * axis, swung, *[swung - gamma_rate[leg] * n] * 2, swung]
        turns += [arm, short, long, long, short]
    return State(time, np.array(r), np.array(turns), np.array(v), np.array(w))
