"""Two bodies fixed to each other: two points in one place, and the angle between the bodies stays."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame


@dataclass(frozen=True)
class Config:
    """What clamps a rod, or bolts a body to another. Force and moment are those on the second body."""

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})
    angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the second body's axes from the first's"})

    def elements(self, frame: Frame) -> Elements:
        """Three rows."""
        i, j = frame.pair(self.between)
        turn = Constraint(at.ANGLE, i, j, f"{self.name} (angle)", value=self.angle)
        return Elements(constraints=(Constraint(at.COINCIDENT, i, j, self.name), turn))
