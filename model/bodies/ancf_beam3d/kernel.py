"""Spatial ANCF beam with two nodes an element: forces, tangents and inertia, compiled (chen2026 section 1.2, corrected).

| symbol | unit | meaning |
|---|---|---|
| e = (r, r_x, r_y, r_z) of both nodes | m, 1 | coordinates of an element, 24; those of node j of a beam are at 12 j |
| v | m/s, 1/s | their velocities |
| M | kg, kg m, kg m^2 | constant mass matrix: m_kl of two shapes for each direction |
| beta | s | Kelvin-Voigt: every stress is that of the strain + beta times its rate |

All strains are dot products of vectors that turn with the bar: forces of a bar that is turned are the forces turned, so that a tangent, or
its factors, may be kept in a frame that turns with it. `beam`: model.bodies.ancf_beam3d.parameters; room: ROOM numbers to work in.
"""

from __future__ import annotations

from model.bodies.ancf_beam3d.continuum import CONTINUUM_ROOM, continuum_force, continuum_tangent
from model.bodies.ancf_beam3d.line import line_force, line_tangent
from model.bodies.ancf_beam3d.parameters import BETA, FORM, LINE, MASS
from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, Floats, compiled

NODE, ELEMENT = 12, 24  # coordinates of a node, of an element
OWN, RATED, FACTOR, POINT = 0, 24, 48, 72  # places in the room: q, u, t of the element, what its points work in
ROOM = POINT + CONTINUUM_ROOM


@compiled(INDEX(VECTOR, VECTOR, INDEX, VECTOR, INDEX, VECTOR, VECTOR))
def element_force(q: Floats, v: Floats, at: int, force: Floats, to: int, beam: Floats, room: Floats) -> int:
    """Subtract elastic and damping forces of the element with coordinates q[at:at + 24] from force[to:to + 24], N and N m."""
    twice = 2.0 * beam[BETA]
    for k in range(ELEMENT):
        room[OWN + k] = q[at + k]
        room[RATED + k] = q[at + k] + twice * v[at + k]
    if beam[FORM] == LINE:
        return int(line_force(room[OWN:RATED], room[RATED:FACTOR], force, to, beam))
    return int(continuum_force(room[OWN:RATED], room[RATED:FACTOR], force, to, beam, room[POINT:]))


@compiled(INDEX(VECTOR, VECTOR, INDEX, TABLE, INDEX, VECTOR, REAL, REAL, VECTOR))
def element_tangent(
    q: Floats, v: Floats, at: int, into: Floats, to: int, beam: Floats, stiffness: float, damping: float, room: Floats
) -> int:
    """Add stiffness dF/de + damping dF/dv to into[to:to + 24, to:to + 24]; F is what `element_force` subtracts."""
    beta = beam[BETA]
    for k in range(ELEMENT):
        room[OWN + k] = q[at + k]
        room[RATED + k] = q[at + k] + 2.0 * beta * v[at + k]
        room[FACTOR + k] = (stiffness + beta * damping) * q[at + k] + stiffness * beta * v[at + k]
    q, u, t = room[OWN:RATED], room[RATED:FACTOR], room[FACTOR:POINT]
    if beam[FORM] == LINE:
        return int(line_tangent(q, u, t, into, to, beam, stiffness, room[POINT:]))
    return int(continuum_tangent(q, u, t, into, to, beam, stiffness, room[POINT:]))


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def forces(q: Floats, v: Floats, into: Floats, beam: Floats, room: Floats) -> int:
    """into -= elastic and damping forces of a whole beam; the size of into sets the number of its elements."""
    for at in range(0, into.size - NODE, NODE):
        element_force(q, v, at, into, at, beam, room)
    return 0


@compiled(INDEX(VECTOR, VECTOR, TABLE, VECTOR, REAL, REAL, VECTOR))
def tangents(q: Floats, v: Floats, into: Floats, beam: Floats, stiffness: float, damping: float, room: Floats) -> int:
    """into += stiffness dF/de + damping dF/dv of a whole beam; the size of q sets the number of its elements."""
    for at in range(0, q.size - NODE, NODE):
        element_tangent(q, v, at, into, at, beam, stiffness, damping, room)
    return 0


@compiled(INDEX(VECTOR, VECTOR, VECTOR), built_in=True)
def inertia(a: Floats, into: Floats, beam: Floats) -> int:
    """into += M a of a whole beam: by r and r_x together, by r_y and by r_z alone, since x runs through the sections' centres."""
    m = beam[MASS : MASS + 64]
    for at in range(0, into.size - NODE, NODE):
        for i in range(at, at + 3):
            r, x, y, z = a[i], a[i + 3], a[i + 6], a[i + 9]
            r1, x1, y1, z1 = a[i + 12], a[i + 15], a[i + 18], a[i + 21]
            into[i] += m[0] * r + m[1] * x + m[4] * r1 + m[5] * x1
            into[i + 3] += m[8] * r + m[9] * x + m[12] * r1 + m[13] * x1
            into[i + 6] += m[18] * y + m[22] * y1
            into[i + 9] += m[27] * z + m[31] * z1
            into[i + 12] += m[32] * r + m[33] * x + m[36] * r1 + m[37] * x1
            into[i + 15] += m[40] * r + m[41] * x + m[44] * r1 + m[45] * x1
            into[i + 18] += m[50] * y + m[54] * y1
            into[i + 21] += m[59] * z + m[63] * z1
    return 0


@compiled(INDEX(TABLE, REAL, VECTOR, INDEX))
def masses(into: Floats, scale: float, beam: Floats, size: int) -> int:
    """into += scale M of a whole beam with `size` coordinates."""
    for at in range(0, size - NODE, NODE):
        for k in range(8):
            for m in range(8):
                mass = scale * beam[MASS + 8 * k + m]
                for i in range(3):
                    into[at + 3 * k + i, at + 3 * m + i] += mass
    return 0
