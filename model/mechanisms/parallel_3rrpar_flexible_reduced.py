"""The flexible 3-RRPaR reduced to an axial spring and bending modes for each pair of long bars, compiled, for generalised-alpha.

| symbol | unit | meaning |
|---|---|---|
| q | m | P; eta of leg 1 (along n: modes 1, 2; along y: modes 1, 2), of leg 2, of leg 3; with clearance then e of R1 and of R3 |
| T, E | m | centres of a leg's short bars: the driven arm's tip, and P + d - e |
| w, u, N | m, 1, N | E - T, its direction; pull of both bars, k (abs(w) - L + tau abs(w)'), k = 2 EA/L |
| n, y | 1 | across the bars: n across the driven axis as well, y = n x u |
| eta_k | m | amplitude of both bars' bending sin(k pi x/L), pinned at both ends, omega_k = (k pi/L)^2 sqrt(EI/rho A) |

Left out: the platform's turning (both bars of a pair stretch alike), the bars' twist and thickness, the short bars' own inertia of turning,
and what is of the order of eta times the bars' turning rate squared.

The contact is that of model.mechanisms.parallel_3rrpar_flexible_contact, with the bush turning as w does.
"""

from __future__ import annotations

import math
from typing import Any

from model.arrays import fill
from model.integrators.generalized_alpha_kernel import RESIDUAL, TANGENT
from model.mechanisms import parallel_3rrpar_flexible_contact as pins
from model.mechanisms import parallel_3rrpar_kernel as rigid
from model.mechanisms.parallel_3rrpar_flexible_bodies import FAR, GAP, THREE, WITH_CLEARANCE, Three, at, cross, in_leg, put
from model.signatures import CHANNELS, INDEX, REAL, TABLE, VECTOR, Floats, compiled

MODES = 2
ETA, IDEAL = 3, 3 + 6 * MODES  # place of the first eta; number of coordinates without those of the clearance
# Places behind p of the rigid mechanism: k, tau, mass of both bars, of a short bar, of the platform, g, L, omega_k squared.
STIFFNESS, DAMPING, PAIR, SHORT, PLATFORM, WEIGHT, LENGTH, SQUARES = range(8)
OWN = SQUARES + MODES
# Of a leg in s: u, n, y, T - A, T'', E'', force on E and on T without the contact, dbeta/dE, the push of the bush's
# friction on E, and on T against it; then N, abs(w), beta'.
U, N, Y, ARM, T2, E2, ON_E, ON_T, TURN, PUSH, PULL, SPAN, RATE, LEG = 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 31, 32, 33
PLACED = pins.STATE
GAPS = PLACED + 3 * LEG  # z, z', rows and matrix of the contact
ROOM = GAPS + 3 * WITH_CLEARANCE + WITH_CLEARANCE**2


@compiled(INDEX(VECTOR))
def own(p: Floats) -> int:
    """Where the reduced mechanism's own parameters begin."""
    return rigid.DRIVES + rigid.EACH_POINT * int(p[rigid.GRID_POINTS])


@compiled(THREE(INDEX, VECTOR, INDEX, VECTOR))
def end(leg: int, values: Floats, begin: int, joint: Floats) -> Three:
    """E, E' or E'' of a leg: from begin on P and so on; joint: d, or nothing."""
    x, y, z = values[begin] + joint[0], values[begin + 1] + joint[1], values[begin + 2] + joint[2]
    n = values.size // 3
    if n > IDEAL and leg != 1:
        g = begin + IDEAL + leg
        x -= values[g]
        z += values[g + 1]
    return x, y, z


