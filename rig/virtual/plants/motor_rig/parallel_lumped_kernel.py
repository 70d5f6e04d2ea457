"""Motion of the 3-RRPaR rig whose long bars bend and stretch, compiled: each pair of them a beam that carries three masses.

As `rig.virtual.plants.motor_rig.parallel_kernel` in all but the legs. A leg has the arm's angle theta, its masses x_1 .. x_3 and its far
short bar x_4 as points of their own in (X, s, a) from the motor; x_0 is the arm's tip T. Left out: the bars' thickness, and the short bars'
own inertia of turning, a ten-thousandth of a leg's about T.

| symbol | unit | meaning |
|---|---|---|
| r = P + d - x_4 | m | pin from the middle of its bush |
| beta' | rad/s | of the short bar about a: turning of the last quarter of the bars, on which friction's moment acts as well |
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from rig.virtual.plants.contact import pressing, rubbing, stored
from rig.virtual.plants.motor_rig import lumped_bar as bar
from rig.virtual.plants.motor_rig.parallel_kernel import ACCELERATION, AXES, JOINT_FORCE, LEGS, SIDES, TORQUE
from rig.virtual.plants.motor_rig.parallel_kernel import SEEN as SENSED
from rig.virtual.plants.surfaces import BRANCH, CONTACT_COLUMNS, CONTACT_STATES, DEEPEST

ARM, ARM_MOMENT, PAIR, SHORT, PLATFORM, GRAVITY, BUSH, SPRING, SPRING_DAMPING, FEELS, ALONE = range(11)
GAP, INERTIA, VISCOUS, COULOMB, PIVOT, PIN, LAW = ALONE, ALONE + 3, ALONE + 6, ALONE + 9, ALONE + 12, ALONE + 21, ALONE + 30
BARS = LAW + LEGS * CONTACT_COLUMNS
PARAMETERS = BARS + LEGS * bar.BAR
"""Places from GAP on are three each, of the legs; of PIVOT and PIN three each as X, Y, Z. A GAP of 0: that joint has no clearance."""
EACH = 3 * bar.QUARTERS
"""Coordinates of a leg's points x_1 .. x_4."""
ANGLE, RATE, WORK, LOST, POINTS = 0, 3, 6, 7, 8
PLACE = POINTS + LEGS * EACH
POINT_RATES = PLACE + 3
VELOCITY = POINT_RATES + LEGS * EACH
TOUCH = VELOCITY + 3
STATES = TOUCH + LEGS * CONTACT_STATES
RATES = (3, 4, 5, *range(POINT_RATES, TOUCH))
SEEN = SENSED + bar.ROOM
"""Behind what sensors look at there is room to compute in."""
SHARING = 2.0  # joints with clearance that drive the platform at once
HELD = types.UniTuple(REAL, 6)  # type: ignore[no-untyped-call]


