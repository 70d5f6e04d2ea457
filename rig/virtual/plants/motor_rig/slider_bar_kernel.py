"""Motion of the driven slider's rig, compiled: a slider with play in its guide, a bar that a motor turns, spring and shaker.

| symbol | unit | meaning |
|---|---|---|
| theta | rad | bar as its motor and encoder see it: against the slider where the motor sits there, else from the way of the guide |
| x y psi | m, m, rad | slider's mass centre, where the bar's pivot is, and its tilt |
| A = m1 L/2, m = m1 + m2 | kg m, kg | moment of the bar's mass about its pivot, all that moves along |
| T | N m | of the motor's gear on the bar; on what the motor is mounted on there acts -T |
| N | N | of a corner that is behind its face by d: `rig.virtual.plants.contact`, as a power k d^n + c d', not below 0; their sum is S |
| f | N | friction of the guide on the slider: up to mu' S at rest, mu S against the sliding; each face takes its share of S |

Bar and slider are one system (x, y, angle of the bar), whose determinant does not depend on the angle; the tilt goes by corners and T.
Semi-implicit Euler. Friction takes as much speed as it can, down to rest.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.signatures import VECTOR, Floats, compiled
from rig.virtual.plants.contact import borne, stored
from rig.virtual.plants.surfaces import BRANCH, CONTACT_COLUMNS, CONTACT_STATES, DEEPEST

(
    MASS, MOMENT, INERTIA, ROTOR, TILT_INERTIA, SPRING, SPRING_REST, VISCOUS_GUIDE, SLIDING, STATIC, GRAVITY, HALF_LENGTH,
    HALF_HEIGHT, GAP, DAMPING, FORCE_PER_VOLT, ON_SLIDER, VISCOUS, COULOMB, LAW,
) = range(20)  # fmt: skip
PARAMETERS = LAW + CONTACT_COLUMNS
"""INERTIA: of the bar about its pivot; ROTOR: of the rotor with its gear, at the bar; GAP: on each side; ON_SLIDER: 1 where the motor sits
there."""
BAR, BAR_RATE, WORK, LOST, X, Y, PSI, X_RATE, Y_RATE, PSI_RATE, STUCK, TOUCH = range(12)
STATES = TOUCH + 4 * CONTACT_STATES
SHARING = 2.0
"""Corners that press at once: the damping of each takes no more than its part of the speed."""
RATES = (BAR_RATE, X_RATE, Y_RATE, PSI_RATE)
POSITION, FRICTION, TORQUE, NORMAL_SUM, SPEED, LIFT_REAR, LIFT_FRONT, SEEN = range(8)
LOADS = types.UniTuple(types.float64, 5)  # type: ignore[no-untyped-call]


@compiled(LOADS(VECTOR, VECTOR, types.float64))
def corners(y: Floats, p: Floats, h: float) -> tuple[float, float, float, float, float]:
    """(force along y, moment, sum on the upper face, sum on the lower face, lost power) of the four corners."""
    fy = moment = upper = lower = lost = 0.0
    cosine, sine = math.cos(y[PSI]), math.sin(y[PSI])
    touch = TOUCH - CONTACT_STATES
    for side in (-1.0, 1.0):
        for end in (-1.0, 1.0):
            touch += CONTACT_STATES
            rx = end * p[HALF_LENGTH] * cosine - side * p[HALF_HEIGHT] * sine
            ry = end * p[HALF_LENGTH] * sine + side * p[HALF_HEIGHT] * cosine
            depth = side * (y[Y] + ry) - p[HALF_HEIGHT] - p[GAP]
            if depth > 0.0:
                rate = side * (y[Y_RATE] + y[PSI_RATE] * rx)
                force, damping, elastic = borne(depth, rate, p[LAW:], y[touch:])
                damping += p[DAMPING]
                light = 1.0 / p[MASS] + rx * rx / p[TILT_INERTIA]
                normal = max(0.0, force + min(damping, 1.0 / (SHARING * h * light)) * rate)
                fy -= side * normal
                moment -= rx * side * normal
                lost += (normal - elastic) * rate
                if side > 0.0:
                    upper += normal
                else:
                    lower += normal
            else:
                y[touch + BRANCH] = y[touch + DEEPEST] = 0.0
    return fy, moment, upper, lower, lost


@compiled(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, types.float64))
def motion(y: Floats, p: Floats, torques: Floats, volts: Floats, seen: Floats, h: float) -> None:
    """One step; see `rig.virtual.plants.motor_rig.kernel`."""
    on = p[ON_SLIDER]
    w = y[BAR_RATE] + on * y[PSI_RATE]
    c, s = math.cos(y[BAR] + on * y[PSI]), math.sin(y[BAR] + on * y[PSI])
    fy, moment, upper, lower, lost = corners(y, p, h)
    m, a, total = p[MASS], p[MOMENT], upper + lower
    shaken = p[FORCE_PER_VOLT] * volts[0]
    rx = shaken - p[SPRING] * (y[X] - p[SPRING_REST]) - p[VISCOUS_GUIDE] * y[X_RATE] + a * w * w * c
    ry = fy - m * p[GRAVITY] + a * w * w * s
    torque = torques[0] - p[VISCOUS] * y[BAR_RATE]
    turning = a / m * (s * rx - c * ry) - a * p[GRAVITY] * c
    # T, through the gear: R (theta'' of bar - of its mount) = torque - T, where bar and mount are free to turn under T.
    bar, mount, r = 1.0 / (p[INERTIA] - a * a / m), on / p[TILT_INERTIA], p[ROTOR]
    per = 1.0 / (1.0 + r * (bar + mount))
    through = per * (torque + r * (mount * moment - bar * turning))
    # Dry friction of the motor: of what is between bar and mount.
    free = y[BAR_RATE] + h * (bar * (through + turning) - mount * (moment - through))
    dry = -math.copysign(min(p[COULOMB] + torques[1], abs(free) / (h * per * (bar + mount))), free)
    through += per * dry
    # Friction in the guide, and the moment that it has on the faces above and below the mass centre.
    yielding = bar * (1.0 - per * r * bar)
    lightness = 1.0 / m + a * a * s * s * yielding / (m * m)
    going = y[X_RATE] + h * (rx + a * s * bar * (through + turning)) / m
    most = (p[STATIC] if y[STUCK] > 0.0 else p[SLIDING]) * total
    friction = -math.copysign(min(most, abs(going) / (h * lightness)), going)
    y[STUCK] = 1.0 if abs(going) <= h * lightness * most else 0.0
    rx += friction
    leaning = p[HALF_HEIGHT] * friction * (lower - upper) / total if total > 0.0 else 0.0
    turning += a / m * s * friction
    through += per * r * (mount * leaning - bar * a / m * s * friction)
    moment += leaning
    swing, tilt = bar * (through + turning), (moment - on * through) / p[TILT_INERTIA]
    ax, ay = (rx + a * s * swing) / m, (ry - a * c * swing) / m
    # What sensors look at, at the beginning of the step.
    seen[POSITION], seen[FRICTION], seen[NORMAL_SUM], seen[SPEED], seen[TORQUE] = y[X], friction, total, y[BAR_RATE], through
    lift = p[HALF_LENGTH] * math.sin(y[PSI])
    seen[LIFT_REAR], seen[LIFT_FRONT] = y[Y] - lift, y[Y] + lift
    before, x_rate = y[BAR_RATE], y[X_RATE]
    y[BAR_RATE] += h * (swing - on * tilt)
    y[X_RATE] = 0.0 if y[STUCK] > 0.0 else y[X_RATE] + h * ax
    y[Y_RATE] += h * ay
    y[PSI_RATE] += h * tilt
    middle, along = 0.5 * (before + y[BAR_RATE]), 0.5 * (x_rate + y[X_RATE])
    y[WORK] += h * (torques[0] * middle + shaken * along)
    y[LOST] += h * (lost + p[VISCOUS] * before * before - dry * middle - friction * along + p[VISCOUS_GUIDE] * x_rate * x_rate)
    y[BAR] += h * y[BAR_RATE]
    y[X] += h * y[X_RATE]
    y[Y] += h * y[Y_RATE]
    y[PSI] += h * y[PSI_RATE]


def energy(y: Floats, p: Floats) -> float:
    """Kinetic, of weight, spring and contacts, J."""
    angle, w = y[BAR] + p[ON_SLIDER] * y[PSI], y[BAR_RATE] + p[ON_SLIDER] * y[PSI_RATE]
    moving = (
        0.5 * p[ROTOR] * y[BAR_RATE] ** 2
        + 0.5 * p[MASS] * (y[X_RATE] ** 2 + y[Y_RATE] ** 2)
        + 0.5 * p[INERTIA] * w**2
        + 0.5 * p[TILT_INERTIA] * y[PSI_RATE] ** 2
    )
    moving += p[MOMENT] * w * (math.cos(angle) * y[Y_RATE] - math.sin(angle) * y[X_RATE])
    high = p[GRAVITY] * (p[MASS] * y[Y] + p[MOMENT] * math.sin(angle)) + 0.5 * p[SPRING] * (y[X] - p[SPRING_REST]) ** 2
    for n, side in enumerate((-1.0, 1.0)):
        for m, end in enumerate((-1.0, 1.0)):
            ry = end * p[HALF_LENGTH] * math.sin(y[PSI]) + side * p[HALF_HEIGHT] * math.cos(y[PSI])
            touch = y[TOUCH + CONTACT_STATES * (2 * n + m) :]
            high += stored(side * (y[Y] + ry) - p[HALF_HEIGHT] - p[GAP], p[LAW:], touch)
    return float(moving + high)


def lying(bar: float, position: float, p: Floats) -> Floats:
    """The state at rest at a bar angle (rad) and slider position (m), the slider on its guide's lower face."""
    y = np.zeros(STATES)
    y[BAR], y[X], y[Y], y[STUCK] = bar, position, -p[GAP], 1.0
    return y