@compiled(INDEX(INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR))
def place(leg: int, t: float, y: Floats, p: Floats, mine: Floats, k: Floats) -> int:
    """Kinematics and forces of a leg into k."""
    n, of, side = y.size // 3, rigid.tip(leg, t, p), 1.0 if leg == 1 else -1.0
    joint, nothing, pivot = rigid.JOINT + 3 * leg, k[ON_E:ON_T], rigid.PIVOT + 3 * leg
    fill(nothing, 0.0)
    tip, tip_rate, tip_second = in_leg(leg, of[0], side * of[1]), in_leg(leg, of[2], side * of[3]), in_leg(leg, of[4], side * of[5])
    height = p[pivot + 2] if leg == 1 else 0.0
    far, far_rate, far_second = end(leg, y, 0, p[joint : joint + 3]), end(leg, y, n, nothing), end(leg, y, 2 * n, nothing)
    wx, wy, wz = far[0] - tip[0], far[1] - tip[1], far[2] - tip[2] - height
    rx, ry, rz = far_rate[0] - tip_rate[0], far_rate[1] - tip_rate[1], far_rate[2] - tip_rate[2]
    span = math.sqrt(wx * wx + wy * wy + wz * wz)
    ws, rs = (wy, ry) if leg == 1 else (-wz, -rz)
    square = wx * wx + ws * ws
    flat = math.sqrt(square)
    u, normal = (wx / span, wy / span, wz / span), in_leg(leg, -ws / flat, wx / flat)
    put(k, U, u)
    put(k, N, normal)
    put(k, Y, cross(normal, u))
    put(k, TURN, in_leg(leg, -ws / square, wx / square))
    put(k, PUSH, (0.0, 0.0, 0.0))
    put(k, ARM, (tip[0] - p[pivot], tip[1] - p[pivot + 1], tip[2] + height - p[pivot + 2]))
    put(k, T2, tip_second)
    put(k, E2, far_second)
    k[SPAN], k[RATE] = span, (wx * rs - ws * rx) / square
    k[PULL] = mine[STIFFNESS] * (span - mine[LENGTH] + mine[DAMPING] * (u[0] * rx + u[1] * ry + u[2] * rz))
    pair, short, g = mine[PAIR], mine[SHORT], mine[WEIGHT]
    for i in range(3):
        up = g if i == 2 else 0.0
        k[ON_E + i] = (pair / 3.0 + short) * k[E2 + i] + pair / 6.0 * k[T2 + i] + (0.5 * pair + short) * up + k[PULL] * k[U + i]
        k[ON_T + i] = (pair / 3.0 + short) * k[T2 + i] + pair / 6.0 * k[E2 + i] + (0.5 * pair + short) * up - k[PULL] * k[U + i]
    return 0


@compiled(INDEX(INDEX, VECTOR, VECTOR, VECTOR, VECTOR))
def bend(leg: int, y: Floats, r: Floats, mine: Floats, k: Floats) -> int:
    """Rows of a leg's eta, and what they add to the forces on its ends."""
    n, g = y.size // 3, mine[WEIGHT]
    for across in range(2):
        d = at(k, N if across == 0 else Y)
        ahead = d[0] * k[E2] + d[1] * k[E2 + 1] + d[2] * (k[E2 + 2] + g)
        behind = d[0] * k[T2] + d[1] * k[T2 + 1] + d[2] * (k[T2 + 2] + g)
        for mode in range(MODES):
            at_eta = ETA + 2 * MODES * leg + MODES * across + mode
            share, sign, square = mine[PAIR] / ((mode + 1) * math.pi), 1.0 - 2.0 * mode, mine[SQUARES + mode]
            second = y[2 * n + at_eta]
            r[at_eta] = 0.5 * mine[PAIR] * (second + square * (y[at_eta] + mine[DAMPING] * y[n + at_eta])) + share * (behind + sign * ahead)
            for i in range(3):
                k[ON_E + i] += share * sign * second * d[i]
                k[ON_T + i] += share * second * d[i]
    return 0


@compiled(INDEX(VECTOR, VECTOR))
def gather(y: Floats, s: Floats) -> int:
    """z and z' as the contact wants them into s, after `place`."""
    n = y.size // 3
    z, v = s[GAPS : GAPS + WITH_CLEARANCE], s[GAPS + WITH_CLEARANCE : GAPS + 2 * WITH_CLEARANCE]
    for k in range(4):
        z[GAP + k], v[GAP + k] = y[IDEAL + k], y[n + IDEAL + k]
    for leg in range(rigid.LEGS):
        v[FAR + leg] = s[PLACED + LEG * leg + RATE]
    return 0


@compiled(INDEX(INDEX, VECTOR, VECTOR))
def add_on_end(leg: int, force: Floats, r: Floats) -> int:
    """Add a force on E to the rows of q."""
    for i in range(3):
        r[i] += force[i]
    if r.size > IDEAL and leg != 1:
        r[IDEAL + leg] -= force[0]
        r[IDEAL + leg + 1] += force[2]
    return 0


