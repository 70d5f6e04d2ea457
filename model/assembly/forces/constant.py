"""A constant force at a point, and a constant torque."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.elements import Elements, Frame, Load


@dataclass(frozen=True)
class Config:
    """Force in the world's axes at a point of a body, and a torque on the body."""

    name: str
    on: str = field(metadata={"doc": '"BODY.POINT"'})
    force_x: float = field(default=0.0, metadata={"unit": "N"})
    force_y: float = field(default=0.0, metadata={"unit": "N"})
    torque: float = field(default=0.0, metadata={"unit": "N*m"})

    def elements(self, frame: Frame) -> Elements:
        """A load."""
        return Elements(loads=(Load(frame.moving(self.on), (self.force_x, self.force_y), self.torque),))
