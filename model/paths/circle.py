"""A circle in a plane of the axes, with constant speed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from model.floats import Floats
from model.paths.course import Course, Derivatives, Point, Timed, course

PLANES = {"xy": (0, 1), "yz": (1, 2), "zx": (2, 0)}


@dataclass(frozen=True, kw_only=True)
class Config(Timed):
    """Phase 0 is where the plane's first axis points from the centre; sense + turns from its first axis to its second."""

    centre: Point
    radius: float = field(metadata={"unit": "m", "over": 0.0})
    plane: str = field(default="xy", metadata={"choices": tuple(PLANES)})
    sense: str = field(default="+", metadata={"choices": ("+", "-")})

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 < self.radius < math.inf:
            raise ValueError(f"radius: expected more than 0 m and finite, got {self.radius:g} m")
        for name, choices in (("plane", tuple(PLANES)), ("sense", ("+", "-"))):
            if getattr(self, name) not in choices:
                raise ValueError(f"{name}: expected one of {', '.join(choices)}; got {getattr(self, name)!r}")

    def create(self) -> Course:
        """The path."""
        return turning(self, timed=False)


def turning(config: Config, timed: bool) -> Course:
    """The path; timed: see model.paths.course.course."""
    middle = config.centre.place
    out, aside = config.radius * np.eye(3)[list(PLANES[config.plane])]
    if config.sense == "-":
        aside = -aside

    def curve(phase: Floats) -> Derivatives:
        cosine, sine = np.cos(phase)[:, None], np.sin(phase)[:, None]
        outward, along = cosine * out + sine * aside, cosine * aside - sine * out
        return middle + outward, along, -outward, -along

    return course(config, curve, timed)
