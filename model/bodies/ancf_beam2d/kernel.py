"""Planar ANCF beam with two nodes an element: elastic and damping forces and their tangent, compiled (wang2017 eqs 32-38, corrected).

| symbol | unit | meaning |
|---|---|---|
| e = (r, r_x) of both nodes | m, 1 | coordinates of an element, 8; those of node j of a beam are at 4 j |
| l, L | m | length of an element, s in -1..1 runs along it |
| r_x = a + b s + c s^2 | 1 | slope; a = D - P/4, b = (r_x1 - r_x0)/2, c = 3 P/4 with D = (r_1 - r_0)/l, P = r_x0 + r_x1 - 2 D |
| eps = (r_x.r_x - 1)/2 | 1 | Green strain, a quartic in s |
| kappa^2 = r_xx.r_xx | 1/m^2 | curvature; so K_l of eq 37 is constant, and the same in every direction |
| k = r_x x r_xx | 1/m | signed curvature whose rate is damped: unlike r_xx it rests when a bent beam turns |
| beta | s | Kelvin-Voigt: EA (eps + beta eps'), and beta EI k' beside the elastic moment |

U = 1/2 int EA eps^2 + EI kappa^2 dx is a polynomial of e, integrated exactly. Curvature from r_xx instead of r_x x r_xx/|r_x|^3 adds
EI u''^2 to a bar that stretches unevenly, (radius of gyration times wave number)^2 of its energy: 0.02 % in the frequency of the first
axial mode of wang2017's rod.
"""

from __future__ import annotations

from numba import types

from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled

NODE, ELEMENT = 4, 8  # coordinates of a node, of an element
EA, EI, BETA, LENGTH, STIFFNESSES = range(5)  # places in what a beam is made of: N, N m^2, s, m (of an element)

FORCE = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]


@compiled(FORCE(REAL, REAL, REAL, REAL, REAL, REAL, REAL))
def to_nodes(g_a: float, g_b: float, g_c: float, m: float, p: float, bending: float, length: float) -> tuple[float, float, float, float]:
    """One direction's forces at r_0, r_x0, r_1, r_x1 from the gradients for a, b, c, and bending = EI/l times m = 2 b and p = P."""
    along_p = 0.75 * g_c - 0.25 * g_a + 3.0 * bending * p
    along_m = 0.5 * g_b + bending * m
    end = (g_a - 2.0 * along_p) / length
    return -end, along_p - along_m, end, along_p + along_m


