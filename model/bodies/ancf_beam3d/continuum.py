"""Elastic forces of a spatial ANCF beam as a continuum (chen2026 eqs 16-18, corrected), compiled: one law in the volume, one on the axis.

Quadrature: five Gauss points along, two by two over the section; exact but for the fourth powers of y and z, which are of the size of the
square of the section's strain in bending. A law on the axis adds what its moduli say, times the area: the enhanced form has the Poisson
effect there alone, so that bending is not held up by sections that cannot widen on one side.

Local arrays: q, u, t (24 each; model.bodies.ancf_beam3d.section), room: shapes and gradients of a point.
"""

from __future__ import annotations

from model.bodies.ancf_beam2d.kernel import slopes
from model.bodies.ancf_beam3d.parameters import AXIS, ENHANCED, FORM, HALF_HEIGHT, HALF_WIDTH, LAW, LENGTH, MASS
from model.bodies.ancf_beam3d.section import moduli, pull
from model.compiled.arrays import fill
from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled

POINTS = (
    (-0.906179845938664, 0.2369268850561891),
    (-0.538469310105683, 0.4786286704993665),
    (0.0, 0.5688888888888889),
    (0.538469310105683, 0.4786286704993665),
    (0.906179845938664, 0.2369268850561891),
)
SECTION = ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0))
ROOT = 0.5773502691896258  # two-point Gauss
# Places in the room: derivatives of the shapes along x and across, gradients of q, u, t, what is pulled, moduli, moduli times shapes.
ALONG, ACROSS, GRADIENT, GRADIENT_U, GRADIENT_T, PULLED, MODULI, HALF, CONTINUUM_ROOM = 0, 8, 16, 25, 34, 43, 52, 133, 349


@compiled(INDEX(REAL, REAL, REAL, REAL, VECTOR))
def shapes(s: float, y: float, z: float, length: float, room: Floats) -> int:
    """Derivatives along x of the eight shapes, and of the four of the section across, at s in -1..1 and y, z in m."""
    n0, n1, n2, n3 = slopes(s, length)
    end = 0.5 * (1.0 + s)
    along, across = room[ALONG:ACROSS], room[ACROSS:GRADIENT]
    along[0], along[1], along[2], along[3] = n0, n1, -y / length, -z / length
    along[4], along[5], along[6], along[7] = n2, n3, y / length, z / length
    across[0] = across[1] = across[4] = across[5] = 0.0
    across[2] = across[3] = 1.0 - end
    across[6] = across[7] = end
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def gradient(q: Floats, room: Floats, into: Floats) -> int:
    """r_x, r_y, r_z at the point."""
    for i in range(3):
        total = 0.0
        for k in range(8):
            total += room[ALONG + k] * q[3 * k + i]
        into[i] = total
        into[3 + i] = room[ACROSS + 2] * q[6 + i] + room[ACROSS + 6] * q[18 + i]
        into[6 + i] = room[ACROSS + 3] * q[9 + i] + room[ACROSS + 7] * q[21 + i]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, INDEX, VECTOR, REAL, VECTOR))
def point_force(q: Floats, u: Floats, force: Floats, to: int, law: Floats, weight: float, room: Floats) -> int:
    """The share of the point whose shapes are in the room."""
    gradient(q, room, room[GRADIENT:GRADIENT_U])
    gradient(u, room, room[GRADIENT_U:GRADIENT_T])
    pulled = room[PULLED:MODULI]
    fill(pulled, 0.0)
    pull(room[GRADIENT:GRADIENT_U], room[GRADIENT_U:GRADIENT_T], law, weight, pulled)
    for k in range(8):
        a = max(0, k % 4 - 1)
        for i in range(3):
            force[to + 3 * k + i] -= room[ALONG + k] * pulled[i] + room[ACROSS + k] * pulled[3 * a + i]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, TABLE, INDEX, VECTOR, REAL, REAL, VECTOR))
def point_tangent(
    q: Floats, u: Floats, t: Floats, into: Floats, to: int, law: Floats, stiffness: float, weight: float, room: Floats
) -> int:
    """Of `point_force`."""
    gradient(q, room, room[GRADIENT:GRADIENT_U])
    gradient(u, room, room[GRADIENT_U:GRADIENT_T])
    gradient(t, room, room[GRADIENT_T:PULLED])
    a, half = room[MODULI:HALF], room[HALF:CONTINUUM_ROOM]
    fill(a, 0.0)
    moduli(room[GRADIENT:GRADIENT_U], room[GRADIENT_U:GRADIENT_T], room[GRADIENT_T:PULLED], law, stiffness, weight, a)
    for k in range(8):
        side = max(0, k % 4 - 1)
        for i in range(3):
            for m in range(9):
                half[27 * k + 9 * i + m] = room[ALONG + k] * a[9 * i + m] + room[ACROSS + k] * a[27 * side + 9 * i + m]
    for k in range(24):
        for m in range(8):
            side = max(0, m % 4 - 1)
            for j in range(3):
                into[to + k, to + 3 * m + j] += room[ALONG + m] * half[9 * k + j] + room[ACROSS + m] * half[9 * k + 3 * side + j]
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, INDEX, VECTOR, VECTOR))
def continuum_force(q: Floats, u: Floats, force: Floats, to: int, beam: Floats, room: Floats) -> int:
    """Subtract the forces of an element from force[to:to + 24]; room for CONTINUUM_ROOM."""
    length, quarter = beam[LENGTH], beam[HALF_WIDTH] * beam[HALF_HEIGHT]
    for s, share in POINTS:
        weight = 0.5 * share * length * quarter
        for y, z in SECTION:
            shapes(s, ROOT * y * beam[HALF_WIDTH], ROOT * z * beam[HALF_HEIGHT], length, room)
            point_force(q, u, force, to, beam[LAW:AXIS], weight, room)
        if beam[FORM] == ENHANCED:
            shapes(s, 0.0, 0.0, length, room)
            point_force(q, u, force, to, beam[AXIS:MASS], 4.0 * weight, room)
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR, TABLE, INDEX, VECTOR, REAL, VECTOR))
def continuum_tangent(q: Floats, u: Floats, t: Floats, into: Floats, to: int, beam: Floats, stiffness: float, room: Floats) -> int:
    """Add the tangent of an element to into[to:to + 24, to:to + 24]; room for CONTINUUM_ROOM."""
    length, quarter = beam[LENGTH], beam[HALF_WIDTH] * beam[HALF_HEIGHT]
    for s, share in POINTS:
        weight = 0.5 * share * length * quarter
        for y, z in SECTION:
            shapes(s, ROOT * y * beam[HALF_WIDTH], ROOT * z * beam[HALF_HEIGHT], length, room)
            point_tangent(q, u, t, into, to, beam[LAW:AXIS], stiffness, weight, room)
        if beam[FORM] == ENHANCED:
            shapes(s, 0.0, 0.0, length, room)
            point_tangent(q, u, t, into, to, beam[AXIS:MASS], stiffness, 4.0 * weight, room)
    return 0
