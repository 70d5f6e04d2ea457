"""A belt or chain on two wheels, that neither slips nor stretches."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame
from model.assembly.joints.gear import two_radii


@dataclass(frozen=True)
class Config:
    """Two wheels by the radii at which the belt runs. Their middles are held by other joints, on the ground or on a carrier that turns.

    crossed: they turn against each other. Force: pull of one strand less that of the other, at the second wheel, positive where it turns
    that one to larger angles. The pull of both together, by which the belt is tensioned, is a force of its own, where it matters.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT", "BODY.POINT"]: the middles of the wheels'})
    radii: tuple[float, ...] = field(metadata={"unit": "m", "over": 0.0, "doc": "in that order"})
    crossed: bool = False

    def elements(self, frame: Frame) -> Elements:
        """One row: the belt that runs off one wheel runs onto the other."""
        i, j = frame.pair(self.between)
        first, second = two_radii(self.radii)
        return Elements(constraints=(Constraint(at.MESH, i, j, self.name, (first if self.crossed else -first, second), as_it_stands=True),))
