"""The flexible 3-RRPaR reduced to an axial spring and bending modes for each pair of long bars, compiled, for generalised-alpha.

| symbol | unit | meaning |
|---|---|---|
| q | m | P; eta of leg 1 (along n: modes 1, 2; along y: modes 1, 2), of leg 2, of leg 3; with clearance then e of R1 and of R3 |
| T, E | m | centres of a leg's short bars: the driven arm's tip, and P + d - e |
| w, u, N | m, 1, N | E - T, its direction; pull of both bars, k (abs(w) - L + tau abs(w)'), k = 2 EA/L |
| n, y | 1 | across the bars: n across the driven axis as well, y = n x u |
| eta_k | m | amplitude of both bars' bending sin(k pi x/L), pinned at both ends, omega_k = (k pi/L)^2 sqrt(EI/rho A) |

Left out: the platform's turning (both bars of a pair stretch alike), the bars' twist and thickness, the short bars' own inertia of turning.

The contact is that of model.mechanisms.parallel_3rrpar_flexible.contact, with the bush turning as w does.
"""

from __future__ import annotations

import math

from model.compiled.arrays import fill
from model.compiled.signatures import CHANNELS, INDEX, REAL, TABLE, VECTOR, ContactLaw, Floats, compiled
from model.integrators.generalized_alpha_kernel import RESIDUAL, TANGENT
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible.drives import drive
from model.mechanisms.parallel_3rrpar_flexible.reduced.bars import (  # fmt: skip
    ARM,
    DAMPING,
    ETA,
    IDEAL,
    LEG,
    MODES,
    ON_E,
    ON_T,
    PAIR,
    PLATFORM,
    PULL,
    PUSH,
    RATE,
    SHORT,
    SPAN,
    SQUARES,
    STIFFNESS,
    TURN,
    WEIGHT,
    N,
    U,
    Y,
    bend,
    place,
)

PLACED = pins.STATE
SEEN = PLACED + 3 * LEG  # w, w', rows and matrix of the contact, then room for n
OF_W = pins.SEEN
OUTPUT = SEEN + 3 * OF_W + OF_W**2
ROOM = OUTPUT + IDEAL + 2 * rigid.PINS


@compiled(INDEX(VECTOR))
def own(p: Floats) -> int:
    """Where the reduced mechanism's own parameters begin."""
    return rigid.DRIVES + rigid.EACH_POINT * int(p[rigid.GRID_POINTS])


@compiled(INDEX(VECTOR, VECTOR))
def gather(y: Floats, s: Floats) -> int:
    """w and w' into s, after `place`; beta itself does not count."""
    n = y.size // 3
    w, v = s[SEEN : SEEN + OF_W], s[SEEN + OF_W : SEEN + 2 * OF_W]
    for pin in range(rigid.PINS):
        leg, g = rigid.ALONG_Y[pin], pins.PIN * pin
        for k in range(2):
            w[g + k], v[g + k] = y[IDEAL + leg + k], y[n + IDEAL + leg + k]
        v[g + pins.BETA] = s[PLACED + LEG * leg + RATE]
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
def residual(t: float, y: Floats, r: Floats, p: Floats, s: Floats, law: ContactLaw) -> int:
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
        w, v, rows = s[SEEN : SEEN + OF_W], s[SEEN + OF_W : SEEN + 2 * OF_W], s[SEEN + 2 * OF_W : SEEN + 3 * OF_W]
        fill(rows, 0.0)
        pins.subtract_forces(w, v, rows, p, s, law)
        for pin in range(rigid.PINS):
            leg, g = rigid.ALONG_Y[pin], pins.PIN * pin
            k = s[PLACED + LEG * leg : PLACED + LEG * (leg + 1)]
            r[IDEAL + leg] += rows[g]
            r[IDEAL + leg + 1] += rows[g + 1]
            for i in range(3):
                k[PUSH + i] = k[TURN + i] * rows[g + pins.BETA]
            add_on_end(leg, k[PUSH:PULL], r)
            if p[rigid.CLEARANCE + pin] == 0.0:  # an ideal joint beside one with clearance: e stays 0
                r[IDEAL + leg], r[IDEAL + leg + 1] = mine[STIFFNESS] * y[IDEAL + leg], mine[STIFFNESS] * y[IDEAL + leg + 1]
    return 0


