"""An induction motor by its pull-out torque and slip (Kloss)."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import actuating as of
from model.assembly.description import GROUND
from model.assembly.elements import Actuator, Elements, Frame, turned


@dataclass(frozen=True)
class Config:
    """Torque on `body`, its opposite on `relative_to`, by slip s: 2 T_p/(s/s_p + s_p/s) (Kloss 1901), on a mains that does not give way.

    Above its synchronous speed it brakes. Its rotor's inertia times gear squared belongs to the inertia of the body. Channel: NAME_torque.
    """

    name: str
    body: str
    synchronous_speed: float = field(metadata={"unit": "rad/s", "doc": "of the motor: mains frequency over pole pairs; its sign turns it"})
    pull_out_torque: float = field(metadata={"unit": "N*m", "over": 0.0, "doc": "T_p, the largest, of the motor"})
    pull_out_slip: float = field(metadata={"unit": "1", "over": 0.0, "at_most": 1.0, "doc": "s_p, at which it has that"})
    gear: float = field(default=1.0, metadata={"unit": "1", "over": 0.0, "doc": "turns of the motor for one of the body"})
    relative_to: str = GROUND

    def elements(self, frame: Frame) -> Elements:
        """A motor without states of its own."""
        i, j = turned(frame, self.relative_to, self.body)
        if self.synchronous_speed == 0.0:
            raise ValueError("synchronous_speed: expected a speed other than 0")
        way = 1.0 if self.synchronous_speed > 0.0 else -1.0
        parameters = {
            of.PULL_OUT_TORQUE: way * self.pull_out_torque, of.PULL_OUT_SLIP: self.pull_out_slip,
            of.SYNCHRONOUS_SPEED: self.synchronous_speed, of.GEAR: self.gear,
        }  # fmt: skip
        return Elements(actuators=(Actuator(i, j, of.INDUCTION, parameters),))
