"""A spring with a damper between two points."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.elements import Elements, Frame, Spring, curve_of


@dataclass(frozen=True)
class Point:
    """Of a measured or progressive spring."""

    way: float = field(metadata={"unit": "m", "doc": "distance less length"})
    force: float = field(metadata={"unit": "N", "doc": "pulling"})


@dataclass(frozen=True)
class Config:
    """Pulls the points together with preload + stiffness (distance - length) + damping times the rate of the distance.

    It pushes where that is negative.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})
    stiffness: float = field(default=0.0, metadata={"unit": "N/m", "at_least": 0.0})
    damping: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0})
    length: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "without force"})
    preload: float = field(default=0.0, metadata={"unit": "N", "doc": "pull at that length"})
    curve: tuple[Point, ...] = field(default=(), metadata={"doc": "instead of the stiffness: straight between the points and beyond them"})

    def elements(self, frame: Frame) -> Elements:
        """A spring."""
        i, j = frame.pair(self.between)
        if self.curve and self.stiffness:
            raise ValueError("curve: expected a stiffness or a curve, got both")
        curve = curve_of([(point.way, point.force) for point in self.curve], "curve")
        return Elements(springs=(Spring(i, j, self.stiffness, self.damping, self.length, preload=self.preload, curve=curve),))
