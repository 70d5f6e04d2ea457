"""What an ODrive is told, line by line, and what is made of its answers.

Words after ODrive's documentation, "ASCII Protocol" and the API reference of firmware 0.5: p, v, c setpoints with feed-forward, t a move by
its own trajectory, f position and speed, u feeds the watchdog, sc clears errors; states 1 idle and 8 closed loop, input modes 1 passthrough
and 3 filtered. Positions in turns, speeds in turns/s, torques in N m, of the motor.
"""

from __future__ import annotations

import math
from typing import Any

from scripted_drives import LINE, ODriveLines

from drivers.axes import odrive
from drivers.axes.odrive import Config

STATE, ASKED = "axis1.current_state", "axis1.requested_state"
WATCHDOG, WATCHED = "axis1.config.watchdog_timeout", "axis1.config.enable_watchdog"
MODE, DONE, SPEED = "axis1.controller.config.input_mode", "axis1.controller.trajectory_done", "axis1.controller.input_vel"
ERRORS = ("axis1.error", "axis1.motor.error", "axis1.encoder.error", "axis1.controller.error")
TURN = 2.0 * math.pi


def axis_of(lines: ODriveLines, guarded: bool = False, **changes: Any) -> odrive.ODrive:
    settings = {"axis": 1, "max_speed": 10.0, "max_acceleration": 50.0, "max_torque": 5.0, "timeout": 0.2}
    settings |= {"enable_line": LINE if guarded else None} | changes
    made: odrive.ODrive = lines.attach(Config("COM1", **settings).create("crank", lines.guard() if guarded else None))
    return made


def enabled(lines: ODriveLines, mode: str = "velocity", guarded: bool = False, **changes: Any) -> odrive.ODrive:
    axis = axis_of(lines, guarded, **changes)
    axis.prepare(mode)
    lines.properties[STATE] = "8"
    axis.enable()
    lines.log.clear()
    return axis


def ready(lines: ODriveLines) -> ODriveLines:
    lines.where = "0.25 0.5"
    lines.properties[STATE] = "1"
    return lines