@compiled(HELD(VECTOR, VECTOR, INDEX, VECTOR, REAL))
def held(y: Floats, p: Floats, leg: int, w: Floats, h: float) -> tuple[float, float, float, float, float, float]:
    """(F_x, F_s, F_a) of the platform on a leg at its pin, moment of friction about a, force across a, lost power; w: the leg's points."""
    at, pin, flat = PIVOT + 3 * leg, PIN + 3 * leg, leg == 1
    gx, gy, gz = y[PLACE] + p[pin] - p[at], y[PLACE + 1] + p[pin + 1] - p[at + 1], y[PLACE + 2] + p[pin + 2] - p[at + 2]
    vx, vy, vz = y[VELOCITY], y[VELOCITY + 1], y[VELOCITY + 2]
    gs, ga, vs, va = (gy, gz, vy, vz) if flat else (-gz, gy, -vz, vy)
    rx, rs, ra = gx - w[bar.X + 12], gs - w[bar.X + 13], ga - w[bar.X + 14]
    vx, vs, va = vx - w[bar.V + 12], vs - w[bar.V + 13], va - w[bar.V + 14]
    fa, lost = p[SPRING] * ra + p[SPRING_DAMPING] * va, p[SPRING_DAMPING] * va * va
    if p[GAP + leg] == 0.0:
        fx, fs = p[SPRING] * rx + p[SPRING_DAMPING] * vx, p[SPRING] * rs + p[SPRING_DAMPING] * vs
        return fx, fs, fa, 0.0, math.sqrt(fx * fx + fs * fs), lost + p[SPRING_DAMPING] * (vx * vx + vs * vs)
    law, touch = LAW + CONTACT_COLUMNS * leg, TOUCH + CONTACT_STATES * leg
    distance = math.sqrt(rx * rx + rs * rs)
    depth = distance - p[GAP + leg]
    if depth <= 0.0:
        y[touch + BRANCH] = y[touch + DEEPEST] = 0.0
        return 0.0, 0.0, fa, 0.0, 0.0, lost
    nx, ns = rx / distance, rs / distance
    rate = vx * nx + vs * ns
    end = p[SHORT] + p[PAIR] / 12.0
    mass = 1.0 / (1.0 / end + 1.0 / p[PLATFORM]) / SHARING
    normal, elastic = pressing(depth, rate, mass, h, p[law:], y[touch:])
    qx, qs = w[bar.X + 12] - w[bar.X + 9], w[bar.X + 13] - w[bar.X + 10]
    turning = (qx * (w[bar.V + 13] - w[bar.V + 10]) - qs * (w[bar.V + 12] - w[bar.V + 9])) / (qx * qx + qs * qs)
    sliding = vs * nx - vx * ns - turning * p[BUSH]
    along = rubbing(sliding, normal, p[law:])  # on the pin, along (-n_s, n_x)
    lost += (normal - elastic) * rate - along * sliding
    return normal * nx + along * ns, normal * ns - along * nx, fa, -along * p[BUSH], normal, lost


@compiled(types.void(VECTOR, VECTOR, INDEX, VECTOR))
def place(y: Floats, p: Floats, leg: int, w: Floats) -> None:
    """A leg's points and their rates into w."""
    ct, st, rate = math.cos(y[ANGLE + leg]), math.sin(y[ANGLE + leg]), p[ARM] * y[RATE + leg]
    w[bar.X], w[bar.X + 1], w[bar.X + 2] = p[ARM] * ct, p[ARM] * st, 0.0
    w[bar.V], w[bar.V + 1], w[bar.V + 2] = -rate * st, rate * ct, 0.0
    for i in range(EACH):
        w[bar.X + 3 + i], w[bar.V + 3 + i] = y[POINTS + EACH * leg + i], y[POINT_RATES + EACH * leg + i]


@compiled(types.void(VECTOR, VECTOR, INDEX, VECTOR, REAL, REAL, REAL))
def move_points(y: Floats, p: Floats, leg: int, w: Floats, h: float, up_s: float, up_a: float) -> None:
    """A step of a leg's points x_1 .. x_4 under the forces in w; up: what holds a kilogram up along s and a, N."""
    for k in range(bar.QUARTERS):
        mass = p[PAIR] * (1.0 / 3.0 if k % 2 == 0 else 1.0 / 6.0) if k < bar.MASSES else p[SHORT] + p[PAIR] / 12.0
        at = POINTS + EACH * leg + 3 * k
        rate = at - POINTS + POINT_RATES
        y[rate] += h * w[bar.F + 3 + 3 * k] / mass
        y[rate + 1] += h * (w[bar.F + 4 + 3 * k] / mass - up_s)
        y[rate + 2] += h * (w[bar.F + 5 + 3 * k] / mass - up_a)
        for i in range(3):
            y[at + i] += h * y[rate + i]


