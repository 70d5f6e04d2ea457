"""Motion of the four-bar rig, compiled: three angles, a motor on the crank, the coupler-rocker joint as a contact.

| symbol | unit | meaning |
|---|---|---|
| theta1 theta2 theta3 | rad | crank A to B, coupler B to C, rocker C to D, from the direction A to D |
| e1 e2 e3, t1 t2 t3 | 1 | unit vectors along them, and turned by +90 degrees |
| e = l4 - l1 e1 - l2 e2 - l3 e3 | m | journal (rocker's end) from the centre of its bearing (coupler's end) |
| J1 | kg m^2 | all that turns with the crank, rotor and gear at the crank included |
| f | N | force in the joint; its normal force is that of `rig.virtual.plants.contact` |

Crank and coupler have the mass matrix [[J1 + m2 l1^2, m2 l1 s2 cos(theta1 - theta2)], [.., J2B]]; the rocker hangs on them by f alone.
Semi-implicit Euler. Dry friction of the crank takes as much speed as it can, down to rest.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.signatures import REAL, VECTOR, Floats, compiled
from rig.virtual.plants.contact import pressing, rubbing, stored
from rig.virtual.plants.surfaces import BRANCH, CONTACT_COLUMNS, CONTACT_STATES, DEEPEST, FLOOR, depth_under  # fmt: skip

(
    L1, L2, L3, L4, J1, J2B, J3D, M2, M3, S2, S3, GRAVITY, GAP, RADIUS, VISCOUS, COULOMB, PIN_VISCOUS, FEELS, LAW,
) = range(19)  # fmt: skip
PARAMETERS = LAW + CONTACT_COLUMNS
"""S2, S3: mass centres from B and from D; FEELS: gravity in the acceleration."""
CRANK, CRANK_RATE, WORK, LOST, COUPLER, ROCKER, COUPLER_RATE, ROCKER_RATE, TOUCH = range(9)
STATES = TOUCH + CONTACT_STATES
ACCELERATION, SPEED, JOINT_FORCE, DEPTH, SEEN = range(5)
JOINT = types.UniTuple(REAL, 7)  # type: ignore[no-untyped-call]


@compiled(REAL(VECTOR, REAL, REAL, REAL, REAL, REAL, REAL, REAL, REAL))
def joint_mass(p: Floats, c1: float, s1: float, c2: float, s2: float, c3: float, s3: float, nx: float, ny: float) -> float:
    """What crank, coupler and rocker have against being driven apart along n, kg."""
    cross, m11 = p[M2] * p[L1] * p[S2] * (c1 * c2 + s1 * s2), p[J1] + p[M2] * p[L1] * p[L1]
    g1, g2, g3 = p[L1] * (c1 * ny - s1 * nx), p[L2] * (c2 * ny - s2 * nx), p[L3] * (c3 * ny - s3 * nx)
    coupler = (p[J2B] * g1 * g1 - 2.0 * cross * g1 * g2 + m11 * g2 * g2) / (m11 * p[J2B] - cross * cross)
    return float(1.0 / (coupler + g3 * g3 / p[J3D]))


@compiled(JOINT(VECTOR, VECTOR, REAL, REAL, REAL, REAL, REAL, REAL, REAL))
def joint(
    y: Floats, p: Floats, c1: float, s1: float, c2: float, s2: float, c3: float, s3: float, h: float
) -> tuple[float, float, float, float, float, float, float]:
    """(f_x, f_y) on the coupler, moments of friction on coupler and rocker, normal force, penetration, lost power."""
    w1, w2, w3 = y[CRANK_RATE], y[COUPLER_RATE], y[ROCKER_RATE]
    ex, ey = p[L4] - p[L1] * c1 - p[L2] * c2 - p[L3] * c3, -p[L1] * s1 - p[L2] * s2 - p[L3] * s3
    ex_rate, ey_rate = p[L1] * w1 * s1 + p[L2] * w2 * s2 + p[L3] * w3 * s3, -p[L1] * w1 * c1 - p[L2] * w2 * c2 - p[L3] * w3 * c3
    distance = math.sqrt(ex * ex + ey * ey)
    depth = distance - p[GAP]
    if depth <= 0.0:
        y[TOUCH + BRANCH] = y[TOUCH + DEEPEST] = 0.0
        return 0.0, 0.0, 0.0, 0.0, 0.0, depth, 0.0
    nx, ny = ex / distance, ey / distance
    rate = ex_rate * nx + ey_rate * ny
    mass = joint_mass(p, c1, s1, c2, s2, c3, s3, nx, ny)
    normal, elastic = pressing(depth, rate, mass, h, p[LAW:], y[TOUCH:])
    journal = p[RADIUS] - p[GAP]
    sliding = ey_rate * nx - ex_rate * ny + w3 * journal - w2 * p[RADIUS]
    tangential = rubbing(sliding, normal, p[LAW:])
    fx, fy = normal * nx + tangential * ny, normal * ny - tangential * nx
    lost = (normal - elastic) * rate - tangential * sliding
    return fx, fy, -tangential * p[RADIUS], tangential * journal, normal, depth, lost


@compiled(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
def motion(y: Floats, p: Floats, torques: Floats, volts: Floats, seen: Floats, h: float) -> None:
    """One step; see `rig.virtual.plants.motor_rig.kernel`."""
    w1, w2, w3 = y[CRANK_RATE], y[COUPLER_RATE], y[ROCKER_RATE]
    c1, s1 = math.cos(y[CRANK]), math.sin(y[CRANK])
    c2, s2 = math.cos(y[COUPLER]), math.sin(y[COUPLER])
    c3, s3 = math.cos(y[ROCKER]), math.sin(y[ROCKER])
    fx, fy, moment2, moment3, normal, depth, lost = joint(y, p, c1, s1, c2, s2, c3, s3, h)
    # Crank and coupler, together; then the rocker.
    cross, turn = p[M2] * p[L1] * p[S2] * (c1 * c2 + s1 * s2), p[M2] * p[L1] * p[S2] * (s1 * c2 - c1 * s2)
    m11, pin = p[J1] + p[M2] * p[L1] * p[L1], p[PIN_VISCOUS] * (w2 - w1)
    q1 = torques[0] - turn * w2 * w2 - p[M2] * p[GRAVITY] * p[L1] * c1 + p[L1] * (fy * c1 - fx * s1) - p[VISCOUS] * w1 + pin
    q2 = turn * w1 * w1 - p[M2] * p[GRAVITY] * p[S2] * c2 + p[L2] * (fy * c2 - fx * s2) + moment2 - pin
    per = 1.0 / (m11 * p[J2B] - cross * cross)
    lightness = p[J2B] * per
    free = w1 + h * (lightness * q1 - cross * per * q2)
    dry = -math.copysign(min(p[COULOMB] + torques[1], abs(free) / (h * lightness)), free)
    a1, a2 = lightness * (q1 + dry) - cross * per * q2, per * (m11 * q2 - cross * (q1 + dry))
    a3 = (p[M3] * p[GRAVITY] * p[S3] * c3 + p[L3] * (fy * c3 - fx * s3) + moment3 - p[PIN_VISCOUS] * w3) / p[J3D]
    # What sensors look at, at the beginning of the step.
    seen[ACCELERATION] = p[L2] * a2 + p[L1] * (a1 * (c1 * c2 + s1 * s2) + w1 * w1 * (s2 * c1 - c2 * s1)) + p[FEELS] * p[GRAVITY] * c2
    seen[SPEED], seen[JOINT_FORCE], seen[DEPTH] = w1, normal, depth
    y[CRANK_RATE], y[COUPLER_RATE], y[ROCKER_RATE] = w1 + h * a1, w2 + h * a2, w3 + h * a3
    middle = 0.5 * (w1 + y[CRANK_RATE])
    y[WORK] += h * torques[0] * middle
    y[LOST] += h * (lost + p[VISCOUS] * w1 * w1 - dry * middle + p[PIN_VISCOUS] * ((w2 - w1) * (w2 - w1) + w3 * w3))
    y[CRANK] += h * y[CRANK_RATE]
    y[COUPLER] += h * y[COUPLER_RATE]
    y[ROCKER] += h * y[ROCKER_RATE]


def energy(y: Floats, p: Floats) -> float:
    """Kinetic, of weight and of the contact, J."""
    theta1, theta2, theta3 = y[CRANK], y[COUPLER], y[ROCKER]
    w1, w2, w3 = y[CRANK_RATE], y[COUPLER_RATE], y[ROCKER_RATE]
    moving = 0.5 * (p[J1] + p[M2] * p[L1] ** 2) * w1**2 + 0.5 * p[J2B] * w2**2 + 0.5 * p[J3D] * w3**2
    moving += p[M2] * p[L1] * p[S2] * math.cos(theta1 - theta2) * w1 * w2
    high = p[M2] * p[GRAVITY] * (p[L1] * math.sin(theta1) + p[S2] * math.sin(theta2)) - p[M3] * p[GRAVITY] * p[S3] * math.sin(theta3)
    ends = p[L4] - sum(p[length] * np.exp(1j * angle) for length, angle in ((L1, theta1), (L2, theta2), (L3, theta3)))
    depth = max(0.0, abs(ends) - p[GAP])
    return float(moving + high + stored(depth, p[LAW:], y[TOUCH:]))


def resting(crank: float, p: Floats) -> Floats:
    """The state at rest at a crank angle (rad): coupler and rocker lean on each other by their weight, C above A D."""
    y = np.zeros(STATES)
    y[CRANK] = crank
    joint = 0.0 + 0.0j
    for _ in range(50):
        way = p[L4] - p[L1] * np.exp(1j * crank) - joint
        inner = (p[L2] ** 2 + abs(way) ** 2 - p[L3] ** 2) / (2.0 * p[L2] * abs(way))
        theta2 = np.angle(way) + math.acos(inner)
        theta3 = np.angle(way - p[L2] * np.exp(1j * theta2))
        # Moments about B and D: l2 f.t2 = m2 g s2 c2, l3 f.t3 = -m3 g s3 c3.
        rows = np.array([[-p[L2] * np.sin(t) if k == 0 else p[L2] * np.cos(t) for k in (0, 1)] for t in (theta2, theta3)])
        rows[1] *= p[L3] / p[L2]
        f = np.linalg.solve(rows, p[GRAVITY] * np.array([p[M2] * p[S2] * np.cos(theta2), -p[M3] * p[S3] * np.cos(theta3)]))
        size = float(np.hypot(*f))
        if size == 0.0:
            break
        depth = depth_under(size, p[LAW:])
        joint = (p[GAP] + depth) * complex(*f) / size
        y[TOUCH + BRANCH], y[TOUCH + DEEPEST] = p[LAW + FLOOR], depth
    y[COUPLER], y[ROCKER] = theta2, theta3
    return y
