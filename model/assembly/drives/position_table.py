"""A drive that moves a slide by a table over time; its force is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.driving import sliding, timed_points, timetable
from model.assembly.elements import Elements, Frame
from model.assembly.functions.spline import BEYOND, REST


@dataclass(frozen=True)
class Point:
    """Of the table."""

    time: float = field(metadata={"unit": "s"})
    place: float = field(metadata={"unit": "m"})


@dataclass(frozen=True)
class Config:
    """Place of a prismatic joint's second point on its line by a smooth curve through points: a quintic spline, with four continuous
    derivatives. The force is that on the second body. beyond: as of `angle_table`."""

    name: str
    joint: str = field(metadata={"doc": "a prismatic joint without clearance"})
    points: tuple[Point, ...] = ()
    file: str = field(default="", metadata={"file": True, "doc": "or a text file: time in s and place in each line"})
    scale: float = field(default=1.0, metadata={"unit": "m", "doc": "what a place of 1 in the file is"})
    beyond: str = field(default=REST, metadata={"choices": BEYOND})

    @property
    def lasting(self) -> float:
        """Time of the last point, s."""
        return timed_points([(one.time, one.place) for one in self.points], self.file, self.scale)[-1][0]

    def elements(self, frame: Frame) -> Elements:
        """One row that goes by time."""
        by_time = timetable([(one.time, one.place) for one in self.points], self.file, self.scale, self.beyond)
        return sliding(frame, self.name, self.joint, by_time)