@compiled(RESIDUAL.signature)
def residual(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: Any) -> int:
    """M v' - f."""
    n, mine = y.size // 3, p[own(p) :]
    fill(r, 0.0)
    for i in range(3):
        r[i] = mine[PLATFORM] * (y[2 * n + i] + (mine[WEIGHT] if i == 2 else 0.0))
    for leg in range(rigid.LEGS):
        k = s[PLACED + LEG * leg : PLACED + LEG * (leg + 1)]
        place(leg, t, y, p, mine, k)
        bend(leg, y, r, mine, k)
        add_on_end(leg, k[ON_E:ON_T], r)
    if n > IDEAL:
        gather(y, s)
        z, v = s[GAPS : GAPS + WITH_CLEARANCE], s[GAPS + WITH_CLEARANCE : GAPS + 2 * WITH_CLEARANCE]
        rows = s[GAPS + 2 * WITH_CLEARANCE : GAPS + 3 * WITH_CLEARANCE]
        fill(rows, 0.0)
        pins.subtract_forces(z, v, rows, p, s, law)
        for leg in rigid.ALONG_Y:
            k = s[PLACED + LEG * leg : PLACED + LEG * (leg + 1)]
            r[IDEAL + leg] += rows[GAP + leg]
            r[IDEAL + leg + 1] += rows[GAP + leg + 1]
            for i in range(3):
                k[PUSH + i] = k[TURN + i] * rows[FAR + leg]
            add_on_end(leg, k[PUSH:PULL], r)
    return 0


@compiled(INDEX(INDEX, TABLE, VECTOR, TABLE))
def add_contact(leg: int, found: Floats, k: Floats, matrix: Floats) -> int:
    """Add a pin's tangents, by e and beta, to those of q: beta turns with P and against e."""
    of_q = (0, 1, 2, IDEAL + leg, IDEAL + leg + 1)
    turn = (k[TURN], k[TURN + 1], k[TURN + 2], -k[TURN], k[TURN + 2])
    for row in range(5):
        for column in range(5):
            total = turn[row] * found[FAR + leg, FAR + leg] * turn[column]
            if row > 2:
                total += found[GAP + leg + row - 3, FAR + leg] * turn[column]
            if column > 2:
                total += turn[row] * found[FAR + leg, GAP + leg + column - 3]
            if row > 2 and column > 2:
                total += found[GAP + leg + row - 3, GAP + leg + column - 3]
            matrix[of_q[row], of_q[column]] += total
    return 0


@compiled(INDEX(INDEX, TABLE, REAL, REAL, VECTOR, VECTOR))
def add_leg(leg: int, matrix: Floats, c_a: float, c_v: float, mine: Floats, k: Floats) -> int:
    """Add a leg's inertia, stretching and bending to the rows and columns of q, after `place`."""
    n = matrix.shape[0]
    mass, stretch = c_a * (mine[PAIR] / 3.0 + mine[SHORT]), mine[STIFFNESS] * (1.0 + c_v * mine[DAMPING])
    side = k[PULL] / k[SPAN]
    for column in range(5 if n > IDEAL and leg != 1 else 3):
        d = (0.0, 0.0, 0.0)
        if column < 3:
            d = (1.0 if column == 0 else 0.0, 1.0 if column == 1 else 0.0, 1.0 if column == 2 else 0.0)
        else:
            d = (-1.0, 0.0, 0.0) if column == 3 else (0.0, 0.0, 1.0)
        place_of = column if column < 3 else IDEAL + leg + column - 3
        along, force = k[U] * d[0] + k[U + 1] * d[1] + k[U + 2] * d[2], k[ON_E:ON_T]
        for i in range(3):
            force[i] = (mass + side) * d[i] + (stretch - side) * along * k[U + i]
        for i in range(3):
            matrix[i, place_of] += force[i]
        if n > IDEAL and leg != 1:
            matrix[IDEAL + leg, place_of] -= force[0]
            matrix[IDEAL + leg + 1, place_of] += force[2]
        for eta in range(2 * MODES):
            axis, mode = (N if eta < MODES else Y), eta % MODES
            share = c_a * mine[PAIR] / ((mode + 1) * math.pi) * (1.0 - 2.0 * mode)
            share *= k[axis] * d[0] + k[axis + 1] * d[1] + k[axis + 2] * d[2]
            matrix[ETA + 2 * MODES * leg + eta, place_of] += share
            matrix[place_of, ETA + 2 * MODES * leg + eta] += share
    for eta in range(2 * MODES):
        square, diagonal = mine[SQUARES + eta % MODES], ETA + 2 * MODES * leg + eta
        matrix[diagonal, diagonal] = 0.5 * mine[PAIR] * (c_a + square * (1.0 + c_v * mine[DAMPING]))
    return 0


