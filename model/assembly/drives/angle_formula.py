"""A drive that turns a body by a formula of time; its torque is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly.description import GROUND
from model.assembly.driving import turning
from model.assembly.elements import Elements, Frame
from model.assembly.functions.formula import formula


@dataclass(frozen=True)
class Config:
    """Angle of `body` from `relative_to` by a formula of t, in s and rad; speed and acceleration are its exact derivatives.

    The torque is that on `body`; its opposite acts on the other. A formula has numbers, t, + - * / ^, the functions sin, cos, tan, atan,
    exp, log, sqrt, tanh and rise, and the constants pi, deg (an angle of 1 degree), mm, rpm. rise(x) goes smoothly from 0 at x = 0 to 1 at
    x = 1 and stays there: `rise(t/0.2)*20*t`.
    """

    name: str
    body: str
    angle: str = field(metadata={"doc": 'such as "30*deg*sin(2*pi*5*t)"'})
    relative_to: str = GROUND

    def elements(self, frame: Frame) -> Elements:
        """One row that goes by time."""
        return turning(frame, self.name, self.body, self.relative_to, formula(self.angle, "angle"))
