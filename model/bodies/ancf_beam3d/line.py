"""Elastic line of a spatial ANCF beam: stretch, bending and torsion of the axis, sections tied to it at the nodes, compiled.

| symbol | unit | meaning |
|---|---|---|
| s, l | 1, m | place along the element in -1..1, its length |
| r_x = a + b s + c s^2 | 1 | slope; a = D - P/4, b = M/2, c = 3 P/4, D = (r_1 - r_0)/l, P = r_x0 + r_x1 - 2 D, M = r_x1 - r_x0 |
| eps = (r_x.r_x - 1)/2 | 1 | stretch, a quartic in s, integrated exactly |
| r_xx.r_xx | 1/m^2 | curvature; with the smaller EI its matrix is constant and the same in every direction |
| r_xx.r_y, r_xx.r_z | 1/m | curvature towards the section's sides; what the stiffer side has more, and all that is damped |
| twist = (r_y1.r_z0 - r_z1.r_y0)/(2 l) | 1/m | torsion, constant in an element |

The sections (r_x, r_y, r_z) of the nodes carry k GA, GA and EA for the length that is theirs. Sheared at Gauss points instead, they would
lock: their slopes are linear, those of the axis quadratic.
Arrays of an element, 24: q, u = q + 2 beta v, t (model.bodies.ancf_beam3d.section).
"""

from __future__ import annotations

from numba import types

from model.bodies.ancf_beam2d.kernel import bends, to_nodes
from model.bodies.ancf_beam3d.parameters import AXIS, BETA, EA, EI, EI_Y, EXTRA, GJ, LAW, LENGTH, SIDE
from model.bodies.ancf_beam3d.section import moduli, pull
from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled

Three = tuple[float, float, float]
THREE = types.UniTuple(REAL, 3)  # type: ignore[no-untyped-call]
FOUR = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]
FIVE = types.UniTuple(REAL, 5)  # type: ignore[no-untyped-call]
TURNED = ((6, 21, -1.0), (9, 18, 1.0), (18, 9, 1.0), (21, 6, -1.0))  # twist: coordinates, what they are multiplied with, sign
POINTS = ((-0.7745966692414834, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.7745966692414834, 5.0 / 9.0))  # Gauss, exact for (r_xx.r_y)^2
AXIS_PLACES = (0, 3, 12, 15)  # r_0, r_x0, r_1, r_x1


@compiled(FIVE(VECTOR, INDEX, REAL), built_in=True)
def profile(q: Floats, i: int, length: float) -> tuple[float, float, float, float, float]:
    """a, b, c, M, P of direction i."""
    d = (q[12 + i] - q[i]) / length
    p, m = q[3 + i] + q[15 + i] - 2.0 * d, q[15 + i] - q[3 + i]
    return d - 0.25 * p, 0.5 * m, 0.75 * p, m, p


@compiled(FIVE(VECTOR, INDEX, VECTOR, INDEX, REAL), built_in=True)
def product(q: Floats, i: int, u: Floats, j: int, length: float) -> tuple[float, float, float, float, float]:
    """Coefficients of the quartic r_x of q, direction i, times r_x of u, direction j."""
    a, b, c, _, _ = profile(q, i, length)
    f, g, h, _, _ = profile(u, j, length)
    return a * f, a * g + b * f, b * g + a * h + c * f, b * h + c * g, c * h


@compiled(FIVE(REAL, REAL, REAL, REAL, REAL), built_in=True)
def moments(e0: float, e1: float, e2: float, e3: float, e4: float) -> tuple[float, float, float, float, float]:
    """Means over the element of s^k times the quartic, k = 0..4."""
    odd = e1 / 5.0 + e3 / 7.0
    even = e0 / 3.0 + e2 / 5.0 + e4 / 7.0
    return e0 + e2 / 3.0 + e4 / 5.0, e1 / 3.0 + e3 / 5.0, even, odd, e0 / 5.0 + e2 / 7.0 + e4 / 9.0


