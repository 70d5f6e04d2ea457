"""Motion of the slider-crank rig whose rod bends and stretches, compiled: a beam that carries three masses.

As `rig.virtual.plants.motor_rig.slider_crank_kernel` in all but the rod, whose masses x_1 .. x_3 and end x_4 are points of their own in the
plane; x_0 is the crank's pin. The pin's friction turns slider and last quarter of the rod.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.signatures import REAL, VECTOR, Floats, compiled
from rig.virtual.plants.contact import pressing, rubbing, stored
from rig.virtual.plants.motor_rig import lumped_bar as bar
from rig.virtual.plants.motor_rig.slider_crank_kernel import DEPTH, GUIDE_FORCE, JOINT_FORCE, SLIDER_ACCELERATION, SPEED, TORQUE
from rig.virtual.plants.motor_rig.slider_crank_kernel import SEEN as SENSED
from rig.virtual.plants.surfaces import BRANCH, CONTACT_COLUMNS, CONTACT_STATES, DEEPEST

(
    R, J_UP, J1, M3, M4, J4, WEIGHT_1, GRAVITY, GAP, JOURNAL, GUIDED, GUIDE_GAP, HALF_LENGTH, HALF_HEIGHT, VISCOUS, COULOMB, LAW,
) = range(17)  # fmt: skip
GUIDE_LAW = LAW + CONTACT_COLUMNS
ROD = GUIDE_LAW + CONTACT_COLUMNS
PARAMETERS = ROD + bar.BAR
CRANK, CRANK_RATE, WORK, LOST, POINTS = range(5)
POINT_RATES = POINTS + 2 * bar.QUARTERS + 3
X, Y, PSI, X_RATE, Y_RATE, PSI_RATE = *range(POINT_RATES - 3, POINT_RATES), *range(POINT_RATES + 8, POINT_RATES + 11)
TOUCH = PSI_RATE + 1
CORNERS = TOUCH + CONTACT_STATES
STATES = CORNERS + 4 * CONTACT_STATES
RATES = (CRANK_RATE, *range(POINT_RATES, TOUCH))
SEEN = SENSED + bar.ROOM
SHARING = 3.0  # contacts that the slider has at once: its pin, and two corners
FIVE = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
SEVEN = types.UniTuple(REAL, 7)  # type: ignore[no-untyped-call]


@compiled(FIVE(VECTOR, VECTOR, REAL))
def guide(y: Floats, p: Floats, h: float) -> tuple[float, float, float, float, float]:
    """(f_x, f_y, moment, sum of the normal forces, lost power): of the guide on the slider, by its four corners."""
    fx = fy = moment = total = lost = 0.0
    cosine, sine = math.cos(y[PSI]), math.sin(y[PSI])
    for corner in range(4):
        side, end, touch = -1.0 + 2.0 * (corner // 2), -1.0 + 2.0 * (corner % 2), CORNERS + CONTACT_STATES * corner
        rx = end * p[HALF_LENGTH] * cosine - side * p[HALF_HEIGHT] * sine
        ry = end * p[HALF_LENGTH] * sine + side * p[HALF_HEIGHT] * cosine
        depth = side * (y[Y] + ry) - p[HALF_HEIGHT] - p[GUIDE_GAP]
        if depth <= 0.0:
            y[touch + BRANCH] = y[touch + DEEPEST] = 0.0
            continue
        rate = side * (y[Y_RATE] + y[PSI_RATE] * rx)
        mass = 1.0 / (SHARING * (1.0 / p[M4] + rx * rx / p[J4]))
        normal, elastic = pressing(depth, rate, mass, h, p[GUIDE_LAW:], y[touch:])
        sliding = y[X_RATE] - y[PSI_RATE] * ry
        along = rubbing(sliding, normal, p[GUIDE_LAW:])
        fx, fy = fx + along, fy - side * normal
        moment -= rx * side * normal + ry * along
        total += normal
        lost += (normal - elastic) * rate - along * sliding
    return fx, fy, moment, total, lost


@compiled(SEVEN(VECTOR, VECTOR, VECTOR, REAL))
def pin(y: Floats, p: Floats, w: Floats, h: float) -> tuple[float, float, float, float, float, float, float]:
    """(f_x, f_y) on the rod, moments of friction on rod and slider, normal force, penetration, lost power; w: the rod's points."""
    ex, ey = y[X] - w[bar.X + 12], y[Y] - w[bar.X + 13]
    vx, vy = y[X_RATE] - w[bar.V + 12], y[Y_RATE] - w[bar.V + 13]
    distance = math.sqrt(ex * ex + ey * ey)
    depth = distance - p[GAP]
    if depth <= 0.0:
        y[TOUCH + BRANCH] = y[TOUCH + DEEPEST] = 0.0
        return 0.0, 0.0, 0.0, 0.0, 0.0, depth, 0.0
    nx, ny = ex / distance, ey / distance
    rate = vx * nx + vy * ny
    mass = 1.0 / (12.0 / p[M3] + 1.0 / p[M4]) / SHARING
    normal, elastic = pressing(depth, rate, mass, h, p[LAW:], y[TOUCH:])
    qx, qy = w[bar.X + 12] - w[bar.X + 9], w[bar.X + 13] - w[bar.X + 10]
    turning = (qx * (w[bar.V + 13] - w[bar.V + 10]) - qy * (w[bar.V + 12] - w[bar.V + 9])) / (qx * qx + qy * qy)
    bearing = p[JOURNAL] + p[GAP]
    sliding = vy * nx - vx * ny + y[PSI_RATE] * p[JOURNAL] - turning * bearing
    along = rubbing(sliding, normal, p[LAW:])
    lost = (normal - elastic) * rate - along * sliding
    return normal * nx + along * ny, normal * ny - along * nx, -along * bearing, along * p[JOURNAL], normal, depth, lost


