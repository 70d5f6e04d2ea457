"""A point on a curve of the other body."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.description import Place
from model.assembly.elements import Constraint, Elements, Frame
from model.assembly.functions.contour import contour


@dataclass(frozen=True)
class Config:
    """The second point on a smooth curve through points in axes of the first body, counted from the first point.

    A quintic spline; an open one goes on straight beyond its ends. It may not cross itself, as the point of it that is nearest is meant.
    Force: that on the second body, to the left of the curve as its points go on.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT" from where the curve is counted, "BODY.POINT" that follows it]'})
    points: tuple[Place, ...] = field(metadata={"doc": "6 at least"})
    closed: bool = field(default=False, metadata={"doc": "true: from the last point to the first"})

    def elements(self, frame: Frame) -> Elements:
        """One row, across the curve."""
        i, j = frame.pair(self.between)
        functions = contour(tuple((point.x, point.y) for point in self.points), self.closed, "points")
        return Elements(constraints=(Constraint(at.CURVE, i, j, self.name, functions=functions),))
