"""What acts on the bodies, compiled: gravity, loads, springs with dampers, contact in joints with clearance.

The vector of forces has a triple (force x, force y, moment about the mass centre) for each body, and one for the ground that nobody reads.
"""

from __future__ import annotations

import math

from model.assembly import layout as at
from model.assembly.poses import apart, arm
from model.assembly.touching import push, touch_all
from model.compiled.signatures import INDEX, VECTOR, ContactLaw, Floats, compiled, template

SHORTEST = 1e-12  # m: springs shorter than this have no direction


@compiled(INDEX(VECTOR, VECTOR, INDEX))
def stretch_all(p: Floats, s: Floats, forces: int) -> int:
    """Springs with dampers along the line between their points."""
    k = int(p[at.AT_SPRINGS])
    for _ in range(int(p[at.SPRINGS])):
        i, j = int(p[k + at.C_POSE_I]), int(p[k + at.C_POSE_J])
        ix, iy = arm(s, i, p[k + at.C_S_I], p[k + at.C_S_I + 1])
        jx, jy = arm(s, j, p[k + at.C_S_J], p[k + at.C_S_J + 1])
        dx, dy, dx_rate, dy_rate = apart(s, i, j, ix, iy, jx, jy)
        length = math.sqrt(dx * dx + dy * dy)
        if length > SHORTEST:
            rate = (dx * dx_rate + dy * dy_rate) / length
            pull = (p[k + at.STIFFNESS] * (length - p[k + at.LENGTH]) + p[k + at.DAMPING] * rate) / length
            push(s, forces + int(p[k + at.C_BODY_I]), pull * dx, pull * dy, ix, iy, 0.0)
            push(s, forces + int(p[k + at.C_BODY_J]), -pull * dx, -pull * dy, jx, jy, 0.0)
        k += at.SPRING_COLUMNS
    return 0


@template()
def load_all(p: Floats, s: Floats, forces: int, law: ContactLaw | None) -> int:
    """Everything that acts, into the triples that begin at place `forces` of s."""
    weights = int(p[at.AT_WEIGHTS])
    for k in range(at.TRIPLE * (int(p[at.BODIES]) + 1)):
        s[forces + k] = p[weights + k]
    k = int(p[at.AT_LOADS])
    for _ in range(int(p[at.LOADS])):
        ax, ay = arm(s, int(p[k + at.L_POSE]), p[k + at.L_POINT], p[k + at.L_POINT + 1])
        push(s, forces + int(p[k + at.L_BODY]), p[k + at.L_FORCE], p[k + at.L_FORCE + 1], ax, ay, p[k + at.L_TORQUE])
        k += at.LOAD_COLUMNS
    stretch_all(p, s, forces)
    touch_all(p, s, forces, law)
    return 0