@compiled(INDEX(VECTOR, INDEX, VECTOR, INDEX, REAL, REAL, REAL))
def elastic(q: Floats, at: int, force: Floats, to: int, ea: float, ei: float, length: float) -> int:
    """Subtract dU/de of the element with coordinates q[at:at + 8] from force[to:to + 8], N and N m."""
    dx, dy = (q[at + 4] - q[at]) / length, (q[at + 5] - q[at + 1]) / length
    px, py = q[at + 2] + q[at + 6] - 2.0 * dx, q[at + 3] + q[at + 7] - 2.0 * dy
    mx, my = q[at + 6] - q[at + 2], q[at + 7] - q[at + 3]
    ax, ay, bx, by, cx, cy = dx - 0.25 * px, dy - 0.25 * py, 0.5 * mx, 0.5 * my, 0.75 * px, 0.75 * py
    e0, e1, e2 = 0.5 * (ax * ax + ay * ay - 1.0), ax * bx + ay * by, 0.5 * (bx * bx + by * by) + ax * cx + ay * cy
    e3, e4 = bx * cx + by * cy, 0.5 * (cx * cx + cy * cy)
    n0, n2, n4 = e0 + e2 / 3.0 + e4 / 5.0, e0 / 3.0 + e2 / 5.0 + e4 / 7.0, e0 / 5.0 + e2 / 7.0 + e4 / 9.0
    n1, n3 = e1 / 3.0 + e3 / 5.0, e1 / 5.0 + e3 / 7.0
    w, bending = ea * length, ei / length
    x = to_nodes(
        w * (ax * n0 + bx * n1 + cx * n2), w * (ax * n1 + bx * n2 + cx * n3), w * (ax * n2 + bx * n3 + cx * n4), mx, px, bending, length
    )
    y = to_nodes(
        w * (ay * n0 + by * n1 + cy * n2), w * (ay * n1 + by * n2 + cy * n3), w * (ay * n2 + by * n3 + cy * n4), my, py, bending, length
    )
    for k in range(4):
        force[to + 2 * k] -= x[k]
        force[to + 2 * k + 1] -= y[k]
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX, VECTOR, INDEX, REAL, REAL, REAL))
def viscous(q: Floats, v: Floats, at: int, force: Floats, to: int, ea: float, ei: float, length: float) -> int:
    """Subtract the damping force from force[to:to + 8]; ea = beta EA, ei = beta EI, v = de/dt. Its power is never positive."""
    dx, dy = (q[at + 4] - q[at]) / length, (q[at + 5] - q[at + 1]) / length
    px, py = q[at + 2] + q[at + 6] - 2.0 * dx, q[at + 3] + q[at + 7] - 2.0 * dy
    bx, by, cx, cy = 0.5 * (q[at + 6] - q[at + 2]), 0.5 * (q[at + 7] - q[at + 3]), 0.75 * px, 0.75 * py
    ax, ay = dx - 0.25 * px, dy - 0.25 * py
    ux, uy = (v[at + 4] - v[at]) / length, (v[at + 5] - v[at + 1]) / length
    rx, ry = v[at + 2] + v[at + 6] - 2.0 * ux, v[at + 3] + v[at + 7] - 2.0 * uy
    vx, vy, wx, wy = 0.5 * (v[at + 6] - v[at + 2]), 0.5 * (v[at + 7] - v[at + 3]), 0.75 * rx, 0.75 * ry
    ux, uy = ux - 0.25 * rx, uy - 0.25 * ry
    e0, e1 = ax * ux + ay * uy, ax * vx + ay * vy + bx * ux + by * uy
    e2 = bx * vx + by * vy + ax * wx + ay * wy + cx * ux + cy * uy
    e3, e4 = bx * wx + by * wy + cx * vx + cy * vy, cx * wx + cy * wy
    n0, n2, n4 = e0 + e2 / 3.0 + e4 / 5.0, e0 / 3.0 + e2 / 5.0 + e4 / 7.0, e0 / 5.0 + e2 / 7.0 + e4 / 9.0
    n1, n3 = e1 / 3.0 + e3 / 5.0, e1 / 5.0 + e3 / 7.0
    k0, k1, k2 = ux * by - uy * bx + ax * vy - ay * vx, 2.0 * (ux * cy - uy * cx + ax * wy - ay * wx), vx * cy - vy * cx + bx * wy - by * wx
    z = 4.0 * ei / length
    m0, m1, m2 = z * (k0 + k2 / 3.0), z * 2.0 * k1 / 3.0, z * (k0 / 3.0 + k2 / 5.0)
    w = ea * length
    x = to_nodes(
        w * (ax * n0 + bx * n1 + cx * n2) + m0 * by + m1 * cy,
        w * (ax * n1 + bx * n2 + cx * n3) - m0 * ay + m2 * cy,
        w * (ax * n2 + bx * n3 + cx * n4) - m1 * ay - m2 * by, 0.0, 0.0, 0.0, length,
    )  # fmt: skip
    y = to_nodes(
        w * (ay * n0 + by * n1 + cy * n2) - m0 * bx - m1 * cx,
        w * (ay * n1 + by * n2 + cy * n3) + m0 * ax - m2 * cx,
        w * (ay * n2 + by * n3 + cy * n4) + m1 * ax + m2 * bx, 0.0, 0.0, 0.0, length,
    )  # fmt: skip
    for k in range(4):
        force[to + 2 * k] -= x[k]
        force[to + 2 * k + 1] -= y[k]
    return 0


@compiled(FORCE(REAL, REAL))
def slopes(s: float, length: float) -> tuple[float, float, float, float]:
    """Derivatives along x of the four shape functions at s, 1/m and 1: r_x = sum of these times r_0, r_x0, r_1, r_x1."""
    xi = 0.5 * (1.0 + s)
    end = 6.0 * xi * (1.0 - xi) / length
    return -end, 1.0 - 4.0 * xi + 3.0 * xi * xi, end, xi * (3.0 * xi - 2.0)


@compiled(FORCE(REAL, REAL))
def bends(s: float, length: float) -> tuple[float, float, float, float]:
    """Second derivatives along x of the four shape functions at s, 1/m^2 and 1/m."""
    end = 6.0 * s / (length * length)
    return end, (3.0 * s - 1.0) / length, -end, (3.0 * s + 1.0) / length


STRAIN, STRAIN_RATE, TURN, TURN_RATE, TANGENT_WORK = range(5)  # rows of room that the tangent works in, (TANGENT_WORK, 8)
POINTS = ((-0.906179845938664, 0.2369268850561891), (-0.538469310105683, 0.4786286704993665), (0.0, 0.5688888888888889))


