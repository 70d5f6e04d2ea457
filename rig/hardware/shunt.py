"""What the shunt of a bridge must do to a reading, and whether it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from rig.config.bench import InputChannel

DRIFT_SHARE = 0.5  # of the tolerance: what the reading may move by itself while the shunt is looked at


class Change(Protocol):
    """Readings without, with and again without the shunt (`drivers.daq.at_rest.Shunted`)."""

    @property
    def change(self) -> float: ...
    @property
    def drift(self) -> float: ...


@dataclass(frozen=True)
class Verdict:
    """expected and found: change of the reading, in the channel's unit; `wrong` says what to look at, None where all is well."""

    expected: float
    found: float
    tolerance: float
    wrong: str | None


def ratio(bridge: float, shunt: float) -> float:
    """Change of the output of a balanced full bridge (V/V) with `shunt` (ohm) across one of its four arms of `bridge` ohm.

    R / (4 R_s + 2 R), without load at the output; resistors that a load cell has in its excitation leads make it less.
    """
    return bridge / (4.0 * shunt + 2.0 * bridge)


def expected(channel: InputChannel) -> float | None:
    """Change of the reading: as the certificate says, else from the resistances, then without a sign; None where neither is known."""
    sensor = channel.sensor
    if sensor.shunt_value is not None:
        return sensor.shunt_value
    if channel.kind != "force_bridge" or sensor.shunt_resistance is None:
        return None
    return abs(sensor.sensitivity) * channel.excitation_voltage * ratio(channel.bridge_resistance, sensor.shunt_resistance)


def unfit(channel: InputChannel) -> str | None:
    """Why the shunt of a channel cannot be checked, in words."""
    if channel.kind != "force_bridge" and not channel.shunt_line:
        return f"{channel.name}: no bridge, and no shunt_line that would switch the shunt of its conditioner"
    if expected(channel) is None:
        more = " or shunt_resistance" if channel.kind == "force_bridge" else ""
        return f"{channel.name}: what its shunt must do is not known; enter sensor.shunt_value{more} from the certificate"
    return None


def judge(channel: InputChannel, measured: Change) -> Verdict:
    """Compare; the certified value with its sign, the computed one without."""
    wanted = expected(channel)
    assert wanted is not None
    tolerance = channel.sensor.shunt_tolerance * abs(wanted)
    signed = channel.sensor.shunt_value is not None
    found = measured.change
    error = abs(found - wanted) if signed else abs(abs(found) - wanted)
    return Verdict(wanted, found, tolerance, _wrong(channel, measured, wanted, tolerance, error))


def _wrong(channel: InputChannel, measured: Change, wanted: float, tolerance: float, error: float) -> str | None:
    unit, found = channel.unit, measured.change
    if abs(measured.drift) > DRIFT_SHARE * tolerance:
        moved = f"{channel.name}: the reading moved by {measured.drift:.4g} {unit} by itself while its shunt was looked at"
        return f"{moved}; wait until it stands still"
    if error <= tolerance:
        return None
    said = f"{channel.name}: its shunt changes the reading by {found:.6g} {unit}, expected {wanted:.6g} +- {tolerance:.3g} {unit}"
    if abs(found) < 0.1 * abs(wanted):
        return f"{said}: nothing was switched; look at cable, plug and shunt"
    if abs(abs(found) - abs(wanted)) <= tolerance:
        return f"{said}: the sign is the other one; look for swapped signal wires"
    return f"{said}, {found / wanted - 1.0:+.1%}; look at excitation, bridge_resistance, sensitivity and the resistor"
