"""A spring with a damper that turns a body back."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.description import GROUND
from model.assembly.elements import Elements, Frame, Spring, curve_of, turned


@dataclass(frozen=True)
class Point:
    """Of a measured or progressive spring."""

    angle: float = field(metadata={"unit": "rad", "doc": "beyond the free one"})
    torque: float = field(metadata={"unit": "N*m", "doc": "turning back"})


@dataclass(frozen=True)
class Config:
    """Turns `body` back towards `relative_to`: torque preload + stiffness (angle between them - angle) + damping times the rate."""

    name: str
    body: str
    stiffness: float = field(default=0.0, metadata={"unit": "N*m/rad", "at_least": 0.0})
    damping: float = field(default=0.0, metadata={"unit": "N*m*s/rad", "at_least": 0.0})
    angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "without torque"})
    preload: float = field(default=0.0, metadata={"unit": "N*m", "doc": "at that angle, turning back"})
    curve: tuple[Point, ...] = field(default=(), metadata={"doc": "instead of the stiffness: straight between the points and beyond them"})
    relative_to: str = GROUND

    def elements(self, frame: Frame) -> Elements:
        """A spring."""
        i, j = turned(frame, self.relative_to, self.body)
        if self.curve and self.stiffness:
            raise ValueError("curve: expected a stiffness or a curve, got both")
        curve = curve_of([(point.angle, point.torque) for point in self.curve], "curve")
        made = Spring(i, j, self.stiffness, self.damping, self.angle, at.TURNED, preload=self.preload, curve=curve)
        return Elements(springs=(made,))
