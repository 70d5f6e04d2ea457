"""What stands behind the basic part of a sensor's data sheet: the standard templates of IEEE 1451.4, bit by bit.

25 accelerometers and force sensors with current, 30 sensors with a voltage, 33 bridges, 36 thermocouples. Layout as in "An Overview of IEEE
1451.4 Transducer Electronic Data Sheets" of the standard's working group, and as programs that read it have it (SDL-MCI/SDLMA-Core: 25,
36); checked against streams with a known content: that of a bridge in Dewetron's TRION SDK (33), that of a voltage sensor in NI's tests of
its nidaqmx package (30). Of others (microphones, strain gages, RTDs ...) only the number is told.

A number is stored as it is, as start + code * step (ConRes), or as start * (1 + 2 tolerance)^code (ConRelRes), lowest bit first.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

STANDARD, END = 0, 3
ACCELEROMETER, VOLTAGE, BRIDGE, THERMOCOUPLE = 25, 30, 33, 36
IN_FORCE = "in_force"
PRECISION_FULL = {VOLTAGE: 3, BRIDGE: 2}


class Bits:
    """A stream, read bit by bit; behind its end it has zeros, as an empty memory has."""

    def __init__(self, stream: bytes) -> None:
        self._number, self.left = int.from_bytes(stream, "little"), 8 * len(stream)

    def take(self, count: int) -> int:
        """The next number of so many bits."""
        value = self._number & ((1 << count) - 1)
        self._number >>= count
        self.left -= count
        return value

    def linear(self, count: int, start: float, step: float) -> float:
        """ConRes."""
        return start + self.take(count) * step

    def relative(self, count: int, start: float, tolerance: float) -> float:
        """ConRelRes."""
        return float(start * (1.0 + 2.0 * tolerance) ** self.take(count))

    def single(self) -> float:
        """A number of single precision."""
        return float(struct.unpack("<f", self.take(32).to_bytes(4, "little"))[0])


@dataclass(frozen=True)
class Template:
    """`values`: what could be read of it, by names of our own; none of a template that is not known."""

    number: int
    values: dict[str, float] = field(default_factory=dict)


def _calibration(bits: Bits) -> None:
    for count in (16, 15, 12, 11):  # date, initials, period, place
        bits.take(count)


def _accelerometer(bits: Bits) -> dict[str, float]:
    """Sensitivity in V a (m/s^2), or V a N."""
    force, programmable = bits.take(1), bits.take(1)
    if programmable:
        return {}
    values = {IN_FORCE: float(force), "sensitivity": bits.relative(16, 5e-7, 1.5e-4), "highpass": bits.relative(8, 0.005, 0.03)}
    if force:
        return values  # stiffness and mass, whose widths are not known, stand before the rest
    bits.take(2 + 6 + 1)  # direction, weight, sign
    if bits.take(1):
        bits.take(7 + 9 + 9 + 7 + 6)  # transfer function
    bits.take(8 + 5)  # reference frequency and temperature
    _calibration(bits)
    return values


def _range(bits: Bits, electrical: Callable[[int], tuple[float, float] | None]) -> dict[str, float]:
    values = {"measurand": float(bits.take(6)), "low": bits.single(), "high": bits.single()}
    ends = electrical(bits.take(2))
    if ends is None:
        return {}
    return values | {"electrical_low": ends[0], "electrical_high": ends[1]}


def _bridge(bits: Bits) -> dict[str, float]:
    """Electrical values in V/V; `bridge`: 0 quarter, 1 half, 2 full; resistance of each arm in ohm; excitation in V."""

    def electrical(precision: int) -> tuple[float, float] | None:
        if precision == 0:
            return bits.linear(11, -1.0, 0.001), bits.linear(11, -1.0, 0.001)
        if precision == 1:
            return bits.linear(19, -6.55e-3, 25e-9), bits.linear(19, -6.55e-3, 25e-9)
        return (bits.single(), bits.single()) if precision == PRECISION_FULL[BRIDGE] else None

    values = _range(bits, electrical)
    if values:
        values |= {"bridge": float(bits.take(2)), "resistance": round(bits.linear(18, 1.0, 0.1), 1)}
        bits.take(6)  # response time
        values |= {name: round(bits.linear(9, 0.1, 0.1), 1) for name in ("excitation", "excitation_low", "excitation_high")}
        _calibration(bits)
    return values


def _voltage(bits: Bits) -> dict[str, float]:
    def electrical(precision: int) -> tuple[float, float] | None:
        if precision == PRECISION_FULL[VOLTAGE]:
            return bits.single(), bits.single()
        return {0: (0.0, 10.0), 1: (-10.0, 10.0)}.get(precision)

    values = _range(bits, electrical)
    if values:
        bits.take(1 + 12 + 6)  # coupling, impedance, response time
        if bits.take(1):
            values["powered"] = 1.0  # the supply's levels, whose widths are not known, stand before the rest
        else:
            _calibration(bits)
    return values


def _thermocouple(bits: Bits) -> dict[str, float]:
    """Degrees Celsius; `kind`: place in the list B E J K N R S T."""
    values = {"low": bits.linear(11, -273.0, 1.0), "high": bits.linear(11, -273.0, 1.0)}
    bits.take(7 + 7)
    values |= {"kind": float(bits.take(4)), "compensated": float(bits.take(1))}
    bits.take(12 + 6)
    _calibration(bits)
    return values


_READERS = {ACCELEROMETER: _accelerometer, VOLTAGE: _voltage, BRIDGE: _bridge, THERMOCOUPLE: _thermocouple}


def _whole(number: int, values: dict[str, float]) -> bool:
    """Whether the template was read to its end, so that what is behind it can be read."""
    return bool(values) and not values.get(IN_FORCE) and not values.get("powered")


def read(bits: Bits) -> tuple[Template, ...]:
    """The templates behind the basic part, up to the end or to one that is not known."""
    found: list[Template] = []
    while bits.left > 2 and bits.take(2) == STANDARD:
        number = bits.take(8)
        if not number:
            break
        reader = _READERS.get(number)
        found.append(Template(number, reader(bits) if reader else {}))
        if not _whole(number, found[-1].values):
            break
    return tuple(found)
