"""How a planar mechanism stands where its drives stand: what is left free comes to rest as weight, springs and contacts have it, compiled.

Dynamic relaxation with kinetic damping: the mechanism moves on, and each time its kinetic energy has passed a peak all speeds are taken
away, until next to nothing accelerates any more. Friction that is regularised by speed does nothing at rest.
"""

from __future__ import annotations

import math

from model.assembly import layout as at
from model.assembly.loads import load_all
from model.assembly.poses import pose
from model.assembly.rods.bending import accelerate_frames, go_on, hasten, measure
from model.compiled.signatures import INDEX, LAW, REAL, VECTOR, ContactLaw, Floats, compiled
from model.joints import contact
from model.mechanisms.planar.kernel import guards, rhs, switch

NOTHING = 1e-7  # m/s^2: more than rounding in springs and constraints accelerates; what is moved by less rests
STILL = 1e-7  # of the acceleration that the loads alone would give: what counts as none


@compiled(REAL(VECTOR, VECTOR, VECTOR))
def weighted(rates: Floats, p: Floats, s: Floats) -> float:
    """Sum of mass times square over the second half of `rates`, and of the rods' behind it.

    Of speeds twice the kinetic energy, of accelerations what drives.
    """
    total, root, speeds = 0.0, int(p[at.S_POSES]), at.TRIPLE * int(p[at.BODIES])
    for k in range(speeds, 2 * speeds, at.TRIPLE):
        along = (rates[k] * rates[k] + rates[k + 1] * rates[k + 1]) / s[root + at.ROOT_MASS] ** 2
        total += along + (rates[k + 2] / s[root + at.ROOT_INERTIA]) ** 2
        root += at.POSE_COLUMNS
    if p[at.RODS] > 0.0:
        total += measure(rates, p, 2 * speeds)
    return total


@compiled(REAL(VECTOR, VECTOR))
def weighed(p: Floats, s: Floats) -> float:
    """Mass of all bodies, kg."""
    total, root = 0.0, int(p[at.S_POSES])
    for _ in range(int(p[at.BODIES])):
        total += 1.0 / s[root + at.ROOT_MASS] ** 2
        root += at.POSE_COLUMNS
    return total


@compiled(REAL(VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def loaded(y: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> float:
    """The same of the accelerations that what acts would give each body for itself: a measure of what there is to be balanced."""
    pose(y, p, s)
    forces, root, total = int(p[at.S_ACCELERATION]), int(p[at.S_POSES]), 0.0
    load_all(0.0, p, s, u, forces, law)
    for k in range(forces, forces + at.TRIPLE * int(p[at.BODIES]), at.TRIPLE):
        along = (s[k] * s[k] + s[k + 1] * s[k + 1]) * s[root + at.ROOT_MASS] ** 2
        total += along + (s[k + 2] * s[root + at.ROOT_INERTIA]) ** 2
        root += at.POSE_COLUMNS
    if p[at.RODS] > 0.0:
        accelerate_frames(p, s, forces, 0.0)
        total += measure(s, p, int(p[at.S_OWN]) + int(p[at.OWN_STATES]))
    return math.sqrt(total)


@compiled(INDEX(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
def respond(y: Floats, dy: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """Rates of y into dy, contacts open or closed as y has them; how many of them were not."""
    changed = 0
    guards(0.0, y, g, g_rate, p, s, u)
    for k in range(int(p[at.CONTACTS]) + 1):
        if g[k] > 0.0:
            switch(k, 0.0, y, p, s, u)
            changed += 1
    rhs(0.0, y, dy, p, s, u, law)
    return changed


@compiled(REAL(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, REAL, INDEX, LAW))
def settle(
    y: Floats, dy: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats, h: float, steps: int, law: ContactLaw
) -> float:
    """Bring y to rest in at most so many steps of h (s), and s with it.

    Returns the acceleration that is left, as a share of that which the loads alone would give; 0 where it is nothing.
    """
    contacts, speeds = int(p[at.CONTACTS]), at.TRIPLE * int(p[at.BODIES])
    given, before, left = loaded(y, p, s, u, law), 0.0, 0.0
    nothing = NOTHING * math.sqrt(weighed(p, s))
    if given <= nothing:
        return 0.0
    for _ in range(steps):
        respond(y, dy, g, g_rate, p, s, u, law)
        left = math.sqrt(weighted(dy, p, s))
        if left <= max(STILL * given, nothing):
            break
        for k in range(speeds):
            y[speeds + k] += h * dy[speeds + k]
        hasten(y, dy, p, 2 * speeds, h)
        energy = weighted(y, p, s)
        if energy < before:
            y[speeds : 2 * speeds] = 0.0
            go_on(y, p, 2 * speeds, 0.0)
            before = 0.0
            continue
        before = energy
        for k in range(speeds):
            y[k] += h * y[speeds + k]
        go_on(y, p, 2 * speeds, h)
    y[speeds : 2 * speeds] = 0.0
    go_on(y, p, 2 * speeds, 0.0)
    for k in range(contacts):
        if contact.touching(s, k):
            s[contact.EACH * k + contact.SPEED] = p[int(p[at.AT_CONTACTS]) + at.C_COLUMNS * k + at.C_FLOOR]
    return 0.0 if left <= nothing else left / given
