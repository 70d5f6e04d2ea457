"""A rope: it pulls where it is taut, and never pushes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from model.assembly.elements import Elements, Frame, Spring


@dataclass(frozen=True)
class Config:
    """Elastic beyond its length, with a damper that acts as long; slack within it."""

    SIDE: ClassVar[int] = 1
    """Of its length on which it acts."""

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]'})
    length: float = field(metadata={"unit": "m", "at_least": 0.0, "doc": "distance at which it begins to act"})
    stiffness: float = field(metadata={"unit": "N/m", "over": 0.0})
    damping: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0})

    def elements(self, frame: Frame) -> Elements:
        """A spring of one side."""
        i, j = frame.pair(self.between)
        return Elements(springs=(Spring(i, j, self.stiffness, self.damping, self.length, side=self.SIDE),))
