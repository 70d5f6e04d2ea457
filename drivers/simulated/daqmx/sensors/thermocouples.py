"""Thermocouples: reference functions of ITS-90 (NIST Monograph 175, its90.nist.gov), mV over degrees Celsius, and back.

Back goes the interpolated reference function itself (as AI.Thrmcpl.ScaleType Table does), not NIST's approximate inverses, which are off
by up to 0.06 degrees.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np
from nidaqmx import constants as ni
from numpy.polynomial.polynomial import polyval

from drivers.simulated.daqmx.core.scaling import Block, Law

K = ni.ThermocoupleType.K.value
STEP = 0.05
"""Spacing (degrees) of the table that is interpolated back; straight lines over it are off by less than a microkelvin per volt of noise."""

Range = tuple[float, float, tuple[float, ...]]
"""Lowest and highest t of a polynomial, and its coefficients."""
GAUSSIAN = (0.1185976, -1.183432e-4, 126.9686)
"""Of type K above 0 degrees: a0 exp(a1 (t - a2)^2)."""


@cache
def ranges_of() -> Mapping[int, tuple[Range, ...]]:
    """Polynomials of each type, a member of nidaqmx.constants.ThermocoupleType, by temperature (`thermocouples.toml`)."""
    types = tomllib.loads(files(__package__).joinpath("thermocouples.toml").read_text(encoding="utf-8"))
    return {
        ni.ThermocoupleType[name].value: tuple((part["low"], part["high"], tuple(part["coefficients"])) for part in parts)
        for name, parts in types.items()
    }


def voltage(kind: int, celsius: Block) -> Block:
    """V against a junction at 0 degrees; beyond the ends of the reference function that of the end."""
    ranges = ranges_of()[kind]
    t = np.clip(celsius, ranges[0][0], ranges[-1][1])
    millivolts = np.zeros_like(t)
    for low, _, coefficients in ranges:
        millivolts = np.where(t >= low, polyval(t, coefficients), millivolts)
    if kind == K:
        a0, a1, a2 = GAUSSIAN
        millivolts = millivolts + np.where(t >= 0.0, a0 * np.exp(a1 * (t - a2) ** 2), 0.0)
    return np.asarray(millivolts * 1e-3)


@cache
def _points(kind: int) -> tuple[Block, Block]:
    low, high = ranges_of()[kind][0][0], ranges_of()[kind][-1][1]
    t = np.linspace(low, high, round((high - low) / STEP) + 1)
    volts = voltage(kind, t)
    # Type B falls up to 21 degrees, and several end flat at 0 K: only the rising part has a way back.
    start = int(np.argmin(volts))
    rising = np.concatenate([[True], np.diff(volts[start:]) > 0])
    return volts[start:][rising], t[start:][rising]


def law(kind: int, cold: float) -> Law:
    """Degrees Celsius of the volts between a junction and one at `cold` degrees."""
    reference = float(voltage(kind, np.array([cold]))[0])

    def forward(volts: Block) -> Block:
        at, t = _points(kind)
        return np.asarray(np.interp(volts + reference, at, t))

    return Law(curve=forward, inverse=lambda t: voltage(kind, np.asarray(t)) - reference)
