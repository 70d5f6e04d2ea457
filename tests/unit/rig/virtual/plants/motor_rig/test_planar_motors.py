"""Motors by their equations in the planar plant: against scipy's integration of their data sheets' equations, and without a step limit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from model.assembly.description import Body
from model.assembly.forces import dc_motor, induction_motor, servo
from model.assembly.joints import revolute
from model.mechanisms.planar import Config
from rig.virtual.plants.motor_rig import planar_layout as at
from tests.unit.rig.virtual.plants.motor_rig.linkages import Coasting

INERTIA = 0.02
WHEEL = Body("wheel", 1.0, INERTIA)
BEARING = revolute.Config("a", ("ground.origin", "wheel.centre"))


def turned(motor: Any, seconds: float, speed: float = 0.0) -> tuple[Coasting, np.ndarray]:
    """The wheel, and its (angle, speed) at each millisecond."""
    wheel = Coasting(Config((WHEEL,), (BEARING,), forces=(motor,)), np.zeros(3), [0, 0, speed])
    return wheel, wheel.run(seconds)[:, 0][:, [2, 5]]


def solved(rates: Any, start: list[float], seconds: float) -> np.ndarray:
    found = solve_ivp(rates, (0.0, seconds), start, method="LSODA", t_eval=np.arange(round(seconds * 1e3) + 1) / 1e3, rtol=1e-9, atol=1e-11)
    return np.asarray(found.y.T)


def dc(inductance: float, constant: float = 0.05) -> dc_motor.Config:
    return dc_motor.Config("motor", "wheel", constant, 0.4, "24*rise(t/0.02)", inductance, gear=5.0)


def rise(t: float) -> float:
    x = min(max(t, 0.0), 1.0)
    return x**3 * (10.0 - 15.0 * x + 6.0 * x * x)


@pytest.mark.parametrize("inductance", [0.0, 0.6e-3, 20e-3])
def test_a_direct_current_motor_runs_up_by_its_electrical_equation(inductance: float) -> None:
    flux = 0.05 * 5.0

    def rates(t: float, s: np.ndarray) -> list[float]:
        volts = 24.0 * rise(t / 0.02)
        current = (volts - flux * s[1]) / 0.4 if inductance == 0.0 else s[2]
        return [s[1], flux * current / INERTIA, 0.0 if inductance == 0.0 else (volts - 0.4 * current - flux * s[1]) / inductance]

    wheel, found = turned(dc(inductance), 0.3)
    expected = solved(rates, [0.0, 0.0, 0.0], 0.3)
    assert expected[-1, 1] > 50.0
    assert found == pytest.approx(expected[:, :2], abs=1e-3 * expected[-1, 1])
    other = turned(dc(inductance, constant=0.055), 0.3)[1]
    assert np.max(np.abs(other - expected[:, :2])) > 20e-3 * expected[-1, 1]
    assert wheel.energy == pytest.approx(0.0, abs=1e-3 * wheel.y[0])
    if inductance > 0.0:
        (current,) = wheel.y[int(wheel.p[int(wheel.p[at.AT_MOTORS]) + at.M_OWN]) :][:1]
        assert current == pytest.approx(expected[-1, 2], abs=0.02 * np.max(expected[:, 2]))


@pytest.mark.parametrize("speed", [0.0, 200.0])
def test_an_induction_motor_runs_up_and_brakes_by_kloss(speed: float) -> None:
    def rates(_: float, s: np.ndarray) -> list[float]:
        slip = 1.0 - s[1] / 150.0
        return [s[1], 2.0 * 20.0 / (slip / 0.2 + 0.2 / slip) / INERTIA]

    motor = induction_motor.Config("motor", "wheel", 150.0, 20.0, 0.2)
    _, found = turned(motor, 0.3, speed)
    expected = solved(rates, [0.0, speed], 0.3)
    assert abs(expected[-1, 1] - speed) > 40.0
    assert found == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("limit", [math.inf, 3.0])
def test_a_servo_follows_its_angle_within_its_limits(limit: float) -> None:
    motor = servo.Config("motor", "wheel", "pi/2*rise(t/0.1)", 0.8, 10.0, 40.0, limit, 30.0)

    def rates(t: float, s: np.ndarray) -> list[float]:
        x = min(max(t / 0.1, 0.0), 1.0)
        wanted = 0.5 * math.pi * 30.0 * (x * (1.0 - x)) ** 2 / 0.1
        asked = min(max(wanted + 40.0 * (0.5 * math.pi * rise(t / 0.1) - s[0]), -30.0), 30.0)
        free = 0.8 * (asked - s[1]) + 10.0 * s[2]
        torque = min(max(free, -limit), limit)
        return [s[1], torque / INERTIA, asked - s[1] + (torque - free) / 0.8]

    _, found = turned(motor, 0.4)
    expected = solved(rates, [0.0, 0.0, 0.0], 0.4)[:, :2]
    assert found == pytest.approx(expected, abs=5e-3)
    assert limit == 3.0 or found[-1, 0] == pytest.approx(0.5 * math.pi, abs=0.02)
    without = solved(lambda t, s: [*rates(t, s)[:2], 0.0], [0.0, 0.0, 0.0], 0.4)[:, :2]
    assert np.max(np.abs(without - expected)) > 0.05  # the control: a servo that does not integrate


@pytest.mark.parametrize(
    "motor",
    [
        dc(1e-12),
        dc_motor.Config("motor", "wheel", 500.0, 1e-3, "24"),
        induction_motor.Config("motor", "wheel", 150.0, 1e7, 1e-4),
        servo.Config("motor", "wheel", "50*t", 1e7, 1e3),
    ],
)
def test_the_stiffest_motor_does_not_make_a_step_unstable(motor: Any) -> None:
    """An explicit step would: time constants far below it. Each runs to the speed that it holds."""
    found = turned(motor, 0.5, 100.0)[1][:, 1]
    holds = {"torque_constant": 24.0 / 500.0, "pull_out_slip": 150.0, "speed_gain": 50.0}
    expected = next(value for key, value in holds.items() if hasattr(motor, key))
    if isinstance(motor, dc_motor.Config) and motor.inductance:
        expected = 24.0 / 0.25 * (1.0 - math.exp(-0.5 * 0.25**2 / 0.4 / INERTIA)) + 100.0 * math.exp(-0.5 * 0.25**2 / 0.4 / INERTIA)
    assert np.max(np.abs(found)) < 160.0
    assert found[-1] == pytest.approx(expected, rel=0.02)
