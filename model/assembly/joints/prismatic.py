"""A slide without clearance: a point stays on a line of the other body, and the angle between the bodies stays."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, End, Frame


@dataclass(frozen=True)
class Config:
    """Prismatic joint: the second point on the line through the first. Its force is that on the second body, across the line."""

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the line, in the first body's axes"})
    angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the second body's axes from the first's"})

    def elements(self, frame: Frame) -> Elements:
        """Two rows: across the line, and the angle."""
        i, j = frame.pair(self.between)
        return Elements(constraints=slide(self.name, i, j, self.direction, self.angle))


def slide(name: str, i: End, j: End, direction: float, angle: float) -> tuple[Constraint, ...]:
    """The constraints of a slide."""
    across = (-math.sin(direction), math.cos(direction))
    return (
        Constraint(at.LINE, i, j, f"{name} (across)", e=across),
        Constraint(at.ANGLE, i, j, f"{name} (angle)", value=angle),
    )
