"""Each kind of drive with one axis on a line of its own; what every axis has to do is tried on all of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from motor_lines import EnableLine, advance_until, with_power

from drivers.axes import modbus_drive, odrive, tmcl
from drivers.axes.axis import Axis, Guard
from drivers.simulated.axes.modbus_drive import ModbusDrive
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.axes.tmcl import Tmcl, TmclMotor
from drivers.simulated.clock import BenchClock
from drivers.simulated.plant.shaft import SERVO, SmallShaft
from drivers.simulated.serial.serial_device import Drive, SerialDevice
from drivers.simulated.serial.serial_side import SerialSide

GUARD = 0.3
"""s"""
SILENCE = 0.3
"""s after which a reply has not come."""


@dataclass
class AxisRig:
    """One axis with everything behind it. `drive` has the shaft and the log; `gear`: motor rad per axis rad, signed."""

    kind: str
    axis: Any
    side: SerialSide
    drive: Drive
    gear: float

    def again(self) -> Axis:
        """Another driver on the same line, as after a restart of the program."""
        axis: Axis = BUILDERS[self.kind](self.side, self.gear).axis
        return axis

    def start(self, mode: str = "velocity", value: float = 8.0) -> None:
        """Prepared, enabled, commanded."""
        with_power(self.axis, mode)
        self.axis.command(value)

    def until(self, true: Callable[[], bool], what: str) -> None:
        """Let the bench clock go on until it is true."""
        advance_until(self.side, true, what)

    @property
    def speed(self) -> float:
        """Of the axis by its shaft, rad/s."""
        return self.drive.shaft.velocity / self.gear


def _gearing(gear: float) -> dict[str, Any]:
    return {"gear": abs(gear), "direction": "forward" if gear > 0 else "reverse"}


def modbus_rig(side: SerialSide, gear: float, silence: float = SILENCE) -> AxisRig:
    config = modbus_drive.Config(side.url, reply_timeout=silence, max_speed=10.0, acceleration=60.0, timeout=0.3, **_gearing(gear))
    assert isinstance(side.device, Drive)
    return AxisRig("modbus_drive", config.create("motor"), side, side.device, gear)


def odrive_rig(side: SerialSide, gear: float, silence: float = SILENCE) -> AxisRig:
    config = odrive.Config(
        side.url, reply_timeout=silence, max_speed=10.0, max_acceleration=60.0, timeout=0.3, max_torque=100.0, **_gearing(gear)
    )
    assert isinstance(side.device, ODrive)
    return AxisRig("odrive", config.create("motor"), side, side.device.axes[0], gear)


def tmcl_rig(side: SerialSide, gear: float, silence: float = SILENCE) -> AxisRig:
    config = tmcl.Config(
        side.url, reply_timeout=silence, max_speed=10.0, max_acceleration=60.0, enable_line="Dev1/port0/line6", **_gearing(gear)
    )
    assert isinstance(side.device, Tmcl)
    guard = Guard(EnableLine(side.device), GUARD)
    return AxisRig("tmcl", config.create("motor", guard), side, side.device.motors[0], gear)


BUILDERS: dict[str, Callable[..., AxisRig]] = {"modbus_drive": modbus_rig, "odrive": odrive_rig, "tmcl": tmcl_rig}
DEVICES: dict[str, Callable[[], SerialDevice]] = {
    "modbus_drive": lambda: ModbusDrive(SmallShaft()),
    "odrive": lambda: ODrive(SmallShaft(SERVO)),
    "tmcl": lambda: Tmcl(TmclMotor(SmallShaft())),
}


@contextlib.contextmanager
def axis_rig(kind: str, gear: float = 1.0, silence: float = SILENCE) -> Iterator[AxisRig]:
    """One rig in lockstep, closed at the end."""
    with SerialSide(DEVICES[kind](), BenchClock("lockstep")) as side:
        side.advance(0.01)
        rig = BUILDERS[kind](side, gear, silence)
        yield rig
        rig.axis.close()
