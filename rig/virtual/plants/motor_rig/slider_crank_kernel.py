"""Motion of the slider-crank rig, compiled: crank, rod and a slider that is free in its guide but for its corners.

| symbol | unit | meaning |
|---|---|---|
| theta, phi | rad | crank, and rod from crank pin to slider pin, from the way in which the slider moves |
| x y psi | m, m, rad | slider's mass centre, where its pin is, and its angle |
| e = (x, y) - r e1 - l e2 | m | journal (slider's pin) from the centre of its bearing (rod's end) |
| f | N | force in the pin; its normal force is that of `rig.virtual.plants.contact` |
| N | N | of a corner behind its face by d: the same, as a power K_s d (1 + D d') |
| T | N m | through the torque sensor: what goes into the crank beyond flywheel and motor |

Without clearance in the guide y and psi stay 0. Crank and rod have the mass matrix [[J1 + m3 r^2, m3 r s cos(theta - phi)], [.., J3]].
Semi-implicit Euler. Dry friction of the crank takes as much speed as it can, down to rest.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.signatures import REAL, VECTOR, Floats, compiled
from rig.virtual.plants.contact import pressing, rubbing, stored
from rig.virtual.plants.surfaces import BRANCH, CONTACT_COLUMNS, CONTACT_STATES, DEEPEST

(
    R, L, S, J_UP, J1, M3, J3, M4, J4, WEIGHT_1, GRAVITY, GAP, JOURNAL, GUIDED, GUIDE_GAP, HALF_LENGTH, HALF_HEIGHT, VISCOUS, COULOMB, LAW,
) = range(20)  # fmt: skip
GUIDE_LAW = LAW + CONTACT_COLUMNS
PARAMETERS = GUIDE_LAW + CONTACT_COLUMNS
"""J_UP: what turns before the torque sensor, J1 includes it; J3 about the crank pin; WEIGHT_1: crank's moment of weight; GUIDED: 1 where
the guide has no clearance."""
CRANK, CRANK_RATE, WORK, LOST, ROD, X, Y, PSI, ROD_RATE, X_RATE, Y_RATE, PSI_RATE, TOUCH = range(13)
CORNERS = TOUCH + CONTACT_STATES
STATES = CORNERS + 4 * CONTACT_STATES
SHARING = 3.0
"""Contacts that the slider has at once, at most: its pin, and two corners that are not on one end of one face. The damping of each may take
this part of the speed at which they are driven together, so that all of them do not take more than there is."""
RATES = (CRANK_RATE, ROD_RATE, X_RATE, Y_RATE, PSI_RATE)
TORQUE, SLIDER_ACCELERATION, SPEED, JOINT_FORCE, DEPTH, GUIDE_FORCE, SEEN = range(7)
LOADS = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
PIN = types.UniTuple(REAL, 7)  # type: ignore[no-untyped-call]


@compiled(LOADS(VECTOR, VECTOR, REAL))
def guide(y: Floats, p: Floats, h: float) -> tuple[float, float, float, float, float]:
    """(f_x, f_y, moment, sum of the normal forces, lost power): of the guide on the slider, by its four corners."""
    fx = fy = moment = total = lost = 0.0
    cosine, sine = math.cos(y[PSI]), math.sin(y[PSI])
    touch = CORNERS - CONTACT_STATES
    for side in (-1.0, 1.0):
        for end in (-1.0, 1.0):
            touch += CONTACT_STATES
            rx = end * p[HALF_LENGTH] * cosine - side * p[HALF_HEIGHT] * sine
            ry = end * p[HALF_LENGTH] * sine + side * p[HALF_HEIGHT] * cosine
            depth = side * (y[Y] + ry) - p[HALF_HEIGHT] - p[GUIDE_GAP]
            if depth > 0.0:
                rate = side * (y[Y_RATE] + y[PSI_RATE] * rx)
                mass = 1.0 / (SHARING * (1.0 / p[M4] + rx * rx / p[J4]))
                normal, elastic = pressing(depth, rate, mass, h, p[GUIDE_LAW:], y[touch:])
                sliding = y[X_RATE] - y[PSI_RATE] * ry
                along = rubbing(sliding, normal, p[GUIDE_LAW:])
                fx += along
                fy -= side * normal
                moment -= rx * side * normal + ry * along
                total += normal
                lost += (normal - elastic) * rate - along * sliding
            else:
                y[touch + BRANCH] = y[touch + DEEPEST] = 0.0
    return fx, fy, moment, total, lost


@compiled(REAL(VECTOR, REAL, REAL, REAL, REAL, REAL, REAL))
def pin_mass(p: Floats, c1: float, s1: float, c2: float, s2: float, nx: float, ny: float) -> float:
    """What crank, rod and slider have against being driven apart along n, kg."""
    cross, m11 = p[M3] * p[R] * p[S] * (c1 * c2 + s1 * s2), p[J1] + p[M3] * p[R] * p[R]
    g1, g2 = p[R] * (c1 * ny - s1 * nx), p[L] * (c2 * ny - s2 * nx)
    rod = (p[J3] * g1 * g1 - 2.0 * cross * g1 * g2 + m11 * g2 * g2) / (m11 * p[J3] - cross * cross)
    return float(1.0 / (rod + (nx * nx if p[GUIDED] else 1.0) / p[M4]))


@compiled(PIN(VECTOR, VECTOR, REAL, REAL, REAL, REAL, REAL))
def pin(
    y: Floats, p: Floats, c1: float, s1: float, c2: float, s2: float, h: float
) -> tuple[float, float, float, float, float, float, float]:
    """(f_x, f_y) on the rod, moments of friction on rod and slider, normal force, penetration, lost power."""
    w1, w2 = y[CRANK_RATE], y[ROD_RATE]
    ex, ey = y[X] - p[R] * c1 - p[L] * c2, y[Y] - p[R] * s1 - p[L] * s2
    ex_rate, ey_rate = y[X_RATE] + p[R] * w1 * s1 + p[L] * w2 * s2, y[Y_RATE] - p[R] * w1 * c1 - p[L] * w2 * c2
    distance = math.sqrt(ex * ex + ey * ey)
    depth = distance - p[GAP]
    if depth <= 0.0:
        y[TOUCH + BRANCH] = y[TOUCH + DEEPEST] = 0.0
        return 0.0, 0.0, 0.0, 0.0, 0.0, depth, 0.0
    nx, ny = ex / distance, ey / distance
    rate = ex_rate * nx + ey_rate * ny
    mass = pin_mass(p, c1, s1, c2, s2, nx, ny) / (1.0 if p[GUIDED] else SHARING)
    normal, elastic = pressing(depth, rate, mass, h, p[LAW:], y[TOUCH:])
    bearing = p[JOURNAL] + p[GAP]
    sliding = ey_rate * nx - ex_rate * ny + y[PSI_RATE] * p[JOURNAL] - w2 * bearing
    along = rubbing(sliding, normal, p[LAW:])
    fx, fy = normal * nx + along * ny, normal * ny - along * nx
    lost = (normal - elastic) * rate - along * sliding
    return fx, fy, -along * bearing, along * p[JOURNAL], normal, depth, lost


@compiled(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
def motion(y: Floats, p: Floats, torques: Floats, volts: Floats, seen: Floats, h: float) -> None:
    """One step; see `rig.virtual.plants.motor_rig.kernel`."""
    w1, w2 = y[CRANK_RATE], y[ROD_RATE]
    c1, s1 = math.cos(y[CRANK]), math.sin(y[CRANK])
    c2, s2 = math.cos(y[ROD]), math.sin(y[ROD])
    fx, fy, moment2, moment4, normal, depth, lost = pin(y, p, c1, s1, c2, s2, h)
    # The slider.
    gx = gy = turning = pressed = 0.0
    if p[GUIDED] == 0.0:
        gx, gy, turning, pressed, more = guide(y, p, h)
        lost += more
    else:
        pressed = abs(p[M4] * p[GRAVITY] + fy)
    ax = (gx - fx) / p[M4]
    # Crank and rod, together.
    cross, turn = p[M3] * p[R] * p[S] * (c1 * c2 + s1 * s2), p[M3] * p[R] * p[S] * (s1 * c2 - c1 * s2)
    m11 = p[J1] + p[M3] * p[R] * p[R]
    q1 = torques[0] - turn * w2 * w2 - (p[WEIGHT_1] + p[M3] * p[R]) * p[GRAVITY] * c1 + p[R] * (fy * c1 - fx * s1) - p[VISCOUS] * w1
    q2 = turn * w1 * w1 - p[M3] * p[GRAVITY] * p[S] * c2 + p[L] * (fy * c2 - fx * s2) + moment2
    per = 1.0 / (m11 * p[J3] - cross * cross)
    lightness = p[J3] * per
    free = w1 + h * (lightness * q1 - cross * per * q2)
    dry = -math.copysign(min(p[COULOMB] + torques[1], abs(free) / (h * lightness)), free)
    a1, a2 = lightness * (q1 + dry) - cross * per * q2, per * (m11 * q2 - cross * (q1 + dry))
    # What sensors look at, at the beginning of the step.
    seen[TORQUE] = torques[0] + dry - p[VISCOUS] * w1 - p[J_UP] * a1
    seen[SLIDER_ACCELERATION], seen[SPEED] = ax, w1
    seen[JOINT_FORCE], seen[DEPTH], seen[GUIDE_FORCE] = normal, depth, pressed
    y[CRANK_RATE], y[ROD_RATE], y[X_RATE] = w1 + h * a1, w2 + h * a2, y[X_RATE] + h * ax
    if p[GUIDED] == 0.0:
        y[Y_RATE] += h * ((gy - fy) / p[M4] - p[GRAVITY])
        y[PSI_RATE] += h * (turning + moment4) / p[J4]
    middle = 0.5 * (w1 + y[CRANK_RATE])
    y[WORK] += h * torques[0] * middle
    y[LOST] += h * (lost + p[VISCOUS] * w1 * w1 - dry * middle)
    y[CRANK] += h * y[CRANK_RATE]
    y[ROD] += h * y[ROD_RATE]
    y[X] += h * y[X_RATE]
    y[Y] += h * y[Y_RATE]
    y[PSI] += h * y[PSI_RATE]


def energy(y: Floats, p: Floats) -> float:
    """Kinetic, of weight and of the contacts, J."""
    theta, phi, w1, w2 = y[CRANK], y[ROD], y[CRANK_RATE], y[ROD_RATE]
    moving = 0.5 * (p[J1] + p[M3] * p[R] ** 2) * w1**2 + 0.5 * p[J3] * w2**2 + p[M3] * p[R] * p[S] * math.cos(theta - phi) * w1 * w2
    moving += 0.5 * p[M4] * (y[X_RATE] ** 2 + y[Y_RATE] ** 2) + 0.5 * p[J4] * y[PSI_RATE] ** 2
    high = p[GRAVITY] * ((p[WEIGHT_1] + p[M3] * p[R]) * math.sin(theta) + p[M3] * p[S] * math.sin(phi) + p[M4] * y[Y])
    ex = y[X] - p[R] * math.cos(theta) - p[L] * math.cos(phi)
    ey = y[Y] - p[R] * math.sin(theta) - p[L] * math.sin(phi)
    pressed = stored(math.hypot(ex, ey) - p[GAP], p[LAW:], y[TOUCH:])
    if p[GUIDED] == 0.0:
        for n, side in enumerate((-1.0, 1.0)):
            for m, end in enumerate((-1.0, 1.0)):
                touch = y[CORNERS + CONTACT_STATES * (2 * n + m) :]
                ry = end * p[HALF_LENGTH] * math.sin(y[PSI]) + side * p[HALF_HEIGHT] * math.cos(y[PSI])
                pressed += stored(side * (y[Y] + ry) - p[HALF_HEIGHT] - p[GUIDE_GAP], p[GUIDE_LAW:], touch)
    return float(moving + high + pressed)


def centred(crank: float, p: Floats) -> Floats:
    """The state at rest at a crank angle (rad) with journal and slider in the middle: at equilibrium where there is no weight."""
    y = np.zeros(STATES)
    y[CRANK], y[ROD] = crank, -math.asin(p[R] / p[L] * math.sin(crank))
    y[X] = p[R] * math.cos(crank) + p[L] * math.cos(y[ROD])
    return y
