"""Motors by their equations: against closed forms, integrations by scipy, and the account of their energy."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from model.assembly.description import Body
from model.assembly.drives import angle
from model.assembly.forces import constant, dc_motor, induction_motor, servo, torsion_spring
from model.assembly.joints import revolute
from model.errors import ModelError
from model.integrators import dop853, rk4
from model.mechanisms.planar import Config
from tests.unit.model.assembly.simulated import Floats, run, times

INERTIA = 0.05
WHEEL = Body("wheel", 2.0, INERTIA)
PIN = revolute.Config("pin", ("ground.origin", "wheel.centre"))
OUTPUTS = ("wheel_angle", "wheel_angular_velocity", "wheel_angular_acceleration")


def wheel(motor: Any, *others: Any, more: tuple[str, ...] = (), speed: float = 0.0) -> Config:
    body = replace(WHEEL, angular_velocity=speed)
    return Config((body,), (PIN,), forces=(motor, *others), outputs=(*OUTPUTS, f"{motor.name}_torque", *more))


K, R, L, GEAR, VOLTS = 0.1, 0.5, 4e-3, 3.0, 24.0
DIRECT = dc_motor.Config("motor", "wheel", K, R, "24", L, GEAR)


def test_a_dc_motor_comes_up_as_its_two_time_constants_say() -> None:
    """L J w'' + R J w' + (k n)^2 w = k n V from rest (two real roots here); at last V/(k n)."""
    found, t = run(wheel(DIRECT, more=("motor_current",)), 2.0), times(2.0)
    flux = K * GEAR
    a, b = np.roots([L * INERTIA, R * INERTIA, flux**2]).real
    free = VOLTS / flux
    speed = free * (1.0 - (b * np.exp(a * t) - a * np.exp(b * t)) / (b - a))
    assert found["wheel_angular_velocity"] == pytest.approx(speed, abs=1e-6)
    acceleration = free * a * b * (np.exp(b * t) - np.exp(a * t)) / (b - a)
    assert found["motor_current"] == pytest.approx(INERTIA * acceleration / flux, abs=1e-6)
    assert found["motor_torque"] == pytest.approx(flux * found["motor_current"], abs=1e-12)


def test_what_the_supply_gives_is_heat_field_and_motion() -> None:
    """V i = R i^2 + d/dt(L i^2/2 + J w^2/2), with a voltage that changes: Simpson's rule over a millisecond's rows."""
    motor = replace(DIRECT, voltage="24*rise(t/0.05)*cos(20*t)")
    found, t = run(wheel(motor, more=("motor_current",)), 0.6), times(0.6)
    x = np.clip(t / 0.05, 0.0, 1.0)
    volts, i = 24.0 * x**3 * (10.0 - 15.0 * x + 6.0 * x**2) * np.cos(20.0 * t), found["motor_current"]
    power = volts * i - R * i**2
    given = float(np.sum(power[:-1:2] + 4.0 * power[1::2] + power[2::2])) * 1e-3 / 3.0
    stored = 0.5 * L * i[-1] ** 2 + 0.5 * INERTIA * found["wheel_angular_velocity"][-1] ** 2
    assert stored > 1.0
    assert given == pytest.approx(stored, rel=1e-5)


def test_without_inductance_it_is_the_straight_line_of_torque_by_speed() -> None:
    found, t = run(wheel(replace(DIRECT, inductance=0.0)), 1.0), times(1.0)
    flux = K * GEAR
    assert found["wheel_angular_velocity"] == pytest.approx(VOLTS / flux * (1.0 - np.exp(-(flux**2) / (R * INERTIA) * t)), abs=1e-7)
    assert found["motor_torque"][0] == pytest.approx(flux * VOLTS / R)


def test_at_rest_against_a_spring_it_holds_with_its_stall_torque() -> None:
    spring = torsion_spring.Config("spring", "wheel", stiffness=50.0, damping=2.0)
    found = run(wheel(DIRECT, spring), 3.0)
    assert found["wheel_angle"][-1] == pytest.approx(K * GEAR * VOLTS / R / 50.0, rel=1e-6)


MAINS, PULL_OUT, SLIP = 50.0 * math.pi, 30.0, 0.2
ASYNCHRONOUS = induction_motor.Config("motor", "wheel", MAINS, PULL_OUT, SLIP)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_an_induction_motor_pulls_most_at_its_pull_out_slip(way: float) -> None:
    motor = replace(ASYNCHRONOUS, synchronous_speed=way * MAINS)
    found = run(wheel(motor), 0.6)
    torque, slip = way * found["motor_torque"], 1.0 - way * found["wheel_angular_velocity"] / MAINS
    peak = int(np.argmax(torque))
    assert slip[0] == 1.0 and slip[-1] < 0.01
    assert torque[peak] == pytest.approx(PULL_OUT, rel=1e-3) and slip[peak] == pytest.approx(SLIP, abs=0.02)
    assert torque == pytest.approx(2.0 * PULL_OUT / (slip / SLIP + SLIP / slip), rel=1e-9)


