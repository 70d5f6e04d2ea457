"""A force whose point moves along a body: a crane's trolley on its beam, a cutter along its work."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly.elements import Elements, Frame, Load
from model.assembly.functions.formula import formula


@dataclass(frozen=True)
class Config:
    """Force at a point that stands `way` from `on`, along a direction that the body carries. It has no mass.

    way and factor are formulas of t (s), as of the drive `angle_formula`.
    """

    name: str
    on: str = field(metadata={"doc": '"BODY.POINT", from where the way is counted'})
    way: str = field(default="0", metadata={"doc": 'm, such as "0.2*t", or "0.5*rise(t/2)" from 0 to 0.5 m in 2 s'})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the way, in the body's axes"})
    force_x: float = field(default=0.0, metadata={"unit": "N"})
    force_y: float = field(default=0.0, metadata={"unit": "N"})
    torque: float = field(default=0.0, metadata={"unit": "N*m"})
    factor: str = field(default="1", metadata={"doc": "times which force and torque act"})
    turns_with_body: bool = field(default=False, metadata={"doc": "true: force_x and force_y are in the body's axes"})

    def elements(self, frame: Frame) -> Elements:
        """A load that moves."""
        along = (math.cos(self.direction), math.sin(self.direction))
        way, factor = formula(self.way, "way"), formula(self.factor, "factor")
        on, force = frame.moving(self.on), (self.force_x, self.force_y)
        return Elements(loads=(Load(on, force, self.torque, factor=factor, way=way, along=along, turns=self.turns_with_body),))