@compiled(FIVE(VECTOR, VECTOR, REAL), built_in=True)
def tension(q: Floats, u: Floats, length: float) -> tuple[float, float, float, float, float]:
    """Means of s^k (eps + beta eps')."""
    x0, x1, x2, x3, x4 = product(q, 0, u, 0, length)
    y0, y1, y2, y3, y4 = product(q, 1, u, 1, length)
    z0, z1, z2, z3, z4 = product(q, 2, u, 2, length)
    half = 0.5
    return moments(half * (x0 + y0 + z0 - 1.0), half * (x1 + y1 + z1), half * (x2 + y2 + z2), half * (x3 + y3 + z3), half * (x4 + y4 + z4))


@compiled(INDEX(VECTOR, VECTOR, VECTOR, INDEX, VECTOR), built_in=True)
def axis_force(q: Floats, u: Floats, force: Floats, to: int, beam: Floats) -> int:
    """Stretch, and bending with the smaller EI."""
    length = beam[LENGTH]
    n0, n1, n2, n3, n4 = tension(q, u, length)
    w, bending = beam[EA] * length, beam[EI] / length
    for i in range(3):
        a, b, c, m, p = profile(q, i, length)
        begin, slope, end, last = to_nodes(
            w * (a * n0 + b * n1 + c * n2), w * (a * n1 + b * n2 + c * n3), w * (a * n2 + b * n3 + c * n4), m, p, bending, length
        )
        force[to + i] -= begin
        force[to + 3 + i] -= slope
        force[to + 12 + i] -= end
        force[to + 15 + i] -= last
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, TABLE, INDEX, VECTOR, REAL))
def axis_tangent(q: Floats, u: Floats, t: Floats, into: Floats, to: int, beam: Floats, stiffness: float) -> int:
    """Of `axis_force`: for each pair of directions the second derivatives for D, P + 2 D and M, brought to the nodes."""
    length = beam[LENGTH]
    n0, n1, n2, n3, n4 = tension(q, u, length)
    w, bending = beam[EA] * length, stiffness * beam[EI] / length
    for i in range(3):
        for j in range(3):
            h0, h1, h2, h3, h4 = product(q, i, t, j, length)
            h0, h1, h2, h3, h4 = moments(h0, h1, h2, h3, h4)
            own = stiffness if i == j else 0.0
            bent = bending if i == j else 0.0
            h0, h1, h2, h3, h4 = w * (h0 + own * n0), w * (h1 + own * n1), w * (h2 + own * n2), w * (h3 + own * n3), w * (h4 + own * n4)
            dd = (2.25 * (h0 - 2.0 * h2 + h4) + 12.0 * bent) / (length * length)
            dp = (-0.375 * h0 + 1.5 * h2 - 1.125 * h4 - 6.0 * bent) / length
            dm = 0.75 * (h1 - h3) / length
            pp, pm, mm = 0.0625 * h0 - 0.375 * h2 + 0.5625 * h4 + 3.0 * bent, 0.375 * h3 - 0.125 * h1, 0.25 * h2 + bent
            row, column = to + i, to + j
            into[row, column] += dd
            into[row, column + 12] -= dd
            into[row + 12, column] -= dd
            into[row + 12, column + 12] += dd
            into[row, column + 3] -= dp - dm
            into[row + 3, column] -= dp - dm
            into[row, column + 15] -= dp + dm
            into[row + 15, column] -= dp + dm
            into[row + 12, column + 3] += dp - dm
            into[row + 3, column + 12] += dp - dm
            into[row + 12, column + 15] += dp + dm
            into[row + 15, column + 12] += dp + dm
            into[row + 3, column + 3] += pp - 2.0 * pm + mm
            into[row + 3, column + 15] += pp - mm
            into[row + 15, column + 3] += pp - mm
            into[row + 15, column + 15] += pp + 2.0 * pm + mm
    return 0


@compiled(REAL(VECTOR, VECTOR, REAL), built_in=True)
def twist(q: Floats, u: Floats, length: float) -> float:
    """twist + beta twist', 1/m."""
    total = 0.0
    for place, other, sign in TURNED:
        for i in range(3):
            total += sign * q[other + i] * u[place + i]
    return 0.25 * total / length


@compiled(INDEX(VECTOR, VECTOR, VECTOR, INDEX, VECTOR), built_in=True)
def torsion_force(q: Floats, u: Floats, force: Floats, to: int, beam: Floats) -> int:
    """GJ times the twist."""
    share = 0.5 * beam[GJ] * twist(q, u, beam[LENGTH])
    for place, other, sign in TURNED:
        for i in range(3):
            force[to + place + i] -= share * sign * q[other + i]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, TABLE, INDEX, VECTOR, REAL))
