"""Motors of a driven plant: what they are made of, and the shaft that a drive sees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.motor_rig.kernel import MOTOR, POSITION, TORQUE, VELOCITY

MODES = {"velocity": VELOCITY, "position": POSITION, "torque": TORQUE}


@dataclass(frozen=True)
class Armature:
    """Of a direct-current motor, with the bridge that feeds it and the loop that holds its current. All assumed."""

    torque_constant: float = field(
        default=0.2, metadata={"unit": "N*m/A", "over": 0.0, "doc": "and of the voltage that it induces, V s/rad"}
    )
    resistance: float = field(default=0.6, metadata={"unit": "ohm", "over": 0.0, "doc": "of winding, brushes and cable"})
    inductance: float = field(default=1.5e-3, metadata={"unit": "H", "over": 0.0})
    supply: float = field(default=60.0, metadata={"unit": "V", "over": 0.0, "doc": "most that the bridge gives, either way"})
    current_limit: float = field(default=20.0, metadata={"unit": "A", "over": 0.0})
    current_bandwidth: float = field(default=500.0, metadata={"unit": "Hz", "over": 0.0, "doc": "for which its loop is set"})


@dataclass(frozen=True)
class Motor:
    """A motor with its gear and its drive's inner loops; all but `gear` at the motor's own shaft. All assumed."""

    gear: float = field(default=5.0, metadata={"unit": "1", "over": 0.0, "doc": "motor turns for one of the axis"})
    inertia: float = field(default=1e-3, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "rotor, and what of the gear turns with it"})
    viscous: float = field(default=1e-4, metadata={"unit": "N*m*s/rad", "at_least": 0.0, "doc": "friction, the gear's included"})
    coulomb: float = field(default=0.1, metadata={"unit": "N*m", "at_least": 0.0, "doc": "friction, the gear's included; holds it at rest"})
    brake: float = field(default=0.0, metadata={"unit": "N*m", "at_least": 0.0, "doc": "spring-applied: closed while the power is off"})
    torque_limit: float = field(default=10.0, metadata={"unit": "N*m", "over": 0.0})
    velocity_gain: float = field(default=0.3, metadata={"unit": "N*m*s/rad", "over": 0.0, "doc": "without integral it slips"})
    velocity_integral: float = field(default=0.0, metadata={"unit": "N*m/rad", "at_least": 0.0})
    position_gain: float = field(default=30.0, metadata={"unit": "1/s", "over": 0.0})
    current_bandwidth: float = field(default=500.0, metadata={"unit": "Hz", "over": 0.0, "doc": "of the torque behind what is wanted"})
    armature: Armature | None = field(
        default=None, metadata={"doc": "torque by the equations of a direct-current motor instead of that bandwidth"}
    )


def records(motors: Sequence[Motor], zeros: Sequence[float], step: float) -> NDArray[np.void]:
    """(k,) records of MOTOR, power off, of which each shaft is at 0 where its axis is at the angle (rad) of `zeros`."""
    made = np.zeros(len(motors), MOTOR)
    for record, motor, start in zip(made, motors, zeros, strict=True):
        record["gear"], record["limit"], record["start"] = motor.gear, motor.torque_limit, start
        record["velocity_gain"], record["velocity_integral"] = motor.velocity_gain, motor.velocity_integral
        record["position_gain"], record["brake"] = motor.position_gain, motor.brake
        if (armature := motor.armature) is not None:
            fast = 2.0 * math.pi * armature.current_bandwidth
            record["constant"], record["resistance"], record["inductance"] = (
                armature.torque_constant, armature.resistance, armature.inductance,
            )  # fmt: skip
            record["supply"], record["most"] = armature.supply, armature.current_limit
            record["current_gain"], record["current_integral"] = fast * armature.inductance, fast * armature.resistance
        record["lag"] = 1.0 - math.exp(-2.0 * math.pi * motor.current_bandwidth * step)
    return made


class DrivenShaft:
    """A `drivers.simulated.plant.shaft.Shaft` of a plant that steps it: as it was at the last tick, told what to do until the next.

    It may be read from the thread of a serial line; it is told by the plant's own alone.
    """

    def __init__(self, record: NDArray[np.void], most: float) -> None:
        self.position = self.velocity = self.torque = 0.0
        self._record, self._most = record, most

    def tell(self, mode: str, setpoint: float, enabled: bool, rate: float = 0.0, effort: float = 0.0) -> None:
        """See `Shaft`."""
        record = self._record
        record["mode"], record["powered"] = MODES[mode], enabled
        record["setpoint"], record["rate"], record["effort"] = setpoint, rate, effort

    def limit(self, torque: float) -> None:
        """See `Shaft`; the motor's own limit stays."""
        self._record["limit"] = min(torque, self._most)

    def advance(self, to: float) -> None:
        """See `Shaft`: its plant steps it."""

    def refresh(self, angle: float, speed: float) -> None:
        """What the drive sees from now on; angle and speed of the axis in rad, rad/s."""
        gear = float(self._record["gear"])
        self.position, self.velocity = gear * (angle - float(self._record["start"])), gear * speed
        self.torque = float(self._record["torque"])
