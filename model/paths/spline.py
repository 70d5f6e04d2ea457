"""A smooth curve through given points, closed or there and back.

Polynomial pieces of degree 5 with four continuous derivatives (of lower degree through few points), over the length of the straight lines
between the points, so that the speed is about even along a closed one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.interpolate import make_interp_spline

from model.floats import Floats
from model.paths.course import Course, Derivatives, Point, Timed, course, there_and_back


@dataclass(frozen=True, kw_only=True)
class Config(Timed):
    """Begins at the first point; closed: from the last one it goes on to the first."""

    points: tuple[Point, ...] = field(metadata={"doc": "3 at least where closed, else 2"})
    closed: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        least = 3 if self.closed else 2
        if len(self.points) < least:
            raise ValueError(f"points: expected at least {least}, got {len(self.points)}")
        following = (*self.points[1:], self.points[0]) if self.closed else self.points[1:]
        for k, (one, other) in enumerate(zip(self.points, following, strict=False)):
            if one == other:
                raise ValueError(f"points: point {k + 1} and the next one are the same place; leave one out")

    def create(self) -> Course:
        """The path."""
        places = [point.place for point in self.points]
        if self.closed:
            places.append(places[0])
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
        whole = 2.0 * math.pi if self.closed else 1.0
        degree = min(5, len(places) - 1)
        if self.closed:
            spline = make_interp_spline(whole * lengths / lengths[-1], np.array(places), k=degree - (degree + 1) % 2, bc_type="periodic")
        else:
            spline = make_interp_spline(lengths / lengths[-1], np.array(places), k=degree)

        def curve(at: Floats) -> Derivatives:
            inside = np.remainder(at, whole) if self.closed else np.clip(at, 0.0, 1.0)
            return spline(inside), spline(inside, 1), spline(inside, 2), spline(inside, 3)

        return course(self, curve if self.closed else there_and_back(curve))
