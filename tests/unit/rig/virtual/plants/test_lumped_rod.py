"""The slider-crank rig with a rod that gives way: energy, the first impact and the torque of others, its rigid limit, what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants.lumped_rod import Rod
from rig.virtual.plants.motor_rig import slider_crank_lumped_kernel as kernel
from rig.virtual.plants.motor_rig.sensors import TorqueSensor
from rig.virtual.plants.slider_crank_rig import Config
from tests.unit.rig.virtual.plants.driven_benches import RATE, Turned
from tests.unit.rig.virtual.plants.test_slider_crank_rig import DRIVE

LUMPED = Config(rod=Rod(form="lumped"))


@pytest.mark.parametrize("guide", [0.0, 0.05e-3])
def test_the_motors_work_goes_into_energy_and_losses(guide):
    bench = Turned(replace(LUMPED, guide_clearance=guide, speed_drive=DRIVE).create(1))
    state, p = bench.plant.state, bench.plant.mechanics.parameters
    before = kernel.energy(state, p)
    bench.volts[:] = 10.0 * 1000.0 * math.pi / 30.0 / DRIVE.max_speed
    bench.run(0.6)
    work, lost = float(state[kernel.WORK]), float(state[kernel.LOST])
    assert work > 50.0 and lost > 1.0
    assert kernel.energy(state, p) - before == pytest.approx(work - lost, abs=1e-3 * work)


def torque(config, lasting=0.8):
    """N m at 600 r/min; the last part of it."""
    bench = Turned(replace(config, perturb=False, guide_clearance=0.0, speed_drive=DRIVE).create(1))
    bench.volts[:] = 10.0 * 600.0 * math.pi / 30.0 / DRIVE.max_speed
    out = bench.run(lasting)
    return out[round(0.5 * RATE) :, 0] / TorqueSensor().sensitivity


def test_a_stiff_rod_takes_the_torque_of_a_rigid_one():
    """From turn to turn impacts differ, so that it is the spread that is compared; to a tenth of it."""
    stiff = replace(LUMPED, rod=Rod(form="lumped", youngs_modulus=400e9, damping=1e-7), step=1e-6)
    found, wanted = torque(stiff), torque(Config())
    assert found.std() == pytest.approx(wanted.std(), rel=0.1)


@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_stands_still_until_it_is_driven_bent_by_its_weight(gravity):
    """A beam that carries its weight q L sags by 5 q L^4/384 EI in its middle (Timoshenko), across itself."""
    config = replace(LUMPED, perturb=False, gravity=gravity, start_angle=1.0)
    bench = Turned(config.create(1))
    before = bench.plant.state.copy()
    bench.run(0.05)
    assert np.max(np.abs(bench.plant.state[kernel.POINTS : kernel.POINT_RATES] - before[kernel.POINTS : kernel.POINT_RATES])) < 2e-6
    crank = config.crank_length * np.array([math.cos(before[0]), math.sin(before[0])])
    points = before[kernel.POINTS : kernel.POINTS + 8].reshape(4, 2)
    chord = points[-1] - crank
    across = np.array([-chord[1], chord[0]]) / np.linalg.norm(chord)
    section = config.rod_mass / (config.rod.density * config.rod_length)
    load = gravity * config.rod_mass / config.rod_length * abs(chord[0]) / np.linalg.norm(chord)
    sag = 5.0 * load * config.rod_length**4 / (384.0 * config.rod.youngs_modulus * section**2 / 12.0)
    assert (points[1] - crank) @ across == pytest.approx(-sag, rel=0.02, abs=1e-9)


def test_a_rod_that_is_not_uniform_or_too_stiff_for_the_step_is_refused():
    with pytest.raises(ValueError, match=r"rod: a rod that gives way is uniform: expected rod_centre 0\.06 m, got 0\.05 m"):
        replace(LUMPED, rod_centre=0.05)
    with pytest.raises(ValueError, match="rod: a step of 2 us cannot follow what vibrates with"):
        replace(LUMPED, rod=Rod(form="lumped", damping=1e-4))
