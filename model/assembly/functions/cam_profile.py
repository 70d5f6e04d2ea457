"""A cam by the lift that it gives: its profile as a curve that a roller's middle follows, or as the distance of a flat face."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np

from model.assembly.functions.contour import contour
from model.assembly.functions.function import Function, pieces
from model.assembly.functions.numbering import COUNT, ENDS
from model.assembly.functions.spline import repeated

TURN = 2.0 * math.pi
CLOSE = 1e-9  # m: by which the lift at the end may differ from that at the beginning
LOOKED_AT = 720  # angles
PITCH_POINTS = 720


@lru_cache(maxsize=64)
def lift_of(points: tuple[tuple[float, float], ...], key: str) -> Function:
    """Lift (m) by the angle in the cam's axes (rad), once a turn. The last point is the first, a turn later. Raises ValueError."""
    for (before, _), (after, _) in pairwise(points):
        if not before < after:
            raise ValueError(
                f"{key}: expected points whose angle rises, got {math.degrees(after):g} deg after {math.degrees(before):g} deg"
            )
    if not points or abs(points[-1][0] - points[0][0] - TURN) > 1e-6 or abs(points[-1][1] - points[0][1]) > CLOSE:
        raise ValueError(f"{key}: expected points over a whole turn, the last one with the lift of the first one, 360 deg later")
    angles, lifts = np.array(points, dtype=np.float64).T
    angles[-1] = angles[0] + TURN
    return pieces(*repeated(angles, lifts, key), repeats=True)


@lru_cache(maxsize=64)
def pitch_curve(lift: Function, base: float, roller: float, offset: float) -> tuple[Function, Function]:
    """x and y (m) of the middle of a roller (of radius 0: an edge) in the cam's axes. Raises ValueError.

    It stands at base + roller + lift from the cam's middle, along its line of stroke, which passes the middle by the offset, on its left
    where that is positive.
    """
    reach = base + roller
    if not abs(offset) < reach:
        raise ValueError(f"offset: expected less than the radii of base and roller together, {reach:g} m, got {offset:g} m")
    first = math.sqrt(reach * reach - offset * offset)
    angles = np.linspace(TURN, 0.0, PITCH_POINTS, endpoint=False)  # clockwise, so that its left is outwards
    stands, c, sine = first + lift.at(angles)[0], np.cos(angles), np.sin(angles)
    points = zip((c * stands - sine * offset).tolist(), (sine * stands + c * offset).tolist(), strict=True)
    along, across = contour(tuple(points), True, "lift")
    if roller > 0.0:
        _refuse_undercut(along, across, roller)
    return along, across


def _refuse_undercut(along: Function, across: Function, roller: float) -> None:
    """Raise ValueError where the roller is too large for a hollow of the pitch curve, or for its sharpest top."""
    last = along.numbers[ENDS + int(along.numbers[COUNT])]
    u = np.linspace(0.0, last, LOOKED_AT, endpoint=False)
    (_, tx, bx), (_, ty, by) = along.at(u), across.at(u)
    sharpest = float(np.max((ty * bx - tx * by) / np.hypot(tx, ty) ** 3))  # outwards
    if sharpest * roller >= 1.0:
        raise ValueError(f"roller_radius: {roller * 1e3:g} mm is too much: its path is as sharp as {1e3 / sharpest:.4g} mm")


@lru_cache(maxsize=64)
def face_distance(lift: Function, base: float) -> Function:
    """Distance (m) of a flat face from the cam's middle, by the angle of its normal. Raises ValueError for a cam that is hollow there."""
    count = int(lift.numbers[COUNT])
    ends, coefficients = np.array(lift.numbers[ENDS : ENDS + count + 1]), np.array(lift.numbers[ENDS + count + 1 :]).reshape(count, -1)
    coefficients[:, 0] += base
    distance = pieces(ends, coefficients, repeats=True)
    angles = np.linspace(0.0, TURN, LOOKED_AT, endpoint=False)
    h, _, bend = distance.at(angles)
    if np.min(h + bend) <= 0.0:
        angle = angles[np.argmin(h + bend)]
        raise ValueError(
            f"lift: at {math.degrees(angle):.4g} deg the cam would be hollow, which no flat face follows; give it a base_radius of more "
            f"than {base * 1e3:g} mm, or a gentler lift"
        )
    return distance
