"""What stands behind the basic part of a sensor's data sheet: the standard templates of IEEE 1451.4, bit by bit.

25 accelerometers and force sensors with current, 30 sensors with a voltage, 33 bridges, 36 thermocouples. Layout as in "An Overview of IEEE
1451.4 Transducer Electronic Data Sheets" of the standard's working group, and as programs that read it have it (SDL-MCI/SDLMA-Core: 25,
36); checked against streams with a known content: that of a bridge in Dewetron's TRION SDK (33), that of a voltage sensor in NI's tests of
its nidaqmx package (30). Others are in `teds_ni_templates`. Of the rest (LVDTs, strain gages ...) only the number is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from drivers.simulated.daqmx.sensors import teds_ni_templates as others
from drivers.simulated.daqmx.sensors.teds_bits import Bits

STANDARD, END = 0, 3
ACCELEROMETER, MICROPHONE, VOLTAGE, CURRENT, RESISTANCE = 25, 27, 30, 31, 32
BRIDGE, THERMOCOUPLE, RTD, THERMISTOR = 33, 36, 37, 38
IN_FORCE = "in_force"
PRECISION_FULL = {VOLTAGE: 3, BRIDGE: 2}


@dataclass(frozen=True)
class Template:
    """`values`: what could be read of it, by names of our own; none of a template that is not known."""

    number: int
    values: dict[str, float] = field(default_factory=dict)


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
    bits.calibration()
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
        bits.calibration()
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
            bits.calibration()
    return values


def _thermocouple(bits: Bits) -> dict[str, float]:
    """Degrees Celsius; `kind`: place in the list B E J K N R S T."""
    values = {"low": bits.linear(11, -273.0, 1.0), "high": bits.linear(11, -273.0, 1.0)}
    bits.take(7 + 7)
    values |= {"kind": float(bits.take(4)), "compensated": float(bits.take(1))}
    bits.take(12 + 6)
    bits.calibration()
    return values


_READERS = {
    ACCELEROMETER: _accelerometer, VOLTAGE: _voltage, BRIDGE: _bridge, THERMOCOUPLE: _thermocouple, MICROPHONE: others.microphone,
    CURRENT: others.current, RESISTANCE: others.resistance, RTD: others.rtd, THERMISTOR: others.thermistor,
}  # fmt: skip


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
