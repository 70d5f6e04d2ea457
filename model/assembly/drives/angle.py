"""A drive that turns a body with constant speed; its torque is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.description import GROUND
from model.assembly.elements import Constraint, Elements, End, Frame


@dataclass(frozen=True)
class Config:
    """Angle of `body` from `relative_to`: start + speed t. The torque is that on `body`; its opposite acts on the other."""

    name: str
    body: str
    speed: float = field(metadata={"unit": "rad/s"})
    start: float | None = field(default=None, metadata={"unit": "rad", "doc": "none: the bodies' own angles"})
    relative_to: str = GROUND

    def elements(self, frame: Frame) -> Elements:
        """One row that moves."""
        i, j = frame.body(self.relative_to), frame.body(self.body)
        if i == j or j == len(frame.bodies):
            raise ValueError(f"body: expected a body that {self.relative_to} does not carry with it, got {self.body!r}")
        angles = [*(body.angle for body in frame.bodies), 0.0]
        start = angles[j] - angles[i] if self.start is None else self.start
        row = Constraint(at.ANGLE, End(i, 0.0, 0.0), End(j, 0.0, 0.0), self.name, value=start, rate=self.speed, drives=True)
        return Elements(constraints=(row,))