def test_it_runs_up_in_the_time_that_its_curve_says() -> None:
    """t = J w_s/(2 T_p) ((1 - s^2)/(2 s_p) - s_p ln s) from rest to slip s: the integral of Kloss' formula."""
    found, t = run(wheel(ASYNCHRONOUS), 0.5), times(0.5)
    slip = 1.0 - found["wheel_angular_velocity"] / MAINS
    taken = INERTIA * MAINS / (2.0 * PULL_OUT) * ((1.0 - slip**2) / (2.0 * SLIP) - SLIP * np.log(slip))
    assert taken[slip > 1e-4] == pytest.approx(t[slip > 1e-4], abs=1e-7)


def test_above_its_synchronous_speed_it_brakes() -> None:
    found = run(wheel(ASYNCHRONOUS, speed=1.1 * MAINS), 0.01)
    assert found["motor_torque"][0] == pytest.approx(-2.0 * PULL_OUT / (0.5 + 2.0), rel=1e-9)


GEARED = servo.Config("motor", "wheel", "8*t", speed_gain=2.0, speed_integral=30.0, torque_limit=4.0)


def test_a_servo_comes_up_at_its_limit_and_holds_its_speed_under_load() -> None:
    """The limit's own acceleration at first; then the load's torque at the speed asked for, without a lasting error."""
    load = constant.Config("load", "wheel.centre", torque=-1.5)
    found = run(wheel(GEARED, load, more=("motor_integral",)), 2.0)
    assert found["wheel_angular_velocity"][40] == pytest.approx((4.0 - 1.5) / INERTIA * 0.04, rel=1e-9)
    assert np.max(np.abs(found["motor_torque"])) == 4.0
    assert found["wheel_angular_velocity"][-1] == pytest.approx(8.0, abs=1e-6)
    assert found["motor_torque"][-1] == pytest.approx(1.5, abs=1e-5)
    overshoot = np.max(found["wheel_angular_velocity"]) - 8.0
    assert overshoot < 0.8, "an integral that ran on at the limit would carry it far beyond"


def test_a_servo_follows_an_angle_as_its_loops_say() -> None:
    """Against scipy's integration of the loops as they are written in the manual."""
    motor = replace(GEARED, angle="0.5*sin(6*t)", angle_gain=15.0, torque_limit=0.8, speed_limit=2.5)
    found, t = run(wheel(motor), 1.5), times(1.5)

    def rates(time: float, y: Floats) -> list[float]:
        phi, w, z = y
        asked = min(max(3.0 * math.cos(6.0 * time) + 15.0 * (0.5 * math.sin(6.0 * time) - phi), -2.5), 2.5)
        free = 2.0 * (asked - w) + 30.0 * z
        torque = min(max(free, -0.8), 0.8)
        return [w, torque / INERTIA, asked - w + (torque - free) / 2.0]

    exact = solve_ivp(rates, (0.0, 1.5), [0.0, 0.0, 0.0], "Radau", t, rtol=1e-8, atol=1e-10, max_step=2e-3)
    assert np.max(np.abs(found["motor_torque"])) == 0.8
    assert found["wheel_angle"] == pytest.approx(exact.y[0], abs=2e-6)


def test_a_fixed_step_too_long_for_the_current_is_refused() -> None:
    quick = replace(DIRECT, inductance=1e-6)
    with pytest.raises(ModelError, match="stability limit"):
        wheel(quick).create(rk4.Config(step=1e-4), 1e3)
    wheel(quick).create(rk4.Config(step=5e-6), 1e3)


def test_a_spread_start_keeps_the_current() -> None:
    stepper = wheel(DIRECT, more=("motor_current",)).create(dop853.Config(), 1e3)
    stepper.start(np.zeros(stepper.lookahead))
    stepper.advance(np.zeros(100))
    state = stepper.state
    assert len(stepper.usual) == len(state) == 7
    stepper.start(np.zeros(stepper.lookahead), state)
    assert stepper.advance(np.zeros(1))[0, 4] == pytest.approx(state[6], rel=1e-9)


def test_on_a_rig_it_is_refused_by_name() -> None:
    config = replace(wheel(DIRECT), bodies=(WHEEL,), drives=(angle.Config("turn", "wheel", 2.0),))
    prompt = replace(config, forces=(replace(DIRECT, inductance=0.0, voltage="0"),))
    stepper = prompt.create(dop853.Config(), 1e3, "command")
    stepper.start(np.zeros(stepper.lookahead))  # its torque goes by the speed alone
    with pytest.raises(ModelError, match="forces: motor: a motor with a current or an integral of its own is for `rig simulate`"):
        config.create(dop853.Config(), 1e3, "command")


@pytest.mark.parametrize(
    ("motor", "said"),
    [
        (replace(DIRECT, body="rotor"), "there is no body 'rotor'"),
        (replace(DIRECT, voltage="24 V"), "voltage: expected a formula such as"),
        (replace(ASYNCHRONOUS, synchronous_speed=0.0), "synchronous_speed: expected a speed other than 0"),
        (replace(GEARED, angle="u"), "angle: there is no 'u'"),
    ],
)
def test_what_is_no_motor_is_refused(motor: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wheel(motor)
