"""Sensors of the virtual motor rigs by themselves: poles, AC coupling, sensitivity and zero, where the textbook has their gain."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rig.virtual.plants.motor_rig.kernel import sense
from rig.virtual.plants.motor_rig.sensors import Accelerometer, DisplacementSensor, ForceSensor, Tachometer, TorqueSensor, record

STEP = 1e-5
CORNER = 100.0


def shown(sensor: Any, values: np.ndarray, at_rest: float = 0.0) -> np.ndarray:
    """Volts for values of its quantity, one a step."""
    one = record(sensor, 0, at_rest, STEP)[0]
    volts = np.empty(len(values))
    for k, value in enumerate(values):
        sense(one, value, STEP)
        volts[k] = one["shown"]
    return volts


def gain(sensor: Any, frequency: float) -> float:
    """|volts / value| of a sine, over its last five periods."""
    count = round(10.0 / frequency / STEP)
    wave = np.exp(2j * math.pi * frequency * STEP * np.arange(count))
    tail = slice(count // 2, None)
    return float(abs(np.mean((shown(sensor, wave.imag) * wave.conj())[tail])) / abs(np.mean((wave.imag * wave.conj())[tail])))


@pytest.mark.parametrize(
    ("sensor", "poles"),
    [
        (Accelerometer(sensitivity=2.0, bandwidth=CORNER, coupling=0.0), 1),
        (Tachometer(sensitivity=2.0, bandwidth=CORNER), 1),
        (TorqueSensor(sensitivity=2.0, bandwidth=CORNER), 2),
        (ForceSensor(sensitivity=2.0, bandwidth=CORNER), 2),
        (DisplacementSensor(sensitivity=2.0, bandwidth=CORNER), 2),
    ],
    ids=["accelerometer", "tachometer", "torque", "force", "displacement"],
)
def test_a_sensor_has_its_poles_at_its_corner(sensor: Any, poles: int) -> None:
    """Butterworth: 1/sqrt(1 + (f/f0)^2n), to what the step of the integration leaves."""
    for factor in (0.25, 1.0, 4.0):
        assert gain(sensor, factor * CORNER) == pytest.approx(2.0 / math.sqrt(1.0 + factor ** (2 * poles)), rel=0.03)


def test_a_sensor_without_a_bandwidth_follows_at_once() -> None:
    np.testing.assert_allclose(shown(TorqueSensor(sensitivity=2.0, bandwidth=0.0), np.array([1.0, -3.0])), [2.0, -6.0])


def test_ac_coupling_has_one_pole_and_takes_what_stands_away() -> None:
    sensor = Accelerometer(sensitivity=2.0, bandwidth=0.0, coupling=CORNER)
    for factor in (0.25, 1.0, 4.0):
        assert gain(sensor, factor * CORNER) == pytest.approx(2.0 / math.sqrt(1.0 + factor**-2.0), rel=0.03)
    assert shown(sensor, np.full(3000, 9.81), at_rest=9.81)[[0, -1]] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_a_zero_is_shown_on_top() -> None:
    sensor = TorqueSensor(sensitivity=2.0, bandwidth=CORNER, zero=0.25)
    np.testing.assert_allclose(shown(sensor, np.full(10, 3.0), at_rest=3.0), 2.0 * (3.0 + 0.25))
