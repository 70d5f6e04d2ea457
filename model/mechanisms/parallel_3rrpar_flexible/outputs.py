"""CHANNELS of the flexible 3-RRPaR from its state: platform, drives' torques and joint forces from the balance of arms and short bars."""

from __future__ import annotations

import math

from model.bodies.ancf_beam3d import hinged
from model.bodies.ancf_beam3d.kernel import NODE
from model.compiled.signatures import CHANNELS, INDEX, REAL, VECTOR, ContactLaw, Floats, compiled
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar_flexible import bodies, kernel
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible.drives import drive


@compiled(INDEX(REAL, VECTOR, VECTOR, VECTOR))
def find_forces(t: float, y: Floats, p: Floats, s: Floats) -> int:
    """Forces on the bars' ends into s, where a residual has not just put them."""
    if kernel.known(t, y, p, s):
        return 0
    mine = p[kernel.own(p) :]
    m = NODE * int(mine[kernel.ELEMENTS])
    begin = kernel.OF_BAR + 3 * (m + NODE)
    whole, inner = s[begin : begin + m + NODE], s[begin + m + NODE : begin + 2 * m + NODE]
    kernel.place(t, y, p, s)
    for bar in range(kernel.BARS):
        kernel.bar_residual(bar, y, m, mine, s, whole)
        hinged.part(whole, inner, s[kernel.FORCES + kernel.ENDS * bar : kernel.FORCES + kernel.ENDS * (bar + 1)])
    return 0


@compiled(REAL(INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR))
def torque(leg: int, t: float, k: Floats, both: Floats, p: Floats, mine: Floats) -> float:
    """Of a drive on its arm, N m; both: forces on the ends of the leg's two bars."""
    side, mass, g = 1.0 if leg == 1 else -1.0, mine[bodies.SHORT_MASS], mine[bodies.WEIGHT]
    other = hinged.ENDS
    rx = mass * k[bodies.T + 6] + both[0] + both[other]
    ry = mass * k[bodies.T + 7] + both[1] + both[other + 1]
    if leg != 1:
        ry = mass * (k[bodies.T + 8] + g) + both[2] + both[other + 2]
    pivot = rigid.PIVOT + 3 * leg
    bx, by = k[bodies.T] - p[pivot], (k[bodies.T + 1] - p[pivot + 1]) if leg == 1 else (k[bodies.T + 2] - p[pivot + 2])
    weight = 0.0 if leg == 1 else g * p[rigid.ARM_WEIGHT] * bx / p[rigid.ARM]
    return float(p[rigid.J_ARM + leg] * drive(leg, t, p)[2] + side * (bx * ry - by * rx + weight))


@compiled(REAL(VECTOR, VECTOR, VECTOR))
def radial(k: Floats, both: Floats, mine: Floats) -> float:
    """Force of a platform joint on its short bar, across the pin, N."""
    mass, last, other = mine[bodies.SHORT_MASS], hinged.LAST, hinged.ENDS + hinged.LAST
    fx = mass * k[bodies.C + 6] + both[last] + both[other]
    fy = mass * k[bodies.C + 7] + both[last + 1] + both[other + 1]
    fz = mass * (k[bodies.C + 8] + mine[bodies.WEIGHT]) + both[last + 2] + both[other + 2]
    across = bodies.cross((fx, fy, fz), bodies.at(k, bodies.A_FAR))
    return math.sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2])


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.parallel_3rrpar; the platform's motion is that of the path's point."""
    n, mine = y.size // 3, p[kernel.own(p) :]
    size = n - kernel.BARS * NODE * int(mine[kernel.ELEMENTS])
    z, v, a = y[n - size : n], y[2 * n - size : 2 * n], y[3 * n - size :]
    find_forces(t, y, p, s)
    platform = s[kernel.PLACED : kernel.PLACED + bodies.PLATFORM_SIZE]
    point = bodies.turned(platform[:9], p[rigid.POINT], p[rigid.POINT + 1], p[rigid.POINT + 2])
    omega = bodies.at(platform, bodies.OMEGA)
    swing, lean = bodies.cross(omega, point), bodies.second_rate(point, omega, bodies.at(platform, bodies.ALPHA))
    for i in range(3):
        values[rigid.POSITION + i] = z[bodies.P + i] + point[i]
        values[rigid.VELOCITY + i] = v[bodies.P + i] + swing[i]
        values[rigid.ACCELERATION + i] = a[bodies.P + i] + lean[i]
        values[rigid.ANGLE + i] = drive(i, t, p)[0]
        values[rigid.R1_ECCENTRICITY + i] = values[rigid.R3_ECCENTRICITY + i] = 0.0
    for leg in range(rigid.LEGS):
        begin = kernel.FORCES + 2 * kernel.ENDS * leg
        first = kernel.PLACED + bodies.PLATFORM_SIZE + bodies.LEG_SIZE * leg
        k = s[first : first + bodies.LEG_SIZE]
        both = s[begin : begin + 2 * kernel.ENDS]
        values[rigid.TORQUE + leg] = torque(leg, t, k, both, p, mine)
        if leg != 1:
            # Forces that balance leave a rest of the iteration where nothing touches.
            values[rigid.R1_FORCE + leg // 2] = 0.0 if pins.apart(leg // 2, p, s) else radial(k, both, mine)
    if size > bodies.IDEAL:
        for leg in rigid.ALONG_Y:
            begin = rigid.R1_ECCENTRICITY if leg == 0 else rigid.R3_ECCENTRICITY
            values[begin], values[begin + 2] = z[bodies.GAP + leg], -z[bodies.GAP + leg + 1]
    return 0