@compiled(TANGENT.signature)
def tangent(t: float, y: Floats, matrix: Floats, c_a: float, c_v: float, p: Floats, s: Floats, law: Any) -> int:
    """c_a M + c_v C + K, but for the change of the bars' directions with the forces of inertia."""
    n, mine = y.size // 3, p[own(p) :]
    for i in range(n):
        fill(matrix[i], 0.0)
    for i in range(3):
        matrix[i, i] = c_a * mine[PLATFORM]
    for leg in range(rigid.LEGS):
        k = s[PLACED + LEG * leg : PLACED + LEG * (leg + 1)]
        place(leg, t, y, p, mine, k)
        add_leg(leg, matrix, c_a, c_v, mine, k)
    if n > IDEAL:
        gather(y, s)
        z, v = s[GAPS : GAPS + WITH_CLEARANCE], s[GAPS + WITH_CLEARANCE : GAPS + 2 * WITH_CLEARANCE]
        begin = GAPS + 3 * WITH_CLEARANCE
        fill(s[begin : begin + WITH_CLEARANCE**2], 0.0)
        found = s[begin : begin + WITH_CLEARANCE**2].reshape((WITH_CLEARANCE, WITH_CLEARANCE))
        pins.subtract_tangents(z, v, found, c_v, p, s, law)
        for leg in rigid.ALONG_Y:
            add_contact(leg, found, s[PLACED + LEG * leg : PLACED + LEG * (leg + 1)], matrix)
    return 0


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: Any) -> int:
    """CHANNELS of model.mechanisms.parallel_3rrpar; the platform's motion is that of the path's point."""
    n, mine = y.size // 3, p[own(p) :]
    for i in range(3):
        values[rigid.POSITION + i] = y[i] + p[rigid.POINT + i]
        values[rigid.VELOCITY + i], values[rigid.ACCELERATION + i] = y[n + i], y[2 * n + i]
        values[rigid.R1_ECCENTRICITY + i] = values[rigid.R3_ECCENTRICITY + i] = 0.0
    residual(t, y, s[GAPS + 3 * WITH_CLEARANCE : GAPS + 3 * WITH_CLEARANCE + n], p, s, law)
    for leg in range(rigid.LEGS):
        k = s[PLACED + LEG * leg : PLACED + LEG * (leg + 1)]
        theta, _, second = rigid.drive(leg, t, p)
        side, across = (1.0, ARM + 1) if leg == 1 else (-1.0, ARM + 2)
        weight = 0.0 if leg == 1 else mine[WEIGHT] * p[rigid.ARM_WEIGHT] * k[ARM] / p[rigid.ARM]
        other = across - ARM
        turning = k[ARM] * (k[ON_T + other] - k[PUSH + other]) - k[across] * (k[ON_T] - k[PUSH]) + weight
        values[rigid.ANGLE + leg], values[rigid.TORQUE + leg] = theta, p[rigid.J_ARM + leg] * second + side * turning
        if leg != 1:
            fx, fz = k[ON_E] + k[PUSH], k[ON_E + 2] + k[PUSH + 2]
            values[rigid.R1_FORCE + leg // 2] = math.sqrt(fx * fx + fz * fz)
    if n > IDEAL:
        for leg in rigid.ALONG_Y:
            begin = rigid.R1_ECCENTRICITY if leg == 0 else rigid.R3_ECCENTRICITY
            values[begin], values[begin + 2] = y[IDEAL + leg], -y[IDEAL + leg + 1]
    return 0
