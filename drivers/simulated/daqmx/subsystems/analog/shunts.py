"""Shunt resistors of bridge modules: a switch puts one across an arm of the bridge, and the reading moves by what that bridge does.

R / (4 R_s + 2 R) of the excitation for a balanced full bridge of R ohm, without load at the output. The bridge that hangs at a terminal
is the laboratory's (`Board.bridges`), not what the client takes it for. The values of the resistors are nominal ones, not yet checked
against a specifications sheet.
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.terminal_io import Board
from drivers.simulated.daqmx.core.values import Value, as_float

RESISTORS = (33_333.0, 50e3, 100e3)
PREFIX = "AI_BRIDGE_SHUNT_CAL_"
SHUNT_SOURCES = (ni.ShuntCalSource.BUILT_IN.value,)
"""Built in."""
SHUNT_DEFAULTS: dict[str, Value] = {
    "ENABLE": False, "SELECT": 12513, "GAIN_ADJUST": 1.0, "SHUNT_CAL_A_SRC": SHUNT_SOURCES[0], "SHUNT_CAL_A_RESISTANCE": RESISTORS[-1],
    "SHUNT_CAL_A_ACTUAL_RESISTANCE": RESISTORS[-1],
}  # fmt: skip
"""Properties of every channel of a bridge module."""


def ratio(bridge: float, shunt: float) -> float:
    """Change of the output (V/V) with `shunt` (ohm) across one arm of `bridge` ohm."""
    return bridge / (4.0 * shunt + 2.0 * bridge)


def shunt_volts(channel: ch.AnalogChannel, board: Board) -> float:
    """What the closed switch adds at the input (V); nothing where it is open, or no bridge is connected."""
    if not channel.attributes.get(f"{PREFIX}ENABLE", False) or board.source(channel.physical).kind == "open":
        return 0.0
    return float(as_float(channel.attributes["AI_EXCIT_VAL"]) * ratio(board.bridge(channel.physical), resistor(channel)))


def resistor(channel: ch.Channel) -> float:
    """The built-in resistor that was chosen (ohm)."""
    return as_float(channel.attributes.get(f"{PREFIX}SHUNT_CAL_A_RESISTANCE", RESISTORS[-1]))
