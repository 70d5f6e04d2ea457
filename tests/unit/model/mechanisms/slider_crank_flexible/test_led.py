"""The flexible slider-crank led by samples of its crank's angle: three methods agree, a stiff rod is a rigid one, it rests bent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.errors import InconsistentStart, ModelError
from model.integrators import dop853, generalized_alpha, leapfrog
from model.integrators.method import Integrator
from model.mechanisms import slider_crank
from model.mechanisms.slider_crank_flexible import Config
from model.mechanisms.slider_crank_flexible.config import Rod
from tests.unit.model.mechanisms.driven_cases import ramp

Floats = NDArray[np.float64]
RATE, TIME = 50e3, 0.04
POSITION, TORQUE, ACCELERATION = 2, 1, 7
EXACT = dop853.Config(tolerance=1e-9, longest_step=1e-4)
SAMPLES = 0.4 + 3.0 * ramp(np.arange(round(TIME * RATE)) / (TIME * RATE))


def moved(config: slider_crank.Config, integrator: Integrator, samples: Floats = SAMPLES) -> Floats:
    stepper: Any = config.create(integrator, RATE, "crank_angle")
    stepper.start(samples[: stepper.lookahead])
    return np.asarray(stepper.advance(samples[stepper.lookahead :]))


@pytest.mark.parametrize("method", [leapfrog.Config(step=2e-6), generalized_alpha.Config(step=1e-5, tolerance=1e-9)])
def test_methods_agree_with_the_adaptive_one(method: Integrator) -> None:
    """With ideal joints, so that no impact parts them; the crank turns through 3 rad from rest and back to rest within 40 ms."""
    config = Config(clearance=0.0, guide_clearance=0.0, rod=Rod(elements=1, damping=2e-6))
    wanted, found = moved(config, EXACT), moved(config, method)
    count = min(len(wanted), len(found))
    for column, share in ((POSITION, 1e-6), (TORQUE, 5e-3), (ACCELERATION, 5e-3)):
        away = np.abs(found[:count, column] - wanted[:count, column]).max()
        assert away < share * np.abs(wanted[:, column]).max(), column


def test_a_stiff_rod_moves_as_a_rigid_one_does() -> None:
    """By the rigid mechanism's own equations. EA = 1.8 GN: some hundred newtons stretch the rod by ten nanometres."""
    rod = Rod(elements=1, youngs_modulus=8e12, damping=5e-8)
    body = slider_crank.config.Rod(length=rod.length, mass=rod.mass, inertia=rod.inertia, centre=rod.centre)
    wanted = moved(slider_crank.Config(clearance=0.0, guide_clearance=0.0, rod=body), EXACT)
    found = moved(Config(clearance=0.0, guide_clearance=0.0, rod=rod), dop853.Config(tolerance=1e-7, longest_step=1e-4))
    count = min(len(wanted), len(found))
    assert np.abs(found[:count, POSITION] - wanted[:count, POSITION]).max() < 5e-8
    assert np.abs(found[:count, TORQUE] - wanted[:count, TORQUE]).max() < 1e-3 * np.abs(wanted[:, TORQUE]).max()


def test_at_rest_under_gravity_the_crank_holds_the_weights() -> None:
    """Virtual work of crank, rod and slider along the crank's angle; the rod's sag changes their heights by less than a micrometre."""
    config = Config(clearance=0.0, guide_clearance=0.0, gravity=9.81, rod=Rod(elements=2, youngs_modulus=2e9))
    found = moved(config, leapfrog.Config(step=2e-6), np.full(100, 0.7))
    lever = config.crank.length * math.cos(0.7)
    wanted = 9.81 * lever * (0.5 * config.crank.mass + 0.5 * config.rod.mass)
    assert found[:, TORQUE] == pytest.approx(np.full(len(found), wanted), rel=1e-4)
    assert np.abs(found[:, ACCELERATION]).max() < 1e-3


def test_a_joint_between_crank_and_rod_stays_closed_through_noisy_samples() -> None:
    """Corners of the samples' cubics would part node and pin little by little; an encoder's noise, smoothed, makes them."""
    noise = 1e-6 * np.random.default_rng(3).standard_normal(len(SAMPLES))
    config = Config(clearance=0.0, guide_clearance=0.0, rod=Rod(elements=1, damping=2e-6))
    stepper: Any = config.create(leapfrog.Config(step=2e-6), RATE, "crank_angle")
    samples = SAMPLES + noise
    stepper.start(samples[: stepper.lookahead])
    out = stepper.advance(samples[stepper.lookahead :])
    pin = config.crank.length * np.array([math.cos(out[-1, 0]), math.sin(out[-1, 0])])
    assert np.abs(stepper.state[:2] - pin).max() < 1e-6


def test_samples_that_cannot_lead_it_are_refused() -> None:
    config = Config(rod=Rod(elements=1))
    with pytest.raises(ModelError, match="unknown input 'stroke' of the flexible slider-crank; expected one of command, crank_angle"):
        config.create(EXACT, RATE, "stroke")
    for method in (EXACT, leapfrog.Config(step=2e-6)):
        with pytest.raises(InconsistentStart, match="expected the first"):
            config.create(method, RATE, "command").start(np.zeros(2))