@compiled(INDEX(VECTOR, INDEX, REAL, REAL, VECTOR, VECTOR))
def gradients(q: Floats, at: int, s: float, length: float, strain: Floats, turn: Floats) -> int:
    """What of eps and of k = r_x x r_xx is linear in a change of e, at s; with velocities for q: the same of their rates."""
    first, second = slopes(s, length), bends(s, length)
    rx = first[0] * q[at] + first[1] * q[at + 2] + first[2] * q[at + 4] + first[3] * q[at + 6]
    ry = first[0] * q[at + 1] + first[1] * q[at + 3] + first[2] * q[at + 5] + first[3] * q[at + 7]
    sx = second[0] * q[at] + second[1] * q[at + 2] + second[2] * q[at + 4] + second[3] * q[at + 6]
    sy = second[0] * q[at + 1] + second[1] * q[at + 3] + second[2] * q[at + 5] + second[3] * q[at + 7]
    for k in range(4):
        strain[2 * k], strain[2 * k + 1] = first[k] * rx, first[k] * ry
        turn[2 * k], turn[2 * k + 1] = first[k] * sy - second[k] * ry, second[k] * rx - first[k] * sx
    return 0


@compiled(REAL(VECTOR, VECTOR, INDEX))
def along(gradient: Floats, q: Floats, at: int) -> float:
    """Sum of gradient[0:8] times q[at:at + 8]."""
    total = 0.0
    for k in range(ELEMENT):
        total += gradient[k] * q[at + k]
    return total


@compiled(INDEX(VECTOR, VECTOR, INDEX, TABLE, INDEX, VECTOR, REAL, REAL, REAL, REAL, TABLE))
def point_tangent(
    q: Floats,
    v: Floats,
    at: int,
    into: Floats,
    to: int,
    beam: Floats,
    stiffness: float,
    damping: float,
    s: float,
    weight: float,
    room: Floats,
) -> int:
    """The share of one Gauss point in `tangent`."""
    ea, ei, beta, length = weight * beam[EA], weight * beam[EI], beam[BETA], beam[LENGTH]
    strain, strain_rate, turn, turn_rate = room[STRAIN], room[STRAIN_RATE], room[TURN], room[TURN_RATE]
    gradients(q, at, s, length, strain, turn)
    gradients(v, at, s, length, strain_rate, turn_rate)
    tension = ea * (0.5 * along(strain, q, at) - 0.5 + beta * along(strain, v, at))
    moment = ei * beta * along(turn, v, at)
    first, second = slopes(s, length), bends(s, length)
    for i in range(ELEMENT):
        for j in range(ELEMENT):
            m, n = i // 2, j // 2
            value = ea * strain[i] * (strain[j] + beta * strain_rate[j]) + ei * beta * turn[i] * turn_rate[j]
            if i % 2 == j % 2:
                value += tension * first[m] * first[n] + ei * second[m] * second[n]
            else:
                value += (1.0 if i % 2 == 0 else -1.0) * moment * (first[m] * second[n] - second[m] * first[n])
            rate = beta * (ea * strain[i] * strain[j] + ei * turn[i] * turn[j])
            into[to + i, to + j] += stiffness * value + damping * rate
    return 0


@compiled(INDEX(VECTOR, VECTOR, INDEX, TABLE, INDEX, VECTOR, REAL, REAL, TABLE))
def tangent(q: Floats, v: Floats, at: int, into: Floats, to: int, beam: Floats, stiffness: float, damping: float, room: Floats) -> int:
    """Add stiffness dF/de + damping dF/de' to into[to:to + 8, to:to + 8]; F is what `elastic` and `viscous` subtract."""
    for point in POINTS:
        weight = 0.5 * beam[LENGTH] * point[1]
        point_tangent(q, v, at, into, to, beam, stiffness, damping, point[0], weight, room)
        if point[0] != 0.0:
            point_tangent(q, v, at, into, to, beam, stiffness, damping, -point[0], weight, room)
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR))
def forces(q: Floats, v: Floats, into: Floats, beam: Floats) -> int:
    """into -= elastic and damping forces of a whole beam, 4 coordinates a node; the size of into sets their number."""
    for at in range(0, into.size - NODE, NODE):
        elastic(q, at, into, at, beam[EA], beam[EI], beam[LENGTH])
        if beam[BETA] > 0.0:
            viscous(q, v, at, into, at, beam[BETA] * beam[EA], beam[BETA] * beam[EI], beam[LENGTH])
    return 0
