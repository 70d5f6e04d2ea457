"""Trajectory I of chen2026, m and s: X = -0.2 + 0.05 cos(3 pi t), Y = 0.08 - 0.05 sin(3 pi t), Z = -0.54.

After a blend it is at these places at these times.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from model.paths import circle
from model.paths.course import Course, Point


@dataclass(frozen=True, kw_only=True)
class Config(circle.Config):
    """Values of the paper."""

    centre: Point = field(default_factory=lambda: Point(-0.2, 0.08, -0.54))
    radius: float = field(default=0.05, metadata={"unit": "m", "over": 0.0})
    sense: str = field(default="-", metadata={"choices": ("+", "-")})

    def create(self) -> Course:
        """The path."""
        return circle.turning(self, timed=True)
