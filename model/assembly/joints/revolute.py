"""A pin without clearance: two points in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame


@dataclass(frozen=True)
class Config:
    """Revolute joint. Its force is that on the second body."""

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})

    def elements(self, frame: Frame) -> Elements:
        """Two rows."""
        i, j = frame.pair(self.between)
        return Elements(constraints=(Constraint(at.COINCIDENT, i, j, self.name),))
