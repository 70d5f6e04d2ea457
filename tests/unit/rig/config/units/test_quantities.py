"""Quantities as engineers write them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.config.units.quantities import QuantityError, to_si
from tests.each_row import each_row


@each_row(
    ("text", "unit", "number"),
    [
        ("0.2 mm", "m", 0.2e-3),
        ("10 kN", "N", 10e3),
        ("10kN", "N", 10e3),
        ("-10 kN", "N", -10e3),
        ("51.2 kHz", "Hz", 51200.0),
        ("90 degC", "K", 363.15),
        ("-40 degF", "K", 233.15),
        ("298.15 K", "K", 298.15),
        ("4 mA", "A", 4e-3),
        ("350 ohm", "ohm", 350.0),
        ("25 kN/V", "N/V", 25e3),
        ("40 uV/N", "N/V", 25e3),
        ("5 mm/V", "m/V", 5e-3),
        ("100 mV/g", "m/s^2/V", 98.0665),
        ("-100 mV/g", "m/s^2/V", -98.0665),
        ("50 g", "m/s^2", 490.3325),
        ("500 g", "kg", 0.5),
        ("2 MN/s", "N/s", 2e6),
        ("0.5 m/s", "m/s", 0.5),
        ("1 g/s", "m/s^2/s", 9.80665),
        ("30 deg", "rad", 0.5235987755982988),
        ("7 %", "1", 0.07),
        ("150 kN/mm", "N/m", 1.5e8),
        ("1.6e11 N/m^1.5", "N/m^1.5", 1.6e11),
        ("10 mV/g", "V/(m/s^2)", 0.010 / 9.80665),
        ("2.5e-5 1/N", "1/N", 2.5e-5),
        ("0.1 1/(kN*s)", "1/(N*s)", 1e-4),
        ("300 rpm", "rad/s", 31.41592653589793),
        ("300 1/min", "Hz", 5.0),
        ("10 rad/s", "1/s", 10.0),
        ("10 1/s", "1/s", 10.0),
        ("90 deg/s^2", "rad/s^2", 1.5707963267948966),
        ("10 1/s^2", "1/s^2", 10.0),
        ("20 \u00b5m", "m", 20e-6),  # micro sign
        ("20 \u03bcm", "m", 20e-6),  # Greek small mu
        ("5 \u03bcV/V", "1", 5e-6),
        ("350 \u2126", "ohm", 350.0),  # ohm sign
        ("0.35 k\u03a9", "ohm", 350.0),  # Greek capital omega
        ("9.81 m/s\u00b2", "m/s^2", 9.81),
    ],
)
def test_comes_out_in_si(text: str, unit: str, number: float) -> None:
    assert to_si(text, unit) == pytest.approx(number, rel=1e-12)


@given(st.floats(-1e9, 1e9, allow_subnormal=False))
def test_a_prefix_is_a_factor(number: float) -> None:
    assert to_si(f"{number!r} mm", "m") == pytest.approx(number * 1e-3, rel=1e-12, abs=1e-300)


@each_row(
    ("text", "unit", "said"),
    [
        ("10 kN", "m", 'expected a length such as "0.2 mm", got "10 kN" (a force)'),
        ("3 mm", "N", 'expected a force such as "10 kN", got "3 mm" (a length)'),
        ("5", "m", 'expected a length such as "0.2 mm", got "5" (a number without unit)'),
        ("3 s", "N/V", 'expected a force per volt such as "25 kN/V", got "3 s" (a time)'),
        ("3 V/N", "m", 'got "3 V/N" (in '),
        ("3 kg", "m", 'got "3 kg" (a mass)'),
        ("3 mol", "m", 'got "3 mol" (in mol)'),
        ("300 rpm", "Hz", 'expected a frequency such as "51.2 kHz", got "300 rpm", an angular velocity; 1 Hz is 60 rpm'),
        ("10 rad/s", "Hz", 'got "10 rad/s", an angular velocity'),
        ("3000 1/min", "rad/s", "which has no angle in it; expected one with rad, deg or rpm (1 Hz is 60 rpm or 6.2832 rad/s)"),
        ("50 1/s", "rad/s", "which has no angle in it"),
        ("50 count/s", "rad/s", "which has no angle in it"),
        ("50 1/s^2", "rad/s^2", "which has no angle in it"),
        ("30 %", "rad", "which has no angle in it"),
        ("1 sr", "rad", "which has no angle in it"),
        ("10 Hz", "1/s", 'got "10 Hz", a frequency; expected a corner in 1/s or rad/s'),
        ("5 deg", "1", 'got "5 deg", an angle'),
        ("5 dB", "1", "a level, which is a ratio of amplitudes or of powers; expected the ratio itself"),
        ("30 dB", "rad", "a level"),
        ("5 dB N", "N", "a level"),
        ("1 neper", "1", "a level"),
        ("5 1N", "N", "one number stands before its unit, and none in it"),
        ("10 N*1000", "N", "one number stands before its unit"),
        ("1 000 N", "N", "one number stands before its unit"),
        ("10 N/.5", "N", "one number stands before its unit"),
        ("10 N-m", "N*m", "+ and - stand in no unit; products are written as in N*m"),
        ("9 m s-2", "m/s^2", "+ and - stand in no unit"),
        ("5 kHz", "rad/s", 'got "5 kHz", a frequency; 1 Hz is 60 rpm or 6.2832 rad/s'),
    ],
)
def test_a_wrong_dimension_names_both(text: str, unit: str, said: str) -> None:
    with pytest.raises(QuantityError) as caught:
        to_si(text, unit)
    assert said in str(caught.value)


NONSENSE = [
    *("", "mm", "0.2 zork", "0.2 mm mm (", "import os", "1; 2 m", "[1, 2] m", "kN 10 10", "nan m", "inf m", "1e999 m"),
    *("12 m#####", "12 m # of two", "12 m;", "12 m'", "12 m\x00", "12 m\n#", "1 000 m", "1'000 m", "1_000 m", "0,2 m"),
    *("1" * 5000 + " m", "1 " + "m*" * 5000 + "m", "1 " + "(" * 5000 + "m" + ")" * 5000),
    *("1 a" + " " * 100_000 + "b", "1" * 100_000 + "x"),
    *("1 m**9**9**9**9", "1 m^9^9^9", "1 m^999999999", "1 m**(9)**9**9"),
]


@each_row("text", NONSENSE, ids=map(str, range(len(NONSENSE))))
def test_nonsense_is_refused_in_words(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(QuantityError, match="expected a length") as caught:
        to_si(text, "m")
    assert len(str(caught.value)) < 250
    assert str(caught.value).isprintable()
    assert time.process_time() - begun < 1.0  # and not reckoned through
