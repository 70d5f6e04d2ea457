"""A straight line, there and back, harmonic: at rest at both ends."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from model.floats import Floats
from model.paths.course import Course, Derivatives, Point, Timed, course, there_and_back


@dataclass(frozen=True, kw_only=True)
class Config(Timed):
    """From `begin` to `end` and back in one cycle."""

    begin: Point = field(metadata={"doc": "where it starts"})
    end: Point = field(metadata={"doc": "where it turns"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.begin == self.end:
            raise ValueError("end: expected another place than begin, got the same: a line of no length")

    def create(self) -> Course:
        """The path."""
        begin, way = self.begin.place, self.end.place - self.begin.place

        def curve(part: Floats) -> Derivatives:
            still = np.zeros((len(part), 3))
            return begin + part[:, None] * way, still + way, still, still

        return course(self, there_and_back(curve))
