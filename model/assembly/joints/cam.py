"""A cam and its follower, which never leave each other: a roller, an edge or a flat face."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame
from model.assembly.functions.cam_profile import face_distance, lift_of, pitch_curve

ROLLER, FLAT = FOLLOWERS = ("roller", "flat")


@dataclass(frozen=True)
class Lift:
    """A point of the lift."""

    angle: float = field(metadata={"unit": "rad", "doc": "in the cam's axes, where the follower stands"})
    lift: float = field(metadata={"unit": "m"})


@dataclass(frozen=True)
class Config:
    """First body: the cam, second: the follower, which slides or swings by other joints. Its profile is given by the lift of a follower
    that slides: a smooth curve (quintic spline) through points over one turn.

    `angle` is where the follower stands, seen from the cam: for one that stands at 90 deg on the ground, 90 deg less the cam's angle, so
    that a cam which turns to larger angles meets the points from the last to the first. Its middle is the first point of `between`. The
    second is the middle of the roller, or lies in the flat face. Force: that on the follower, away from the cam; below 0 it would lift off.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT" the middle of the cam, "BODY.POINT" of the follower]'})
    base_radius: float = field(metadata={"unit": "m", "over": 0.0, "doc": "of the cam without lift"})
    lift: tuple[Lift, ...]
    follower: str = field(default=ROLLER, metadata={"choices": FOLLOWERS})
    roller_radius: float = field(default=0.0, metadata={"unit": "m", "at_least": 0.0, "doc": "0: an edge"})
    offset: float = field(default=0.0, metadata={"unit": "m", "doc": "by which the roller's line of stroke passes the middle, on its left"})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "of a flat face, out of the cam, in the follower's axes"})

    def elements(self, frame: Frame) -> Elements:
        """One row."""
        return Elements(constraints=(self.row(frame),))

    def row(self, frame: Frame) -> Constraint:
        """What the follower keeps to. Raises ValueError."""
        i, j = frame.pair(self.between)
        lift = lift_of(tuple((one.angle, one.lift) for one in self.lift), "lift")
        if self.follower == FLAT:
            if self.roller_radius or self.offset:
                raise ValueError("follower: a flat one has neither roller_radius nor offset")
            normal = (math.cos(self.direction), math.sin(self.direction))
            return Constraint(at.FACE, i, j, self.name, e=normal, functions=(face_distance(lift, self.base_radius),))
        functions = pitch_curve(lift, self.base_radius, self.roller_radius, self.offset)
        return Constraint(at.CURVE, i, j, self.name, functions=functions)
