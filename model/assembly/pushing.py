"""A drive that is led by its force or torque instead of its way: it holds nothing, and pushes by what samples say."""

from __future__ import annotations

from dataclasses import dataclass

from model.assembly import layout as at
from model.assembly.elements import Elements, Frame, Part, Spring


@dataclass(frozen=True)
class Pushed:
    """In the place of a `drive` that moves a body along a line, or turns it: the same force (N) or torque (N m) on its second body."""

    drive: Part

    @property
    def name(self) -> str:
        """The drive's."""
        return self.drive.name

    def elements(self, frame: Frame) -> Elements:
        """A spring without stiffness, whose push is given."""
        (row,) = self.drive.elements(frame).constraints
        way = at.TURNED if row.kind == at.ANGLE else at.ALONG
        return Elements(springs=(Spring(row.i, row.j, 0.0, 0.0, 0.0, way, row.e, given=True),))
