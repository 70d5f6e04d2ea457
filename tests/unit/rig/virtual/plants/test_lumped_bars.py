"""The 3-RRPaR rig with bars that give way: energy, the figures of others, what they give way by, its rigid limit, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model.mechanisms import parallel_3rrpar
from model.mechanisms.parallel_3rrpar import ideal, kinematics
from model.paths import trajectory_1
from rig.virtual.plants import parallel_rig
from rig.virtual.plants.lumped_bars import Bars
from rig.virtual.plants.motor_rig import parallel_kernel as rigid
from rig.virtual.plants.motor_rig import parallel_lumped_kernel as kernel
from rig.virtual.plants.motor_rig.sensors import Accelerometer

PATH = trajectory_1.Config().create()
BEGIN = parallel_rig.Place(*(float(value) for value in PATH.evaluate(np.zeros(1))[0][0]))
QUIET = Accelerometer(sensitivity=0.1, bandwidth=0.0, coupling=0.0, noise=0.0)
DRAWING = parallel_rig.Config(perturb=False, start=BEGIN, accelerometer=QUIET, bars=Bars(form="lumped"))
STIFF = replace(DRAWING, bars=Bars(form="lumped", youngs_modulus=30.0 * 116e9, damping=1e-7), step=1e-6)
ON = np.ones(3, bool)


def followed(config, seconds, at=kernel.PLACE):
    """The plant at the end, and the platform's places each millisecond less those of the arms with rigid bars and ideal joints."""
    ticks = np.arange(round(seconds * 1000)) / 1000.0
    wanted = kinematics.motion_along(parallel_3rrpar.Config(), *PATH.evaluate(ticks))
    plant, gear, angles, places = config.create(1), config.motor.gear, [], []
    for n in range(len(ticks)):
        for leg, shaft in enumerate(plant.shafts.values()):
            shaft.tell("position", gear * (wanted.theta[n, leg] - wanted.theta[0, leg]), True, gear * wanted.theta_rate[n, leg])
        angles.append(plant.state[:3].copy())
        places.append(plant.state[at : at + 3].copy())
        plant.advance(np.array([(n + 1) / 1000.0]), np.zeros((1, 0)), ON)
    return plant, np.array(places) - kinematics.forward(parallel_3rrpar.Config(), np.array(angles))


@pytest.fixture(scope="module")
def run():
    return followed(DRAWING, 1.6)


def test_the_platform_strays_by_the_clearance_as_in_other_codes(run):
    _, strayed = run
    assert np.abs(strayed)[900:].max(axis=0) == pytest.approx([0.202e-3, 0.250e-3, 0.115e-3], rel=0.02)


def test_the_motors_work_goes_into_energy_and_losses(run):
    plant, _ = run
    p, work, lost = plant.mechanics.parameters, plant.state[kernel.WORK], plant.state[kernel.LOST]
    before = kernel.energy(DRAWING.create(1).state, p)
    assert work > 0.5 and lost > 0.1
    assert kernel.energy(plant.state, p) - before == pytest.approx(work - lost, abs=1e-4 * work)


def test_at_rest_the_bars_stretch_under_what_they_carry():
    """By statics: what ideal joints bring to a leg, its far short bar and on average half of the bars; the play turns that by some 1e-4."""
    plant, place = DRAWING.create(1), np.array([[BEGIN.x, BEGIN.y, BEGIN.z]])
    state, p = plant.state, plant.mechanics.parameters
    still = np.zeros((1, 3))
    loads = ideal.loads(parallel_3rrpar.Config(), place, still, still)
    for leg in range(3):
        arm = p[kernel.ARM] * np.array([np.cos(state[leg]), np.sin(state[leg]), 0.0])
        end = state[kernel.POINTS + kernel.EACH * leg : kernel.POINTS + kernel.EACH * (leg + 1)].reshape(4, 3)[-1]
        stretched = np.linalg.norm(end - arm) - DRAWING.bar_length
        stiffness = 2.0 * DRAWING.bars.youngs_modulus * DRAWING.bar_width**2 / DRAWING.bar_length
        u, below = loads.motion.u[0, leg], p[kernel.SHORT] + 0.5 * p[kernel.PAIR]
        pull = float(loads.force[0, leg] @ u) - DRAWING.gravity * below * u[2]
        assert stretched * stiffness == pytest.approx(pull, abs=0.05), leg


def test_bars_thirty_times_as_stiff_leave_the_platform_where_rigid_ones_do():
    """With steps that follow them. What they give way by under some ten newtons is nanometres."""
    _, found = followed(STIFF, 0.8)
    _, wanted = followed(replace(STIFF, bars=Bars()), 0.8, rigid.PLACE)
    assert np.abs(found - wanted)[500:].max() < 2e-6


def test_bars_that_a_step_cannot_follow_are_refused():
    with pytest.raises(ValueError, match=r"bars: a step of 5 us cannot follow what vibrates with .* rad/s, damped by 0\.0001 s"):
        replace(DRAWING, bars=Bars(form="lumped", damping=1e-4))
