"""A bench file with a motor on a socket, and the drive at its other end; both live by the clock on the wall."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from drivers.simulated.axes.modbus_drive import ModbusDrive
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.plant.shaft import SERVO, ShaftParameters, SmallShaft
from drivers.simulated.serial.serial_device import SerialDevice
from drivers.simulated.serial.serial_side import SerialSide

HEAD = """
title = "motors"
{top}
[daq]
kind = "ni_daq"
{daq}
[[channels]]
name = "torque"
unit = "N*m"
terminal = "Dev1/ai0"
[channels.sensor]
sensitivity = "1 N*m/V"
"""
AXIS = """
[[axes]]
name = "{name}"
[axes.drive]
kind = "{kind}"
port = "{port}"
{keys}
"""
STIFF = ShaftParameters(velocity_gain=20.0)
"""An asynchronous motor that hardly slips."""


@dataclass
class Motor:
    """The bench file, the shaft, and the device side on its line."""

    path: Path
    shaft: SmallShaft
    device: SerialDevice
    side: SerialSide


def written(folder: Path, axes: str, top: str = "", daq: str = "") -> Path:
    path = folder / "motors.toml"
    path.write_text(HEAD.format(top=top, daq=daq) + axes, encoding="utf-8")
    return path


@contextmanager
def motor(folder: Path, kind: str = "odrive", top: str = "", keys: str = "") -> Iterator[Motor]:
    """`kind`: "odrive" or "modbus_drive"."""
    shaft = SmallShaft(SERVO if kind == "odrive" else STIFF)
    device: SerialDevice = ODrive(shaft) if kind == "odrive" else ModbusDrive(shaft)
    with SerialSide(device) as side:
        # What hangs at the end of a loaded machine's threads is late now and then.
        patient = 'reply_timeout = "1 s"\ntimeout = "2 s"\nsettle = "5 s"\n'
        axis = AXIS.format(name="crank", kind=kind, port=side.url, keys=patient + keys)
        yield Motor(written(folder, axis, top), shaft, device, side)
