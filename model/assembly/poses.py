"""Poses of the bodies from the state, compiled: where every other kernel takes positions, directions and speeds of points from."""

from __future__ import annotations

import math

from numba import types

from model.assembly import layout as at
from model.assembly.rods.bending import place_frames
from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled

TWO = types.UniTuple(REAL, 2)  # type: ignore[no-untyped-call]
FOUR = types.UniTuple(REAL, 4)  # type: ignore[no-untyped-call]


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def pose(y: Floats, p: Floats, s: Floats) -> int:
    """Fill the poses, of bodies and frames, and the own states in s; what is constant in them stays, and so does the ground's."""
    bodies = int(p[at.BODIES])
    place, speeds = int(p[at.S_POSES]), 3 * bodies
    for body in range(bodies):
        q = 3 * body
        angle = y[q + 2]
        s[place + at.X], s[place + at.Y] = y[q], y[q + 1]
        s[place + at.ANGLE_OF] = angle
        s[place + at.COS], s[place + at.SIN] = math.cos(angle), math.sin(angle)
        s[place + at.VX], s[place + at.VY], s[place + at.OMEGA] = y[speeds + q], y[speeds + q + 1], y[speeds + q + 2]
        place += at.POSE_COLUMNS
    own = int(p[at.S_OWN])
    for k in range(int(p[at.OWN_STATES])):
        s[own + k] = y[2 * speeds + k]
    if p[at.RODS] > 0.0:
        place_frames(p, s)
    return 0


@compiled(TWO(VECTOR, INDEX, REAL, REAL))
def arm(s: Floats, place: int, along: float, across: float) -> tuple[float, float]:
    """From the mass centre to a point given in body axes, in the world's axes, m."""
    c, sine = s[place + at.COS], s[place + at.SIN]
    return c * along - sine * across, sine * along + c * across


@compiled(FOUR(VECTOR, INDEX, INDEX, REAL, REAL, REAL, REAL))
def apart(s: Floats, i: int, j: int, ix: float, iy: float, jx: float, jy: float) -> tuple[float, float, float, float]:
    """(D_x, D_y, D_x', D_y'): point of j less point of i, their arms given in the world's axes; m and m/s."""
    wi, wj = s[i + at.OMEGA], s[j + at.OMEGA]
    return (
        s[j + at.X] + jx - s[i + at.X] - ix,
        s[j + at.Y] + jy - s[i + at.Y] - iy,
        s[j + at.VX] - wj * jy - s[i + at.VX] + wi * iy,
        s[j + at.VY] + wj * jx - s[i + at.VY] - wi * ix,
    )