@compiled(INDEX(INDEX, TABLE, VECTOR, TABLE))
def add_contact(pin: int, found: Floats, k: Floats, matrix: Floats) -> int:
    """Add a pin's tangents, by e and beta, to those of q: beta turns with P and against e."""
    leg, g, beta = rigid.ALONG_Y[pin], pins.PIN * pin, pins.PIN * pin + pins.BETA
    of_q = (0, 1, 2, IDEAL + leg, IDEAL + leg + 1)
    turn = (k[TURN], k[TURN + 1], k[TURN + 2], -k[TURN], k[TURN + 2])
    for row in range(5):
        for column in range(5):
            total = turn[row] * found[beta, beta] * turn[column]
            if row > 2:
                total += found[g + row - 3, beta] * turn[column]
            if column > 2:
                total += turn[row] * found[beta, g + column - 3]
            if row > 2 and column > 2:
                total += found[g + row - 3, g + column - 3]
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
def tangent(t: float, y: Floats, matrix: Floats, c_a: float, c_v: float, p: Floats, s: Floats, law: ContactLaw) -> int:
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
        w, v = s[SEEN : SEEN + OF_W], s[SEEN + OF_W : SEEN + 2 * OF_W]
        begin = SEEN + 3 * OF_W
        fill(s[begin:OUTPUT], 0.0)
        found = s[begin:OUTPUT].reshape((OF_W, OF_W))
        pins.subtract_tangents(w, v, found, c_v, p, s, law)
        for pin in range(rigid.PINS):
            leg = rigid.ALONG_Y[pin]
            add_contact(pin, found, s[PLACED + LEG * leg : PLACED + LEG * (leg + 1)], matrix)
            if p[rigid.CLEARANCE + pin] == 0.0:
                for row in range(IDEAL + leg, IDEAL + leg + 2):
                    fill(matrix[row], 0.0)
                    matrix[row, row] = mine[STIFFNESS]
    return 0


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.parallel_3rrpar; the platform's motion is that of the path's point."""
    n, mine = y.size // 3, p[own(p) :]
    for i in range(3):
        values[rigid.POSITION + i] = y[i] + p[rigid.POINT + i]
        values[rigid.VELOCITY + i], values[rigid.ACCELERATION + i] = y[n + i], y[2 * n + i]
        values[rigid.R1_ECCENTRICITY + i] = values[rigid.R3_ECCENTRICITY + i] = 0.0
    residual(t, y, s[OUTPUT : OUTPUT + n], p, s, law)
    for leg in range(rigid.LEGS):
        k = s[PLACED + LEG * leg : PLACED + LEG * (leg + 1)]
        theta, _, second = drive(leg, t, p)
        side, across = (1.0, ARM + 1) if leg == 1 else (-1.0, ARM + 2)
        weight = 0.0 if leg == 1 else mine[WEIGHT] * p[rigid.ARM_WEIGHT] * k[ARM] / p[rigid.ARM]
        other = across - ARM
        turning = k[ARM] * (k[ON_T + other] - k[PUSH + other]) - k[across] * (k[ON_T] - k[PUSH]) + weight
        values[rigid.ANGLE + leg], values[rigid.TORQUE + leg] = theta, p[rigid.J_ARM + leg] * second + side * turning
        if leg != 1:
            fx, fz = k[ON_E] + k[PUSH], k[ON_E + 2] + k[PUSH + 2]
            # Forces that balance leave a rest of the iteration where nothing touches.
            values[rigid.R1_FORCE + leg // 2] = 0.0 if pins.apart(leg // 2, p, s) else math.sqrt(fx * fx + fz * fz)
    if n > IDEAL:
        for leg in rigid.ALONG_Y:
            begin = rigid.R1_ECCENTRICITY if leg == 0 else rigid.R3_ECCENTRICITY
            values[begin], values[begin + 2] = y[IDEAL + leg], -y[IDEAL + leg + 1]
    return 0
