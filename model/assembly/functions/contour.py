"""A curve in axes of a body through given points, as two functions of the way along it; what of it a point may follow."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np

from model.assembly.functions.function import Function, pieces
from model.assembly.functions.spline import DEGREE, MOST, pieces_of
from model.floats import Floats

LEAST = DEGREE + 1  # points
FINE = 20  # places looked at in each piece


@lru_cache(maxsize=64)
def contour(points: tuple[tuple[float, float], ...], closed: bool, key: str) -> tuple[Function, Function]:
    """x and y (m) by a parameter: quintic splines over the length of the straight lines between the points. Raises ValueError.

    closed: it goes on from the last point to the first. Else it goes on straight at both ends.
    """
    if not LEAST <= len(points) <= MOST:
        raise ValueError(f"{key}: expected {LEAST} to {MOST} points, got {len(points)}")
    places = np.array([*points, points[0]] if closed else points, dtype=np.float64)
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    if not np.all(steps > 0.0):
        raise ValueError(f"{key}: point {int(np.argmin(steps)) + 1} and the next one are the same place; leave one out")
    way = np.concatenate([[0.0], np.cumsum(steps)])
    straight = [(2, 0.0), (3, 0.0)]
    functions = [pieces(*pieces_of(way, values, "periodic" if closed else (straight, straight)), repeats=closed) for values in places.T]
    _refuse_folds(functions[0], functions[1], way, key)
    return functions[0], functions[1]


def _refuse_folds(along: Function, across: Function, way: Floats, key: str) -> None:
    """Raise ValueError for a curve that comes so near to itself that the nearest point of it is not told."""
    u = np.concatenate([np.linspace(a, b, FINE, endpoint=False) for a, b in pairwise(way.tolist())])
    places = np.array([along.at(u)[0], across.at(u)[0]]).T
    closed = np.allclose(places[0], (along(way[-1])[0], across(way[-1])[0]))
    largest = 2.0 * float(np.max(np.diff(way)))
    length = way[-1] - way[0]
    for n in range(0, len(u), FINE):
        apart = np.abs(u - u[n])
        apart = np.minimum(apart, length - apart) if closed else apart
        near = np.linalg.norm(places - places[n], axis=1)
        if np.any((apart > 3.0 * largest) & (near < 0.5 * largest)):
            x, y = (round(1e3 * value, 6) + 0.0 for value in places[n].tolist())
            where = f"({x:.4g}, {y:.4g}) mm"
            raise ValueError(f"{key}: the curve comes too near to itself at {where}; give more points there, or a curve without crossing")
