"""Data sheets of sensors as bits: by the templates of IEEE 1451.4, and as NI's own virtual data sheets are (nidaqmx-python,
tests/test_assets/teds), written out here field by field.
"""

from __future__ import annotations

import math
import struct

VOLTAGE_SENSOR = bytes([17, 64, 0, 32, 4, 57, 48, 0, 120, 0, 0, 0, 200, 194, 0, 0, 200, 66, 0, 0, 0, 0, 0, 0, 0, 0, 0, 48])
"""What stands in Voltage.ted (tests/component/system/test_physical_channel_properties.py)."""
BASIC = ((17, 14), (1, 15), (1, 5), (1, 6), (12345, 24))
CALIBRATION, END = ((0, 16), (0, 15), (0, 12), (0, 11)), ((3, 2), (0, 1))
NONE = ((0, 14), (0, 15), (0, 5), (0, 6), (0, 24))
"""Basic part of some of NI's sheets."""
EXCITATION = ((0, 6), (0, 8), (0, 8))


def single(value):
    return int.from_bytes(struct.pack("<f", value), "little"), 32


def linear(value, bits, start, step):
    return round((value - start) / step), bits


def relative(value, bits, start, tolerance):
    return round(math.log(value / start) / math.log(1.0 + 2.0 * tolerance)), bits


def stream(*fields):
    """Numbers with their widths, lowest bit first."""
    number = place = 0
    for value, width in fields:
        number |= value << place
        place += width
    return number.to_bytes(-(-place // 8), "little")


def accelerometer(sensitivity, force=0):
    """`sensitivity` in V a (m/s^2), or V a N."""
    rest = ((0, 2), (0, 6), (0, 1), (0, 1), (0, 8), (0, 5), *CALIBRATION)
    head = ((0, 2), (25, 8), (force, 1), (0, 1), relative(sensitivity, 16, 5e-7, 1.5e-4), relative(0.5, 8, 0.005, 0.03))
    return stream(*BASIC, *head, *rest, *END)


def load_cell(measurand=4, low=0.0, high=50e3, electrical=0.002, kind=2, resistance=350.0):
    head = ((0, 2), (33, 8), (measurand, 6), single(low), single(high), (2, 2), single(0.0), single(electrical), (kind, 2))
    excitation = [linear(volts, 9, 0.1, 0.1) for volts in (10.0, 0.5, 12.0)]
    return stream(*BASIC, *head, linear(resistance, 18, 1.0, 0.1), (0, 6), *excitation, *CALIBRATION, *END)


def sheet(number, *fields, basic=BASIC):
    return stream(*basic, (0, 2), (number, 8), *fields, *CALIBRATION, *END)


def microphone(code=61036):
    return sheet(27, (0, 1), (code, 16), (0, 25))


def thermistor(basic=NONE):
    coefficients = (single(1.3e-3), single(2.3e-4), single(1e-7))
    return sheet(38, (150, 11), (400, 11), (0, 18), (0, 18), (0, 20), *coefficients, *EXCITATION, (0, 5), basic=basic)


def rtd(curve=0):
    return sheet(37, (150, 11), (400, 11), (curve, 24), *EXCITATION, (0, 5))


KELVIN = ((0, 6), single(-100.0), single(100.0))


def current(*electrical):
    return sheet(31, *KELVIN, *(electrical or ((0, 2),)), (0, 24))


RESISTANCE = sheet(32, *KELVIN, (0, 9), (1, 9), *EXCITATION)
