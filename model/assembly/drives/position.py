"""A drive that moves a slide with constant speed; its force is computed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.driving import slide_of
from model.assembly.elements import Constraint, Elements, Frame


@dataclass(frozen=True)
class Config:
    """Place of a prismatic joint's second point on its line, from the first: start + speed t. The force is that on the second body."""

    name: str
    joint: str = field(metadata={"doc": "a prismatic joint without clearance"})
    speed: float = field(metadata={"unit": "m/s"})
    start: float = field(default=0.0, metadata={"unit": "m"})

    def elements(self, frame: Frame) -> Elements:
        """One row that moves."""
        joint = slide_of(frame, self.joint)
        i, j = frame.pair(joint.between)
        e = (math.cos(joint.direction), math.sin(joint.direction))
        return Elements(constraints=(Constraint(at.LINE, i, j, self.name, e, self.start, self.speed, drives=True),))
