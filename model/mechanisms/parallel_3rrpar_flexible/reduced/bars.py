"""A pair of long bars of the reduced 3-RRPaR: where it is, what stretches and bends it, and its forces on both ends, compiled.

Symbols: model.mechanisms.parallel_3rrpar_flexible.reduced.kernel.
A place xi of its length is at T + xi w + sum (eta_nk n + eta_yk y) sin k pi xi;
the equations are Lagrange's of that field, with the turning of n and y, so that powers add up.
"""

from __future__ import annotations

import math

from model.compiled.arrays import fill
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar_flexible import drives
from model.mechanisms.parallel_3rrpar_flexible.bodies import THREE, Three, at, cross, in_leg, put

MODES = 2
ETA, IDEAL = 3, 3 + 6 * MODES  # place of the first eta; number of coordinates without those of the clearance
# Places behind p of the rigid mechanism: k, tau, mass of both bars, of a short bar, of the platform, g, L, omega_k squared.
STIFFNESS, DAMPING, PAIR, SHORT, PLATFORM, WEIGHT, LENGTH, SQUARES = range(8)
OWN = SQUARES + MODES
# Of a leg in s: u, n, y, T - A, T'', E'', force on E and on T without the contact, dbeta/dE, the push of the bush's
# friction on E, and on T against it; then N, abs(w), beta', beta''; x'; two rates each of u, n, y.
U, N, Y, ARM, T2, E2, ON_E, ON_T, TURN, PUSH, PULL, SPAN, RATE, SECOND = 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 31, 32, 33
OUT, RATES, LEG = 34, 37, 55


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


@compiled(INDEX(THREE, THREE, THREE, VECTOR))
def turn_frame(rate: Three, second: Three, out: Three, k: Floats) -> int:
    """Rates of u, n and y into k, from w' and w''; out: x', which n is across."""
    u, n, span, beta, bent = at(k, U), at(k, N), k[SPAN], k[RATE], k[SECOND]
    along = u[0] * rate[0] + u[1] * rate[1] + u[2] * rate[2]
    u_rate = ((rate[0] - along * u[0]) / span, (rate[1] - along * u[1]) / span, (rate[2] - along * u[2]) / span)
    square = u_rate[0] * u_rate[0] + u_rate[1] * u_rate[1] + u_rate[2] * u_rate[2]
    further = u[0] * second[0] + u[1] * second[1] + u[2] * second[2] + span * square
    u_second = (
        (second[0] - further * u[0] - 2.0 * along * u_rate[0]) / span,
        (second[1] - further * u[1] - 2.0 * along * u_rate[1]) / span,
        (second[2] - further * u[2] - 2.0 * along * u_rate[2]) / span,
    )
    n_rate = (-beta * out[0], -beta * out[1], -beta * out[2])
    n_second = (-bent * out[0] - beta * beta * n[0], -bent * out[1] - beta * beta * n[1], -bent * out[2] - beta * beta * n[2])
    put(k, OUT, out)
    put(k, RATES, u_rate)
    put(k, RATES + 3, u_second)
    put(k, RATES + 6, n_rate)
    put(k, RATES + 9, n_second)
    first, other = cross(n_rate, u), cross(n, u_rate)
    put(k, RATES + 12, (first[0] + other[0], first[1] + other[1], first[2] + other[2]))
    first, mixed, other = cross(n_second, u), cross(n_rate, u_rate), cross(n, u_second)
    put(
        k,
        RATES + 15,
        (first[0] + 2.0 * mixed[0] + other[0], first[1] + 2.0 * mixed[1] + other[1], first[2] + 2.0 * mixed[2] + other[2]),
    )
    return 0


