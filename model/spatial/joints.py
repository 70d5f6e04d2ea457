"""Joints as lists of constraint rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.floats import Floats
from model.spatial.rows import Across, Along, Given, Meet, Points, Row, Turned


@dataclass(frozen=True)
class Joint:
    """Named rows between two bodies."""

    name: str
    rows: tuple[Row, ...]

    @property
    def count(self) -> int:
        """Of constraint rows."""
        return sum(row.count for row in self.rows)


@dataclass(frozen=True)
class Hinge:
    """Where two bodies meet and about what they turn: points (m) and axes in the axes of each body; of the ground the fixed ones."""

    i: int
    j: int
    at_i: Floats
    at_j: Floats
    axis_i: Floats
    axis_j: Floats

    @property
    def points(self) -> Points:
        """The two points."""
        return Points(self.i, self.j, self.at_i, self.at_j)

    def parallel(self) -> tuple[Row, Row]:
        """Two rows that keep the axes parallel."""
        first, second = across(self.axis_i)
        return Across(self.i, self.j, first, self.axis_j), Across(self.i, self.j, second, self.axis_j)


def revolute(name: str, hinge: Hinge) -> Joint:
    """5 rows: the points are one, the axes parallel."""
    return Joint(name, (Meet(hinge.points), *hinge.parallel()))


def clearance_revolute(name: str, hinge: Hinge) -> Joint:
    """What radial clearance leaves of a revolute joint, 3 rows: no motion along the axis, the axes parallel; the contact is a load."""
    return Joint(name, (Along(hinge.points, hinge.axis_i), *hinge.parallel()))


def prismatic(name: str, hinge: Hinge) -> Joint:
    """5 rows: motion along the axis only. The bodies' axes are to be parallel to each other but for the turn about the axis at hand."""
    first, second = across(hinge.axis_i)
    turned = across(hinge.axis_j)[1]
    return Joint(
        name, (Along(hinge.points, first), Along(hinge.points, second), *hinge.parallel(), Across(hinge.i, hinge.j, first, turned))
    )


def drive(name: str, hinge: Hinge, zero_i: Floats, zero_j: Floats, given: Given) -> Joint:
    """1 row beside those of a revolute joint: the angle between two directions across the axis is given. Its multiplier is minus the
    torque on body j."""
    return Joint(name, (Turned(hinge.i, hinge.j, hinge.axis_i, zero_i, zero_j, given),))


def across(axis: Floats) -> tuple[Floats, Floats]:
    """Two directions at right angles to an axis and to each other."""
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = np.cross(axis, other)
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first) / float(np.linalg.norm(axis))
