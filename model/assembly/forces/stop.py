"""A stop: it pushes two points apart where they come too near, and never pulls."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.elements import Elements, Frame, Spring


@dataclass(frozen=True)
class Config:
    """Elastic where its points are nearer than its length, with a damper as long as that pushes as well."""

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})
    length: float = field(metadata={"unit": "m", "at_least": 0.0, "doc": "free beyond it"})
    stiffness: float = field(metadata={"unit": "N/m", "over": 0.0})
    damping: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0})

    def elements(self, frame: Frame) -> Elements:
        """A spring of one side."""
        i, j = frame.pair(self.between)
        return Elements(springs=(Spring(i, j, self.stiffness, self.damping, self.length, side=-1),))