@compiled(INDEX(INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR))
def place(leg: int, t: float, y: Floats, p: Floats, mine: Floats, k: Floats) -> int:
    """Kinematics and forces of a leg into k."""
    n, of, side = y.size // 3, drives.tip(leg, t, p), 1.0 if leg == 1 else -1.0
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
    ax, ay, az = far_second[0] - tip_second[0], far_second[1] - tip_second[1], far_second[2] - tip_second[2]
    k[SECOND] = (wx * (ay if leg == 1 else -az) - ws * ax - 2.0 * k[RATE] * (wx * rx + ws * rs)) / square
    turn_frame((rx, ry, rz), (ax, ay, az), in_leg(leg, wx / flat, ws / flat), k)
    k[PULL] = mine[STIFFNESS] * (span - mine[LENGTH] + mine[DAMPING] * (u[0] * rx + u[1] * ry + u[2] * rz))
    pair, short, g = mine[PAIR], mine[SHORT], mine[WEIGHT]
    for i in range(3):
        up = g if i == 2 else 0.0
        k[ON_E + i] = (pair / 3.0 + short) * k[E2 + i] + pair / 6.0 * k[T2 + i] + (0.5 * pair + short) * up + k[PULL] * k[U + i]
        k[ON_T + i] = (pair / 3.0 + short) * k[T2 + i] + pair / 6.0 * k[E2 + i] + (0.5 * pair + short) * up - k[PULL] * k[U + i]
    return 0


@compiled(THREE(REAL, REAL, THREE, VECTOR))
def turning_of_frame(eta_n: float, eta_y: float, force: Three, k: Floats) -> Three:
    """What a force on eta_n n + eta_y y does to w, N: dn = - x' dbeta, dy = dn x u + n x du."""
    u, n, turn = at(k, U), at(k, N), at(k, TURN)
    out = at(k, OUT)
    side = cross(out, u)
    pushed = eta_n * (out[0] * force[0] + out[1] * force[1] + out[2] * force[2])
    pushed += eta_y * (side[0] * force[0] + side[1] * force[1] + side[2] * force[2])
    across = cross(force, n)
    along = across[0] * u[0] + across[1] * u[1] + across[2] * u[2]
    lean = eta_y / k[SPAN]
    return (
        lean * (across[0] - along * u[0]) - pushed * turn[0],
        lean * (across[1] - along * u[1]) - pushed * turn[1],
        lean * (across[2] - along * u[2]) - pushed * turn[2],
    )


@compiled(INDEX(INDEX, VECTOR, VECTOR, VECTOR, VECTOR))
def bend(leg: int, y: Floats, r: Floats, mine: Floats, k: Floats) -> int:
    """Rows of a leg's eta, and what they add to the forces on its ends: by their inertia, and as n and y turn with w."""
    n, g, half = y.size // 3, mine[WEIGHT], 0.5 * mine[PAIR]
    turned = (0.0, 0.0, 0.0)
    for mode in range(MODES):
        share, sign, square = mine[PAIR] / ((mode + 1) * math.pi), 1.0 - 2.0 * mode, mine[SQUARES + mode]
        at_n = ETA + 2 * MODES * leg + mode
        at_y = at_n + MODES
        ex, ey, ez = 0.0, 0.0, 0.0  # second rate of eta_n n + eta_y y
        for across in range(2):
            e, d, rates = (at_n if across == 0 else at_y), (N if across == 0 else Y), RATES + 6 + 6 * across
            value, rate, second = y[e], 2.0 * y[n + e], y[2 * n + e]
            ex += second * k[d] + rate * k[rates] + value * k[rates + 3]
            ey += second * k[d + 1] + rate * k[rates + 1] + value * k[rates + 4]
            ez += second * k[d + 2] + rate * k[rates + 2] + value * k[rates + 5]
        force = (
            share * (k[T2] + sign * k[E2]) + half * ex,
            share * (k[T2 + 1] + sign * k[E2 + 1]) + half * ey,
            share * (k[T2 + 2] + g + sign * (k[E2 + 2] + g)) + half * ez,
        )
        for across in range(2):
            e, d = (at_n if across == 0 else at_y), (N if across == 0 else Y)
            r[e] = half * square * (y[e] + mine[DAMPING] * y[n + e]) + force[0] * k[d] + force[1] * k[d + 1] + force[2] * k[d + 2]
        more = turning_of_frame(y[at_n], y[at_y], force, k)
        turned = (turned[0] + more[0], turned[1] + more[1], turned[2] + more[2])
        for i in range(3):
            inert = share * (ex if i == 0 else (ey if i == 1 else ez))
            k[ON_E + i] += sign * inert
            k[ON_T + i] += inert
    for i in range(3):
        k[ON_E + i] += turned[i]
        k[ON_T + i] -= turned[i]
    return 0
