"""A bushing: two points held together by rubber, along, across and against turning."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame, Spring


@dataclass(frozen=True)
class Config:
    """Elastic in place of a joint, in axes of the first body."""

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})
    stiffness_along: float = field(metadata={"unit": "N/m", "at_least": 0.0})
    stiffness_across: float = field(metadata={"unit": "N/m", "at_least": 0.0})
    stiffness_turning: float = field(default=0.0, metadata={"unit": "N*m/rad", "at_least": 0.0})
    damping_along: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0})
    damping_across: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0})
    damping_turning: float = field(default=0.0, metadata={"unit": "N*m*s/rad", "at_least": 0.0})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "of along, in the first body's axes"})
    angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the second body from the first, without torque"})

    def elements(self, frame: Frame) -> Elements:
        """Three springs; without giving way the points would lie on each other."""
        i, j = frame.pair(self.between)
        along = math.cos(self.direction), math.sin(self.direction)
        holds = self.stiffness_along > 0.0 and self.stiffness_across > 0.0
        return Elements(
            near=(Constraint(at.COINCIDENT, i, j, self.name),) if holds else (),
            springs=(
                Spring(i, j, self.stiffness_along, self.damping_along, 0.0, at.ALONG, along),
                Spring(i, j, self.stiffness_across, self.damping_across, 0.0, at.ALONG, (-along[1], along[0])),
                Spring(i, j, self.stiffness_turning, self.damping_turning, self.angle, at.TURNED),
            ),
        )
