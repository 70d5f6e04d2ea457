"""A motor by its characteristic: torque over speed, as of a direct-current or an induction motor."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.description import GROUND
from model.assembly.elements import Elements, Frame, Spring, curve_of, turned


@dataclass(frozen=True)
class Point:
    """Of the characteristic."""

    speed: float = field(metadata={"unit": "rad/s"})
    torque: float = field(metadata={"unit": "N*m", "doc": "on the body, driving where positive"})


@dataclass(frozen=True)
class Config:
    """Torque on `body`, its opposite on `relative_to`, by the speed between them. Two points, at rest and without load, make a motor of
    direct current; a dozen an induction motor with its pull-out torque."""

    name: str
    body: str
    curve: tuple[Point, ...] = field(metadata={"doc": "straight between the points and beyond them"})
    relative_to: str = GROUND

    def elements(self, frame: Frame) -> Elements:
        """A torque that goes by the speed."""
        i, j = turned(frame, self.relative_to, self.body)
        curve = curve_of([(point.speed, -point.torque) for point in self.curve], "curve")
        if not curve:
            raise ValueError("curve: expected at least 2 points, such as torque at rest and speed without load")
        return Elements(springs=(Spring(i, j, 0.0, 0.0, 0.0, at.TURNED, curve=curve, by_rate=True),))
