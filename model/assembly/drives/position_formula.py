"""A drive that moves a slide by a formula of time; its force is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.driving import sliding
from model.assembly.elements import Elements, Frame
from model.assembly.functions.formula import formula


@dataclass(frozen=True)
class Config:
    """Place of a prismatic joint's second point on its line by a formula of t, in s and m, as of `angle_formula`.

    The force is that on the second body.
    """

    name: str
    joint: str = field(metadata={"doc": "a prismatic joint without clearance"})
    place: str = field(metadata={"doc": 'such as "20*mm*sin(2*pi*5*t)"'})

    def elements(self, frame: Frame) -> Elements:
        """One row that goes by time."""
        return sliding(frame, self.name, self.joint, formula(self.place, "place"))
