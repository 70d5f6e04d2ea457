"""Bodies of a planar linkage's plant, compiled: where their points are, how they move, what pushes them (`planar_kernel`)."""

from __future__ import annotations

from numba import types

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from rig.virtual.plants.motor_rig import planar_layout as at

TWO = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]
FOUR = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]
ENDS = types.Tuple((INDEX, INDEX, *[REAL] * 8))  # type: ignore[no-untyped-call]


@compiled(INDEX(VECTOR))
def bodies_at(p: Floats) -> int:
    """Place in y of the first body: angles and speeds of the axes, work and what is lost come before."""
    return 2 * int(p[at.AXES]) + 2


@compiled(INDEX(VECTOR))
def contacts_at(p: Floats) -> int:
    """Place in y of the first contact's state; behind the bodies and the ground. Behind them what friction
    strains, arcs of wheels at the start, motors' own, room for formulas, and the time, s."""
    return bodies_at(p) + at.BODY_STATES * (int(p[at.BODIES]) + 1)


@compiled(TWO(VECTOR, INDEX, REAL, REAL))
def arm(y: Floats, b: int, along: float, across: float) -> tuple[float, float]:
    """A point of the body at place b of y, from its mass centre, in the world's axes."""
    return y[b + at.COS] * along - y[b + at.SIN] * across, y[b + at.SIN] * along + y[b + at.COS] * across


@compiled(FOUR(VECTOR, INDEX, INDEX, REAL, REAL, REAL, REAL))
def apart(y: Floats, i: int, j: int, ix: float, iy: float, jx: float, jy: float) -> tuple[float, float, float, float]:
    """D and its rate, of points given by their arms."""
    return (
        y[j + at.X] + jx - y[i + at.X] - ix,
        y[j + at.Y] + jy - y[i + at.Y] - iy,
        y[j + at.VX] - y[j + at.W] * jy - y[i + at.VX] + y[i + at.W] * iy,
        y[j + at.VY] + y[j + at.W] * jx - y[i + at.VY] - y[i + at.W] * ix,
    )


@compiled(ENDS(VECTOR, VECTOR, INDEX, INDEX))
def ends(y: Floats, p: Floats, first: int, k: int) -> tuple[int, int, float, float, float, float, float, float, float, float]:
    """(places in y of the two bodies of the row at k, both arms, D and its rate)."""
    i, j = first + at.BODY_STATES * int(p[k + at.BODY_I]), first + at.BODY_STATES * int(p[k + at.BODY_J])
    ix, iy = arm(y, i, p[k + at.SI], p[k + at.SI + 1])
    jx, jy = arm(y, j, p[k + at.SJ], p[k + at.SJ + 1])
    dx, dy, vx, vy = apart(y, i, j, ix, iy, jx, jy)
    return i, j, ix, iy, jx, jy, dx, dy, vx, vy


@compiled(INDEX(VECTOR, INDEX, REAL, REAL, REAL, REAL, REAL))
def push(y: Floats, b: int, fx: float, fy: float, ax: float, ay: float, moment: float) -> int:
    """A force at an arm, and a moment, on the body at place b of y."""
    y[b + at.FX] += fx
    y[b + at.FY] += fy
    y[b + at.M] += ax * fy - ay * fx + moment
    return 0


@compiled(REAL(VECTOR, INDEX, INDEX, INDEX, REAL, REAL, REAL, REAL, REAL, REAL, VECTOR))
def shared_mass(y: Floats, i: int, j: int, k: int, ix: float, iy: float, jx: float, jy: float, nx: float, ny: float, p: Floats) -> float:
    """What two points have of inertia against being driven apart along n, kg; k: place in p of the two bodies' numbers."""
    lightness = 0.0
    for number, x, across in ((int(p[k + at.BODY_I]), ix, iy), (int(p[k + at.BODY_J]), jx, jy)):
        if number < int(p[at.BODIES]):
            body = int(p[at.AT_BODIES]) + at.BODY_COLUMNS * number
            lever = x * ny - across * nx
            lightness += 1.0 / p[body + at.B_MASS] + lever * lever / p[body + at.B_INERTIA]
    return 1.0 / lightness


@compiled(INDEX(VECTOR, VECTOR, INDEX, REAL))
def wear(y: Floats, p: Floats, state: int, pressed: float) -> int:
    """Open the play of the contact whose states begin at `state` by the work (J) that is pressed into it; none before the time begins."""
    if y[-1] >= 0.0 and pressed > 0.0:
        y[state + at.WORN] += p[at.WEAR] * pressed
    return 0
