"""A slide without clearance: a point stays on a line of the other body, and the angle between the bodies stays."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, End, Frame, Rub, at_rest


@dataclass(frozen=True)
class Config:
    """Prismatic joint: the second point on the line through the first. Its force is that on the second body, across the line.

    Dry friction goes by that force. It sticks truly: held at rest until what pulls is more than static friction.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the line, in the first body's axes"})
    angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the second body's axes from the first's"})

    friction: float = field(default=0.0, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient, sliding"})
    static_friction: float | None = field(default=None, metadata={"unit": "1", "at_least": 0.0, "doc": "at rest; none: as sliding"})

    def elements(self, frame: Frame) -> Elements:
        """Two rows: across the line, and the angle; with friction a third one, along the line, while it sticks."""
        i, j = frame.pair(self.between)
        rows = slide(self.name, i, j, self.direction, self.angle)
        static = at_rest(self.friction, self.static_friction)
        if static == 0.0:
            return Elements(constraints=rows)
        along = (math.cos(self.direction), math.sin(self.direction))
        stuck = Constraint(at.LINE, i, j, f"{self.name} (friction)", e=along, sticks=True)
        return Elements(constraints=rows, rubs=(Rub(stuck, rows[0], self.friction, static),))


def slide(name: str, i: End, j: End, direction: float, angle: float) -> tuple[Constraint, ...]:
    """The constraints of a slide."""
    across = (-math.sin(direction), math.cos(direction))
    return (
        Constraint(at.LINE, i, j, f"{name} (across)", e=across),
        Constraint(at.ANGLE, i, j, f"{name} (angle)", value=angle),
    )