@compiled(types.void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL))
def motion(y: Floats, p: Floats, torques: Floats, volts: Floats, seen: Floats, h: float) -> None:
    """One step; see `rig.virtual.plants.motor_rig.kernel`."""
    lx, ly, lz = 0.0, 0.0, -p[PLATFORM] * p[GRAVITY]  # on the platform
    lost = work = 0.0
    w = seen[SENSED:]
    for leg in range(LEGS):
        flat, speed = leg == 1, y[RATE + leg]
        up_s, up_a = (0.0, p[GRAVITY]) if flat else (-p[GRAVITY], 0.0)
        place(y, p, leg, w)
        lost += bar.strain(w, p[BARS + bar.BAR * leg :])
        fx, fs, fa, moment, normal, more = held(y, p, leg, w, h)
        lost += more
        lx -= fx
        ly, lz = (ly - fs, lz - fa) if flat else (ly - fa, lz + fs)
        qx, qs = w[bar.X + 12] - w[bar.X + 9], w[bar.X + 13] - w[bar.X + 10]
        couple = moment / (qx * qx + qs * qs)
        w[bar.F + 9] += couple * qs
        w[bar.F + 10] -= couple * qx
        w[bar.F + 12] += fx - couple * qs
        w[bar.F + 13] += fs + couple * qx
        w[bar.F + 14] += fa
        # The arm, with the near short bar and the bars' ends at its tip.
        tip = p[SHORT] + p[PAIR] / 12.0
        right = torques[leg] - p[VISCOUS + leg] * speed + w[bar.X] * w[bar.F + 1] - w[bar.X + 1] * w[bar.F]
        right -= (p[ARM_MOMENT] / p[ARM] + tip) * w[bar.X] * up_s
        light = 1.0 / (p[INERTIA + leg] + tip * p[ARM] * p[ARM])
        free = speed + h * light * right
        dry = -math.copysign(min(p[COULOMB + leg] + torques[LEGS + leg], abs(free) / (h * light)), free)
        y[RATE + leg] = speed + h * light * (right + dry)
        move_points(y, p, leg, w, h, up_s, up_a)
        middle = 0.5 * (speed + y[RATE + leg])
        work += torques[leg] * middle
        lost += p[VISCOUS + leg] * speed * speed - dry * middle
        y[ANGLE + leg] += h * y[RATE + leg]
        seen[JOINT_FORCE + leg], seen[TORQUE + leg] = normal, torques[leg] + dry
    ax, ay, az = lx / p[PLATFORM], ly / p[PLATFORM], lz / p[PLATFORM]
    seen[ACCELERATION], seen[ACCELERATION + 1], seen[ACCELERATION + 2] = ax, ay, az + p[FEELS] * p[GRAVITY]
    y[VELOCITY], y[VELOCITY + 1], y[VELOCITY + 2] = y[VELOCITY] + h * ax, y[VELOCITY + 1] + h * ay, y[VELOCITY + 2] + h * az
    for i in range(3):
        y[PLACE + i] += h * y[VELOCITY + i]
    y[WORK] += h * work
    y[LOST] += h * lost


def energy(y: Floats, p: Floats) -> float:
    """Kinetic, of weight, strain, springs and contacts, J."""
    up, spot, velocity = p[GRAVITY] * np.array([0.0, 0.0, 1.0]), y[PLACE : PLACE + 3], y[VELOCITY : VELOCITY + 3]
    total = 0.5 * p[PLATFORM] * velocity @ velocity + p[PLATFORM] * up @ spot
    masses = p[PAIR] * np.array(bar.SHARES) + p[SHORT] * np.array([1.0, 0.0, 0.0, 0.0, 1.0])
    for leg in range(LEGS):
        frame, w = np.array([[1.0, 0.0, 0.0], SIDES[leg], AXES[leg]]), np.zeros(bar.ROOM)
        place(y, p, leg, w)
        points, rates = (w[at : at + 15].reshape(5, 3) for at in (bar.X, bar.V))
        total += 0.5 * float(masses @ np.sum(rates**2, axis=1)) + float(masses @ (points @ frame @ up))
        total += 0.5 * p[INERTIA + leg] * y[RATE + leg] ** 2 + p[ARM_MOMENT] / p[ARM] * float(points[0] @ frame @ up)
        total += bar.stored(points, p[BARS + bar.BAR * leg : BARS + bar.BAR * (leg + 1)])
        r = frame @ (spot + p[PIN + 3 * leg : PIN + 3 * leg + 3] - p[PIVOT + 3 * leg : PIVOT + 3 * leg + 3]) - points[-1]
        if p[GAP + leg] > 0.0:
            law, touch = p[LAW + CONTACT_COLUMNS * leg :], y[TOUCH + CONTACT_STATES * leg :]
            total += 0.5 * p[SPRING] * r[2] ** 2 + stored(math.hypot(r[0], r[1]) - p[GAP + leg], law, touch)
        else:
            total += 0.5 * p[SPRING] * float(r @ r)
    return float(total)
