"""A pin in a straight slot, without clearance: a point stays on a line of the other body, and may turn there."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame, Rub, at_rest


@dataclass(frozen=True)
class Config:
    """The second point, the pin, on the line through the first. Its force is that on the second body, across the line.

    Dry friction goes by that force, and sticks truly; the pin slides, it does not roll.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT" of the slot, "BODY.POINT" of the pin]'})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the slot, in the first body's axes"})
    friction: float = field(default=0.0, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient, sliding"})
    static_friction: float | None = field(default=None, metadata={"unit": "1", "at_least": 0.0, "doc": "at rest; none: as sliding"})

    def elements(self, frame: Frame) -> Elements:
        """One row, across the line; with friction another one, along it, while it sticks."""
        i, j = frame.pair(self.between)
        along = (math.cos(self.direction), math.sin(self.direction))
        row = Constraint(at.LINE, i, j, self.name, e=(-along[1], along[0]))
        static = at_rest(self.friction, self.static_friction)
        if static == 0.0:
            return Elements(constraints=(row,))
        stuck = Constraint(at.LINE, i, j, f"{self.name} (friction)", e=along, sticks=True)
        return Elements(constraints=(row,), rubs=(Rub(stuck, row, self.friction, static),))
