"""The direct-current motor of a plant's drive: its current loop and its bridge against closed forms, and what it does on the four-bar."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants.four_bar_rig import Config
from rig.virtual.plants.motor_rig.kernel import motor_torque
from rig.virtual.plants.motor_rig.motor import Armature, Motor, records
from rig.virtual.plants.motor_rig.plant import SpeedDrive
from tests.unit.rig.virtual.plants.driven_benches import Turned

STEP = 2e-6
OWN = Armature(torque_constant=0.2, resistance=0.6, inductance=1.5e-3, supply=60.0, current_limit=20.0, current_bandwidth=500.0)


def torques(armature: Armature | None, wanted: float, seconds: float, speed: float = 0.0) -> np.ndarray:
    """Torque after each step of a motor in torque mode whose shaft turns at a constant speed."""
    made = records([Motor(torque_limit=100.0, armature=armature)], [0.0], STEP)
    made["mode"], made["powered"], made["setpoint"] = 2, 1, wanted
    return np.array([motor_torque(made[0], 0.0, speed, STEP) for _ in range(round(seconds / STEP))])


def test_its_current_rises_as_a_loop_that_cancels_the_winding_has_it() -> None:
    """1 - exp(-w t), w of the loop's bandwidth: gain and integral are in the ratio of L and R."""
    found = torques(OWN, 0.4, 2e-3)
    t = STEP * np.arange(1, len(found) + 1)
    assert found == pytest.approx(0.4 * -np.expm1(-2.0 * math.pi * 500.0 * t), abs=0.4 * 0.01)
    slower = torques(replace(OWN, current_bandwidth=400.0), 0.4, 2e-3)
    assert np.max(np.abs(slower - found)) > 0.4 * 0.05


def test_at_the_end_of_the_supply_it_rises_by_the_winding_alone() -> None:
    """(V/R)(1 - exp(-R t/L)) until it has the current; what the shaft induces is missing from V."""
    speed = 200.0
    found = torques(OWN, 4.0, 0.6e-3, speed)
    t = STEP * np.arange(1, len(found) + 1)
    expected = 0.2 * (60.0 - 0.2 * speed) / 0.6 * -np.expm1(-0.6 / 1.5e-3 * t)
    assert found == pytest.approx(expected, rel=2e-3, abs=1e-4)
    assert np.max(np.abs(torques(OWN, 4.0, 0.6e-3, 0.0) - found)) > 0.5


def test_current_and_speed_have_their_ends() -> None:
    assert torques(OWN, 50.0, 0.02)[-1] == pytest.approx(0.2 * 20.0, rel=1e-3)
    assert torques(OWN, 4.0, 0.1, 60.0 / 0.2)[-1] == pytest.approx(0.0, abs=1e-6), "at the no-load speed"
    assert torques(OWN, 4.0, 0.1, 1.2 * 60.0 / 0.2)[-1] < -3.0, "beyond it the bridge cannot but brake"


@pytest.mark.parametrize("inductance", [1e-12, 1e-7, 1.0])
def test_no_inductance_makes_a_step_unstable(inductance: float) -> None:
    found = torques(replace(OWN, inductance=inductance), 4.0, 0.05)
    assert np.max(np.abs(found)) <= 4.0 * 1.05 and np.all(np.isfinite(found))


def test_without_power_there_is_no_current() -> None:
    made = records([Motor(armature=OWN)], [0.0], STEP)
    made["mode"], made["powered"], made["setpoint"] = 2, 1, 1.0
    for _ in range(1000):
        motor_torque(made[0], 0.0, 0.0, STEP)
    assert made[0]["current"] > 1.0
    made["powered"] = 0
    assert motor_torque(made[0], 0.0, 0.0, STEP) == 0.0 and made[0]["current"] == made[0]["bridge"] == 0.0


def test_the_four_bar_turns_at_the_speed_of_its_reference_within_the_drives_current() -> None:
    drive = SpeedDrive(max_speed=2000.0 * math.pi / 30.0, acceleration=300.0, torque=4.0)
    motor = Motor(velocity_gain=0.1, velocity_integral=1.0, torque_limit=4.0, armature=OWN)
    bench = Turned(Config(perturb=False, friction=0.1, gravity=0.0, motor=motor, speed_drive=drive).create(1))
    bench.volts[:] = 7.5
    out = bench.run(1.6)[:, bench.plant.analogue_outputs.index("tachometer")]
    sensitivity = Config().tachometer.sensitivity
    assert np.mean(out[-20480:]) / sensitivity == pytest.approx(7.5 / 10.0 * 400.0 * math.pi / 30.0, rel=0.01)
    assert 0.0 < abs(bench.plant._motors[0]["current"]) < 20.0
    bench.lines["crank_enable"] = False
    bench.run(0.01)
    assert bench.plant._motors[0]["current"] == 0.0 and not bench.plant._motors[0]["powered"]
