"""A program that drives one motor or loader and never ends by itself: `python driving_child.py KIND URL DAQ_ADDRESS`.

Prints one line, `turning WITHIN`, when it has begun: WITHIN is the time (s) in which the instrument begins to stop after its death.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from drivers.axes import modbus_drive, odrive, speed_drive, tmcl
from drivers.axes.analog_axis import input_lines, output_lines
from drivers.axes.axis import Guard
from drivers.daq import ni_daq
from drivers.daq.wiring import Input, Wiring
from drivers.loaders import instron

SPEED = 8.0  # rad/s
WATCHDOG = 0.5  # s
ENABLE = "Dev1/port0/line6"
LOOP = 0.01  # s


def open_daq(address: str, outputs: dict[str, str], inputs: dict[str, str]) -> ni_daq.NiDaq:
    wiring = Wiring((Input("speed", "Dev1/ai0"),), ("Dev1/ao0",), outputs, inputs, dict.fromkeys(outputs, False))
    daq = ni_daq.Config(watchdog=WATCHDOG).create(wiring, address)
    daq.connect()
    daq.open(10e3, 100, 500)
    daq.start_watchdog()
    return daq


def axis(kind: str, url: str, daq: ni_daq.NiDaq | None) -> Any:
    if kind == "modbus_drive":
        return modbus_drive.Config(url, acceleration=60.0, timeout=0.5, max_speed=10.0).create()
    if kind == "odrive":
        return odrive.Config(url, timeout=0.4, max_speed=10.0).create()
    assert daq is not None
    return tmcl.Config(url, max_speed=10.0, enable_line=ENABLE).create("axis", Guard(_Named(daq), WATCHDOG))


class _Named:
    """The lines of the DAQ device."""

    def __init__(self, daq: ni_daq.NiDaq) -> None:
        self.write_lines = daq.write_lines


def drive_axis(kind: str, url: str, address: str) -> None:
    daq = open_daq(address, {"axis_enable": ENABLE}, {"ok": "Dev1/port1/line3"}) if kind == "tmcl" else None
    motor = axis(kind, url, daq)
    motor.connect()
    if daq is not None:
        daq.reset_watchdog()
    motor.prepare("velocity")
    if daq is not None:
        daq.reset_watchdog()
    motor.enable()
    print(f"turning {motor.stops_within}", flush=True)
    while True:
        motor.command(SPEED)
        motor.feedback()
        if daq is not None:
            daq.reset_watchdog()
        time.sleep(LOOP)


def drive_analogue(address: str) -> None:
    config = speed_drive.Config()
    daq = open_daq(address, output_lines(config, "drive"), input_lines(config, "drive"))
    motor = config.create(daq, WATCHDOG)
    motor.prepare()
    daq.hold_output(float(motor.volts(np.array([SPEED]))[0]))
    motor.enable()
    print(f"turning {motor.stops_within}", flush=True)
    while True:
        daq.reset_watchdog()
        time.sleep(LOOP)


def drive_loader(url: str) -> None:
    loader = instron.Config(url, chunk=1.0, pause=0.01).create("force")
    loader.connect()
    loader.prepare()
    loader.start_waveform("sine", 4.0, 20e3, 100000)
    print(f"turning {loader.stops_within}", flush=True)
    while True:
        loader.extend()
        loader.feedback()
        time.sleep(LOOP)


if __name__ == "__main__":
    kind_, url_, address_ = sys.argv[1:]
    if kind_ == "speed_drive":
        drive_analogue(address_)
    elif kind_ == "instron":
        drive_loader(url_)
    else:
        drive_axis(kind_, url_, address_)
