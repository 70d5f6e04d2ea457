"""Smooth curves through points: quintic splines, whose first four derivatives are continuous."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.interpolate import make_interp_spline

from model.assembly.functions.function import Function, pieces
from model.floats import Floats

REST, ON, REPEAT = BEYOND = ("rest", "on", "repeat")
"""Outside its points it rests (speed and acceleration are 0 at both ends), goes on at the speed of its end (acceleration and its rate are
0 there), or repeats (each time from where it ended)."""
DEGREE = 5
Ends = str | tuple[list[tuple[int, float]], list[tuple[int, float]]]
LARGEST_FILE = 1 << 22  # bytes
MOST = 5000  # points


def through(points: Sequence[tuple[float, float]], key: str, beyond: str = REST) -> Function:
    """The curve through at least two points (x, y), whose x rises. Raises ValueError, beginning with the key."""
    return _through(tuple(points), key, beyond)


@lru_cache(maxsize=64)
def _through(points: tuple[tuple[float, float], ...], key: str, beyond: str) -> Function:
    if not 2 <= len(points) <= MOST:
        raise ValueError(f"{key}: expected 2 to {MOST} points, got {len(points)}")
    for (before, _), (after, _) in pairwise(points):
        if not before < after:
            raise ValueError(f"{key}: expected points whose first value rises, got {after:g} after {before:g}")
    x, y = np.array(points, dtype=np.float64).T
    if beyond == REPEAT:
        return pieces(*repeated(x, y, key), repeats=True)
    ends = [(1, 0.0), (2, 0.0)] if beyond == REST else [(2, 0.0), (3, 0.0)]
    return pieces(*pieces_of(x, y, (ends, ends)))


def repeated(x: Floats, y: Floats, key: str) -> tuple[Floats, Floats]:
    """Ends and coefficients of the periodic curve, which grows by y[-1] - y[0] from one time to the next."""
    if len(x) < DEGREE + 1:
        raise ValueError(f"{key}: expected at least {DEGREE + 1} points of what repeats, got {len(x)}")
    slope = (y[-1] - y[0]) / (x[-1] - x[0])
    level = y - slope * (x - x[0])
    level[-1] = level[0]
    ends, coefficients = pieces_of(x, level, "periodic")
    coefficients[:, 0] += slope * (ends[:-1] - x[0])
    coefficients[:, 1] += slope
    return ends, coefficients


def pieces_of(x: Floats, y: Floats, ends: Ends) -> tuple[Floats, Floats]:
    """(ends (n + 1,), coefficients (n, 6), the constant first) of the spline through the points.

    ends: for each end which derivatives are what there, or "periodic".
    """
    spline = make_interp_spline(x, y, k=DEGREE, bc_type=ends)  # type: ignore[arg-type]  # of pairs the stubs know nothing
    first, last = DEGREE, len(spline.t) - DEGREE - 1
    real = [float(knot) for knot, after in pairwise(spline.t[first : last + 1]) if after > knot]
    coefficients = [[spline(knot, nu=n) / math.factorial(n) for n in range(DEGREE + 1)] for knot in real]
    return np.array([*real, spline.t[last]]), np.array(coefficients, dtype=np.float64)


def table(file: str, scale: float, key: str) -> list[tuple[float, float]]:
    """(x, y * scale) of each line of a text file: two numbers, divided by comma, semicolon or space; a first line may be words.

    Raises ValueError, beginning with the key.
    """
    path = Path(file)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(f"{key}: {path.name}: expected at most {LARGEST_FILE} bytes of points, got {path.stat().st_size}")
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{key}: cannot read {file}: {getattr(error, 'strerror', None) or error}") from None
    points = []
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].replace(";", " ").replace(",", " ").split()
        try:
            x, y = (float(word) for word in words)
            if not (math.isfinite(x) and math.isfinite(y)):
                raise ValueError
        except ValueError:
            if words and number > 1:
                raise ValueError(f"{key}: {path.name}, line {number}: expected two numbers, such as 0.1, 25; got {line!r}") from None
            continue
        points.append((x, scale * y))
    return points