@compiled(types.void(VECTOR, VECTOR, VECTOR))
def place(y: Floats, p: Floats, w: Floats) -> None:
    """The rod's points and their rates into w."""
    c1, s1, speed = math.cos(y[CRANK]), math.sin(y[CRANK]), p[R] * y[CRANK_RATE]
    w[bar.X], w[bar.X + 1], w[bar.X + 2] = p[R] * c1, p[R] * s1, 0.0
    w[bar.V], w[bar.V + 1], w[bar.V + 2] = -speed * s1, speed * c1, 0.0
    for k in range(bar.QUARTERS):
        at, of = 3 + 3 * k, 2 * k
        w[bar.X + at], w[bar.X + at + 1], w[bar.X + at + 2] = y[POINTS + of], y[POINTS + of + 1], 0.0
        w[bar.V + at], w[bar.V + at + 1], w[bar.V + at + 2] = y[POINT_RATES + of], y[POINT_RATES + of + 1], 0.0


@compiled(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
def motion(y: Floats, p: Floats, torques: Floats, volts: Floats, seen: Floats, h: float) -> None:
    """One step; see `rig.virtual.plants.motor_rig.kernel`."""
    w, speed = seen[SENSED:], y[CRANK_RATE]
    place(y, p, w)
    lost = bar.strain(w, p[ROD:])
    fx, fy, on_rod, on_slider, normal, depth, more = pin(y, p, w, h)
    lost += more
    qx, qy = w[bar.X + 12] - w[bar.X + 9], w[bar.X + 13] - w[bar.X + 10]
    couple = on_rod / (qx * qx + qy * qy)
    w[bar.F + 9] += couple * qy
    w[bar.F + 10] -= couple * qx
    w[bar.F + 12] += fx - couple * qy
    w[bar.F + 13] += fy + couple * qx
    gx = gy = turning = pressed = 0.0
    if p[GUIDED] == 0.0:
        gx, gy, turning, pressed, more = guide(y, p, h)
        lost += more
    else:
        pressed = abs(p[M4] * p[GRAVITY] + fy)
    ax = (gx - fx) / p[M4]
    # The crank, with the rod's end on its pin.
    end = p[M3] / 12.0
    right = torques[0] - p[VISCOUS] * speed + w[bar.X] * w[bar.F + 1] - w[bar.X + 1] * w[bar.F]
    right -= (p[WEIGHT_1] / p[R] + end) * p[GRAVITY] * w[bar.X]
    light = 1.0 / (p[J1] + end * p[R] * p[R])
    free = speed + h * light * right
    dry = -math.copysign(min(p[COULOMB] + torques[1], abs(free) / (h * light)), free)
    change = light * (right + dry)
    # What sensors look at, at the beginning of the step.
    seen[TORQUE] = torques[0] + dry - p[VISCOUS] * speed - p[J_UP] * change
    seen[SLIDER_ACCELERATION], seen[SPEED] = ax, speed
    seen[JOINT_FORCE], seen[DEPTH], seen[GUIDE_FORCE] = normal, depth, pressed
    y[CRANK_RATE], y[X_RATE] = speed + h * change, y[X_RATE] + h * ax
    if p[GUIDED] == 0.0:
        y[Y_RATE] += h * ((gy - fy) / p[M4] - p[GRAVITY])
        y[PSI_RATE] += h * (turning + on_slider) / p[J4]
    for k in range(bar.QUARTERS):
        mass = end if k == bar.MASSES else p[M3] * (1.0 / 3.0 if k % 2 == 0 else 1.0 / 6.0)
        y[POINT_RATES + 2 * k] += h * w[bar.F + 3 + 3 * k] / mass
        y[POINT_RATES + 2 * k + 1] += h * (w[bar.F + 4 + 3 * k] / mass - p[GRAVITY])
    middle = 0.5 * (speed + y[CRANK_RATE])
    y[WORK] += h * torques[0] * middle
    y[LOST] += h * (lost + p[VISCOUS] * speed * speed - dry * middle)
    y[CRANK] += h * y[CRANK_RATE]
    for k in range(POINT_RATES - POINTS):
        y[POINTS + k] += h * y[POINT_RATES + k]


def energy(y: Floats, p: Floats) -> float:
    """Kinetic, of weight, strain and contacts, J."""
    w = np.zeros(bar.ROOM)
    place(y, p, w)
    points, rates = (w[at : at + 15].reshape(5, 3) for at in (bar.X, bar.V))
    masses = p[M3] * np.array(bar.SHARES)
    total = 0.5 * float(masses @ np.sum(rates**2, axis=1)) + bar.stored(points, p[ROD:]) + 0.5 * p[J1] * y[CRANK_RATE] ** 2
    total += 0.5 * p[M4] * (y[X_RATE] ** 2 + y[Y_RATE] ** 2) + 0.5 * p[J4] * y[PSI_RATE] ** 2
    total += p[GRAVITY] * (p[WEIGHT_1] / p[R] * points[0, 1] + float(masses @ points[:, 1]) + p[M4] * y[Y])
    total += stored(math.hypot(y[X] - points[-1, 0], y[Y] - points[-1, 1]) - p[GAP], p[LAW:], y[TOUCH:])
    for corner in range(0 if p[GUIDED] else 4):
        side, end = -1.0 + 2.0 * (corner // 2), -1.0 + 2.0 * (corner % 2)
        ry = end * p[HALF_LENGTH] * math.sin(y[PSI]) + side * p[HALF_HEIGHT] * math.cos(y[PSI])
        depth = side * (y[Y] + ry) - p[HALF_HEIGHT] - p[GUIDE_GAP]
        total += stored(depth, p[GUIDE_LAW:], y[CORNERS + CONTACT_STATES * corner :])
    return float(total)
