"""A force at a point, and a torque, that go by a table over time."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.elements import Elements, Frame, Load, curve_of


@dataclass(frozen=True)
class Point:
    """A factor on force and torque at a time."""

    time: float = field(metadata={"unit": "s"})
    factor: float = field(metadata={"unit": "1"})


@dataclass(frozen=True)
class Config:
    """As `constant`, times a factor: straight between the points, before the first and after the last as there."""

    name: str
    on: str = field(metadata={"doc": '"BODY.POINT"'})
    curve: tuple[Point, ...]
    force_x: float = field(default=0.0, metadata={"unit": "N"})
    force_y: float = field(default=0.0, metadata={"unit": "N"})
    torque: float = field(default=0.0, metadata={"unit": "N*m"})

    def elements(self, frame: Frame) -> Elements:
        """A load."""
        curve = curve_of([(point.time, point.factor) for point in self.curve], "curve")
        if not curve:
            raise ValueError("curve: expected at least 2 points")
        return Elements(loads=(Load(frame.moving(self.on), (self.force_x, self.force_y), self.torque, curve),))
