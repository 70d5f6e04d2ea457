"""A drive that turns a body with constant speed; its torque is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.description import GROUND
from model.assembly.elements import Constraint, Elements, Frame, turned

FASTEST = 1e5  # rad/s, a million rpm: nothing that has joints turns so fast


@dataclass(frozen=True)
class Config:
    """Angle of `body` from `relative_to`: start + speed t. The torque is that on `body`; its opposite acts on the other."""

    name: str
    body: str
    speed: float = field(metadata={"unit": "rad/s", "at_least": -FASTEST, "at_most": FASTEST})
    start: float | None = field(default=None, metadata={"unit": "rad", "doc": "none: the bodies' own angles"})
    relative_to: str = GROUND

    def elements(self, frame: Frame) -> Elements:
        """One row that moves."""
        i, j = turned(frame, self.relative_to, self.body)
        angles = [*(body.angle or 0.0 for body in frame.bodies), 0.0]
        start = angles[j.body] - angles[i.body] if self.start is None else self.start
        row = Constraint(at.ANGLE, i, j, self.name, value=start, rate=self.speed, drives=True)
        return Elements(constraints=(row,))
