"""What a TMCL module is told, command by command, and what is made of its answers.

Numbers after Trinamic's TMCL firmware manual of the TMCM-1276: ROR 1, ROL 2, MST 3, MVP 4 (0: absolute), SAP 5, GAP 6, RFS 13 (0 start,
1 stop, 2 status), version 136; axis parameters 1 actual position, 3 actual speed, 4 largest speed, 5 largest acceleration, 6 largest
current (of 255), 8 position reached, 17 largest deceleration, 140 microsteps, 208 driver flags, 255 unit mode. 51200 microsteps are a turn.
"""

from __future__ import annotations

from typing import Any

from scripted_drives import LINE, TmclModule

from drivers.axes import tmcl
from drivers.axes.tmcl import Config

ROR, ROL, MST, MVP, RFS = 1, 2, 3, 4, 13
POSITION, SPEED, ARRIVED, FLAGS = 1, 3, 8, 208
TURN = 51200


def axis_of(module: TmclModule, **changes: Any) -> tmcl.Tmcl:
    settings = {"address": 3, "motor": 1, "enable_line": LINE, "max_speed": 10.0, "max_acceleration": 50.0, "current": 0.4} | changes
    made: tmcl.Tmcl = module.attach(Config("COM1", **settings).create("crank", module.guard()))
    return made


def enabled(module: TmclModule, mode: str = "position", **changes: Any) -> tmcl.Tmcl:
    axis = axis_of(module, **changes)
    axis.prepare(mode)
    axis.enable()
    module.log.clear()
    return axis
