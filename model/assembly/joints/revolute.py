"""A pin without clearance: two points in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame, Rub, at_rest


@dataclass(frozen=True)
class Config:
    """Revolute joint. Its force is that on the second body.

    Dry friction goes by that force, at the pin's radius. It sticks truly: held at rest until what turns is more than static friction.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})

    friction: float = field(default=0.0, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient, sliding"})
    static_friction: float | None = field(default=None, metadata={"unit": "1", "at_least": 0.0, "doc": "at rest; none: as sliding"})
    radius: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "of the pin, at which friction acts"})

    def elements(self, frame: Frame) -> Elements:
        """Two rows; with friction a third one, the angle, while it sticks."""
        i, j = frame.pair(self.between)
        pin = Constraint(at.COINCIDENT, i, j, self.name)
        static = at_rest(self.friction, self.static_friction)
        if static == 0.0:
            return Elements(constraints=(pin,))
        if self.radius == 0.0:
            raise ValueError("radius: missing; friction acts at the radius of the pin")
        stuck = Constraint(at.ANGLE, i, j, f"{self.name} (friction)", sticks=True)
        return Elements(constraints=(pin,), rubs=(Rub(stuck, pin, self.friction, static, self.radius),))