def torsion_tangent(q: Floats, u: Floats, t: Floats, into: Floats, to: int, beam: Floats, stiffness: float) -> int:
    """Of `torsion_force`."""
    share = 0.25 * beam[GJ] / beam[LENGTH]
    straight = 0.5 * stiffness * beam[GJ] * twist(q, u, beam[LENGTH])
    for place, other, sign in TURNED:
        for i in range(3):
            first = share * sign * q[other + i]
            for column, factor, way in TURNED:
                for j in range(3):
                    into[to + place + i, to + column + j] += first * way * t[factor + j]
            into[to + place + i, to + other + i] += straight * sign
    return 0


@compiled(INDEX(VECTOR, INDEX, REAL, REAL, VECTOR))
def bend(q: Floats, side: int, s: float, length: float, g: Floats) -> int:
    """Gradient (24) of r_xx.r_y (side 2) or r_xx.r_z (side 3) at s; with another array for q: what it changes by."""
    n0, n1, n2, n3 = bends(s, length)
    end = 0.5 * (1.0 + s)
    for i in range(3):
        place = 3 * side + i
        across = (1.0 - end) * q[place] + end * q[12 + place]
        r_xx = n0 * q[i] + n1 * q[3 + i] + n2 * q[12 + i] + n3 * q[15 + i]
        g[6 + i] = g[9 + i] = g[18 + i] = g[21 + i] = 0.0
        g[i], g[3 + i], g[12 + i], g[15 + i] = n0 * across, n1 * across, n2 * across, n3 * across
        g[place], g[12 + place] = (1.0 - end) * r_xx, end * r_xx
    return 0


@compiled(FOUR(REAL, REAL, REAL, THREE, THREE, INDEX, VECTOR, VECTOR), built_in=True)
def bent(
    end: float, more: float, damped: float, r_xx: Three, rate: Three, side: int, q: Floats, u: Floats
) -> tuple[float, float, float, float]:
    """Bending towards a side at `end` (0 to 1): 2 more r_xx.a + damped (r_xx.a), a = r_y or r_z there, and a; r_xx of q, and of u."""
    place, other = 3 * side, 12 + 3 * side
    a0, b0 = (1.0 - end) * q[place] + end * q[other], (1.0 - end) * u[place] + end * u[other]
    a1, b1 = (1.0 - end) * q[place + 1] + end * q[other + 1], (1.0 - end) * u[place + 1] + end * u[other + 1]
    a2, b2 = (1.0 - end) * q[place + 2] + end * q[other + 2], (1.0 - end) * u[place + 2] + end * u[other + 2]
    twice = 2.0 * (r_xx[0] * a0 + r_xx[1] * a1 + r_xx[2] * a2)
    both = rate[0] * a0 + rate[1] * a1 + rate[2] * a2 + r_xx[0] * b0 + r_xx[1] * b1 + r_xx[2] * b2
    return more * twice + damped * (both - twice), a0, a1, a2


