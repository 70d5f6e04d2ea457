"""A direct-current motor with permanent magnets by its equations: voltage, resistance, inductance, torque constant, gear."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.assembly import actuating as of
from model.assembly.description import GROUND
from model.assembly.elements import Actuator, Elements, Frame, OwnState, turned
from model.assembly.functions.formula import formula

SMALL = 1e-3  # of the current at rest: small but usual


@dataclass(frozen=True)
class Config:
    """Torque on `body`, its opposite on `relative_to`: gear * torque constant * current; L di/dt = voltage - R i - constant * gear * speed.

    Its rotor's inertia times gear squared belongs to the inertia of the body. Channels: NAME_torque (at the body), NAME_current where it
    has inductance.
    """

    name: str
    body: str
    torque_constant: float = field(metadata={"unit": "N*m/A", "over": 0.0, "doc": "and of the voltage that it induces, V s/rad"})
    resistance: float = field(metadata={"unit": "ohm", "over": 0.0, "doc": "of winding and supply"})
    voltage: str = field(metadata={"doc": 'V, a number or a formula of t in s: "24*rise(t/0.1)"'})
    inductance: float = field(default=0.0, metadata={"unit": "H", "at_least": 0.0, "doc": "0: the current follows at once"})
    gear: float = field(default=1.0, metadata={"unit": "1", "over": 0.0, "doc": "turns of the motor for one of the body"})
    relative_to: str = GROUND

    def elements(self, frame: Frame) -> Elements:
        """A motor, with a current of its own where it has inductance."""
        i, j = turned(frame, self.relative_to, self.body)
        supply = formula(self.voltage, "voltage")
        own: tuple[OwnState, ...] = ()
        fastest = 0.0
        if self.inductance > 0.0:
            usual = SMALL * max(1.0, max(abs(supply(0.01 * k)[0]) for k in range(100))) / self.resistance
            own, fastest = (OwnState("current", "A", 0.0, usual),), self.resistance / self.inductance
        parameters = {of.CONSTANT: self.torque_constant, of.RESISTANCE: self.resistance, of.INDUCTANCE: self.inductance, of.GEAR: self.gear}
        return Elements(actuators=(Actuator(i, j, of.DIRECT_CURRENT, parameters, supply, own, fastest),))
