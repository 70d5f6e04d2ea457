"""A spring with a damper between two points."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.elements import Elements, Frame, Spring


@dataclass(frozen=True)
class Config:
    """Pulls the points together with stiffness (distance - length) + damping times the rate of the distance; pushes when negative."""

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})
    stiffness: float = field(default=0.0, metadata={"unit": "N/m", "at_least": 0.0})
    damping: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0})
    length: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "without force"})

    def elements(self, frame: Frame) -> Elements:
        """A spring."""
        i, j = frame.pair(self.between)
        return Elements(springs=(Spring(i, j, self.stiffness, self.damping, self.length),))
