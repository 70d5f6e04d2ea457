"""A drive that turns a body by a table over time; its torque is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.description import GROUND
from model.assembly.driving import timed_points, timetable, turning
from model.assembly.elements import Elements, Frame
from model.assembly.functions.spline import BEYOND, REST


@dataclass(frozen=True)
class Point:
    """Of the table."""

    time: float = field(metadata={"unit": "s"})
    angle: float = field(metadata={"unit": "rad"})


@dataclass(frozen=True)
class Config:
    """Angle of `body` from `relative_to` by a smooth curve through points: a quintic spline, with four continuous derivatives.

    The torque is that on `body`; its opposite acts on the other. beyond, before the first point and after the last: rest (the curve begins
    and ends without speed and acceleration), on (straight on), repeat (again and again, each time from where it has ended).
    """

    name: str
    body: str
    points: tuple[Point, ...] = ()
    file: str = field(default="", metadata={"file": True, "doc": "or a text file: time in s and angle in each line"})
    scale: float = field(default=1.0, metadata={"unit": "rad", "doc": "what an angle of 1 in the file is"})
    beyond: str = field(default=REST, metadata={"choices": BEYOND})
    relative_to: str = GROUND

    @property
    def lasting(self) -> float:
        """Time of the last point, s."""
        return timed_points([(one.time, one.angle) for one in self.points], self.file, self.scale)[-1][0]

    def elements(self, frame: Frame) -> Elements:
        """One row that goes by time."""
        by_time = timetable([(one.time, one.angle) for one in self.points], self.file, self.scale, self.beyond)
        return turning(frame, self.name, self.body, self.relative_to, by_time)