@compiled(INDEX(VECTOR, VECTOR, VECTOR, INDEX, VECTOR), built_in=True)
def side_force(q: Floats, u: Floats, force: Floats, to: int, beam: Floats) -> int:
    """What the stiffer side has more, and damping of the curvature: what `bend` has, times the moment, without making it."""
    length, side = beam[LENGTH], int(beam[SIDE])
    more_y, more_z = beam[EXTRA] if side == 2 else 0.0, beam[EXTRA] if side == 3 else 0.0
    for s, share in POINTS:
        n0, n1, n2, n3 = bends(s, length)
        end, weight = 0.5 * (1.0 + s), 0.25 * share * length
        r_xx = (
            n0 * q[0] + n1 * q[3] + n2 * q[12] + n3 * q[15],
            n0 * q[1] + n1 * q[4] + n2 * q[13] + n3 * q[16],
            n0 * q[2] + n1 * q[5] + n2 * q[14] + n3 * q[17],
        )
        rate = (
            n0 * u[0] + n1 * u[3] + n2 * u[12] + n3 * u[15],
            n0 * u[1] + n1 * u[4] + n2 * u[13] + n3 * u[16],
            n0 * u[2] + n1 * u[5] + n2 * u[14] + n3 * u[17],
        )
        y, y0, y1, y2 = bent(end, more_y, beam[EI_Y], r_xx, rate, 2, q, u)
        z, z0, z1, z2 = bent(end, more_z, beam[EI_Y + 1], r_xx, rate, 3, q, u)
        y, z = weight * y, weight * z
        across = (y * y0 + z * z0, y * y1 + z * z1, y * y2 + z * z2)
        for i in range(3):
            force[to + i] -= n0 * across[i]
            force[to + 3 + i] -= n1 * across[i]
            force[to + 12 + i] -= n2 * across[i]
            force[to + 15 + i] -= n3 * across[i]
            force[to + 6 + i] -= (1.0 - end) * y * r_xx[i]
            force[to + 18 + i] -= end * y * r_xx[i]
            force[to + 9 + i] -= (1.0 - end) * z * r_xx[i]
            force[to + 21 + i] -= end * z * r_xx[i]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, TABLE, INDEX, VECTOR, REAL, VECTOR, VECTOR))
def side_tangent(q: Floats, u: Floats, t: Floats, into: Floats, to: int, beam: Floats, stiffness: float, g: Floats, h: Floats) -> int:
    """Of `side_force`; g, h: room for 24."""
    length = beam[LENGTH]
    for side in range(2, 4):
        more, damped = beam[EXTRA] if side == int(beam[SIDE]) else 0.0, beam[EI_Y + side - 2]
        for s, share in POINTS:
            weight, end = 0.5 * share * length, 0.5 * (1.0 + s)
            bend(q, side, s, length, g)
            bend(t, side, s, length, h)
            moment = 0.0
            for k in range(24):
                moment += 0.5 * weight * stiffness * g[k] * (more * q[k] + damped * (u[k] - q[k]))
                h[k] = weight * (damped * h[k] + stiffness * (more - damped) * g[k])
            for k in range(24):
                for m in range(24):
                    into[to + k, to + m] += g[k] * h[m]
            n = bends(s, length)
            for k in range(4):
                for i in range(3):
                    row, column = to + AXIS_PLACES[k] + i, to + 3 * side + i
                    into[row, column] += moment * n[k] * (1.0 - end)
                    into[column, row] += moment * n[k] * (1.0 - end)
                    into[row, column + 12] += moment * n[k] * end
                    into[column + 12, row] += moment * n[k] * end
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, INDEX, VECTOR), built_in=True)
def line_force(q: Floats, u: Floats, force: Floats, to: int, beam: Floats) -> int:
    """Subtract the forces of an element from force[to:to + 24]."""
    axis_force(q, u, force, to, beam)
    torsion_force(q, u, force, to, beam)
    if beam[EXTRA] > 0.0 or beam[BETA] > 0.0:
        side_force(q, u, force, to, beam)
    weight = -0.5 * beam[LENGTH]
    for at in range(3, 24, 12):
        pull(q[at : at + 9], u[at : at + 9], beam[LAW:AXIS], weight, force[to + at : to + at + 9])
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, TABLE, INDEX, VECTOR, REAL, VECTOR))
def line_tangent(q: Floats, u: Floats, t: Floats, into: Floats, to: int, beam: Floats, stiffness: float, room: Floats) -> int:
    """Add the tangent of an element to into[to:to + 24, to:to + 24]; room for 81."""
    axis_tangent(q, u, t, into, to, beam, stiffness)
    torsion_tangent(q, u, t, into, to, beam, stiffness)
    if beam[EXTRA] > 0.0 or beam[BETA] > 0.0:
        side_tangent(q, u, t, into, to, beam, stiffness, room[:24], room[24:48])
    for at in range(3, 24, 12):
        for k in range(81):
            room[k] = 0.0
        moduli(q[at : at + 9], u[at : at + 9], t[at : at + 9], beam[LAW:AXIS], stiffness, 0.5 * beam[LENGTH], room)
        for k in range(9):
            for m in range(9):
                into[to + at + k, to + at + m] += room[9 * k + m]
    return 0
