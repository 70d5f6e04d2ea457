"""Templates of IEEE 1451.4 whose layout was learned from NI's own virtual data sheets: 27, 31, 32, 37, 38.

The sheets are those of NI's tests of its nidaqmx package (tests/test_assets/teds); the tests say which values stand in them
(tests/component/task/channels/test_ai_channel.py). What is zero there has no known scale: a template with something else in such a place is
not read, or says so (`UNREAD`).
"""

from __future__ import annotations

from drivers.simulated.daqmx.sensors.teds_bits import Bits

UNREAD = "unread"
"""There if the template tells the kind of the sensor, and not how to scale it."""
FULL = 3
"""Electrical ends in single precision."""
Values = dict[str, float]


def _excitation(bits: Bits) -> None:
    bits.take(6 + 8 + 8)  # response time, nominal and highest excitation


def microphone(bits: Bits) -> Values:
    """Sensitivity in V a Pa. The code of NI's sheet, 61036, is 1.99981."""
    if bits.take(1):
        return {}
    values = {"sensitivity": bits.relative(16, 1e-5, 1e-4)}
    bits.take(25)
    bits.calibration()
    return values


def current(bits: Bits) -> Values:
    """Electrical values in A."""
    values = {"measurand": float(bits.take(6)), "low": bits.single(), "high": bits.single()}
    if bits.take(2) == FULL:
        values |= {"electrical_low": bits.single(), "electrical_high": bits.single()}
    else:
        values[UNREAD] = 1.0
    bits.take(6 + 9 + 9)  # response time, supply
    bits.calibration()
    return values


def resistance(bits: Bits) -> Values:
    """Of the two resistances, codes of 9 bits, the scale is not known."""
    values = {"measurand": float(bits.take(6)), "low": bits.single(), "high": bits.single(), UNREAD: 1.0}
    bits.take(9 + 9)
    _excitation(bits)
    bits.calibration()
    return values


def rtd(bits: Bits) -> Values:
    """Degrees Celsius. Resistance at 0 degrees and curve, 24 bits, are zero in NI's sheet, a custom one with the numbers of Pt3750."""
    values = {"low": bits.linear(11, -200.0, 1.0), "high": bits.linear(11, -200.0, 1.0), UNREAD: 1.0}
    if bits.take(24):
        return {}
    _excitation(bits)
    bits.take(5)  # self-heating
    bits.calibration()
    return values


def thermistor(bits: Bits) -> Values:
    """Degrees Celsius; a, b, c: of the equation of Steinhart and Hart."""
    values = {"low": bits.linear(11, -200.0, 1.0), "high": bits.linear(11, -200.0, 1.0)}
    bits.take(18 + 18 + 20)  # lowest and highest resistance, that at a known temperature
    values |= {name: bits.single() for name in "abc"}
    _excitation(bits)
    bits.take(5)
    bits.calibration()
    return values
