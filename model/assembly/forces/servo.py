"""A servo motor: a loop of speed, with one of angle around it, within the limits of the drive."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly import actuating as of
from model.assembly.description import GROUND
from model.assembly.elements import Actuator, Elements, Frame, OwnState, turned
from model.assembly.functions.formula import formula

SMALL = 1e-6  # rad: of the integral, small but usual


@dataclass(frozen=True)
class Config:
    """Torque on `body`, its opposite on `relative_to`, that makes the body's angle follow a formula: the rate of the formula, and
    `angle_gain` times what the angle lacks, is the speed asked for; `speed_gain` and `speed_integral` make the torque. Both are limited.

    The integral stands while the torque is at its limit. All at the body: a gear is in the gains. Channels: NAME_torque, NAME_integral.
    """

    name: str
    body: str
    angle: str = field(metadata={"doc": 'rad, by t in s; of a constant speed "10*t"'})
    speed_gain: float = field(metadata={"unit": "N*m*s/rad", "over": 0.0})
    speed_integral: float = field(default=0.0, metadata={"unit": "N*m/rad", "at_least": 0.0})
    angle_gain: float = field(default=0.0, metadata={"unit": "1/s", "at_least": 0.0, "doc": "0: it follows the speed alone"})
    torque_limit: float = field(default=math.inf, metadata={"unit": "N*m", "over": 0.0, "doc": "none unless given"})
    speed_limit: float = field(default=math.inf, metadata={"unit": "rad/s", "over": 0.0, "doc": "none unless given"})
    relative_to: str = GROUND

    def elements(self, frame: Frame) -> Elements:
        """A motor with an integral of its own."""
        i, j = turned(frame, self.relative_to, self.body)
        parameters = {
            of.ANGLE_GAIN: self.angle_gain, of.SPEED_GAIN: self.speed_gain, of.INTEGRAL_GAIN: self.speed_integral,
            of.TORQUE_LIMIT: self.torque_limit, of.SPEED_LIMIT: self.speed_limit,
        }  # fmt: skip
        own, fastest = (OwnState("integral", "rad", 0.0, SMALL),), self.speed_integral / self.speed_gain
        return Elements(actuators=(Actuator(i, j, of.SERVO, parameters, formula(self.angle, "angle"), own, fastest),))
