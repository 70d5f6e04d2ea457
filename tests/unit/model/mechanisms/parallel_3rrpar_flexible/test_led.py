"""The flexible 3-RRPaR led along its path by samples: the path's time at another pace, the power of its drives, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from model.errors import InconsistentStart, ModelError
from model.integrators import dop853, generalized_alpha
from model.mechanisms import parallel_3rrpar
from model.mechanisms.parallel_3rrpar_flexible import Config
from model.mechanisms.parallel_3rrpar_flexible.config import Bars
from model.paths import trajectory_1
from model.paths.course import Course
from model.stepping.contract import Stepper
from tests.unit.model.mechanisms.driven_cases import ramp

Floats = NDArray[np.float64]
RATE, LASTING = 5e3, 1.0
PLACES, FORCES = slice(0, 3), slice(12, 17)


def path(frequency: float, blend: str = "off") -> Course:
    return trajectory_1.Config(frequency=frequency, blend=blend).create()


def create(config: Config, along: Course, source: str = "command", tolerance: float = 1e-8) -> Stepper:
    return config.create(generalized_alpha.Config(step=1.0 / RATE, tolerance=tolerance), RATE, source, path=along, lasting=LASTING)


def moved(stepper: Stepper, samples: Floats) -> Floats:
    stepper.start(samples[: stepper.lookahead])
    return stepper.advance(samples[stepper.lookahead :])


@pytest.mark.parametrize("formulation", ["reduced", "elastic_line"])
def test_a_path_gone_along_at_twice_the_pace_is_the_path_of_twice_the_frequency(formulation: str) -> None:
    """Moving from the start on, so that the arms' speeds and accelerations count, strained bars and pressed pins at the start too."""
    config = Config(bars=Bars(formulation=formulation, elements=2))
    led = moved(create(config, path(0.75)), 2.0 * np.arange(2000) / RATE)
    own = create(config, path(1.5), "")
    own.start(np.zeros(1))
    wanted = own.advance(np.zeros(len(led)))
    assert np.abs(led - wanted)[:, PLACES].max() < 1e-10
    assert np.abs(led - wanted)[:, FORCES].max() < 1e-5


@pytest.mark.parametrize("formulation", ["reduced", "elastic_line"])
def test_at_rest_it_hangs_in_its_pins_and_nothing_moves(formulation: str) -> None:
    """All the weight but the arms' and the near short bars' hangs on the three arms' tips: R1 and R3 carry no less than the platform's."""
    config = Config(bars=Bars(formulation=formulation, elements=2))
    found = moved(create(config, path(1.5)), np.full(500, 0.25))
    assert np.ptp(found[:, PLACES], axis=0).max() < 1e-9
    assert np.abs(found[:, 6:9]).max() < 1e-3
    gaps = np.hypot(found[:, 17], found[:, 19]), np.hypot(found[:, 20], found[:, 22])
    assert all(config.clearance < gap.min() and gap.max() < 1.01 * config.clearance for gap in gaps)


def test_bars_thirty_times_as_stiff_move_as_rigid_ones_do() -> None:
    """By the rigid mechanism's own equations, explicit steps and start."""
    samples = 0.3 * ramp(np.arange(3000) / RATE / 0.5)
    stiff = Bars(formulation="reduced", youngs_modulus=30.0 * 116e9, damping=2e-6)
    rigid = parallel_3rrpar.Config().create(dop853.Config(tolerance=1e-7), RATE, "command", path=path(1.5, "on"), lasting=LASTING)
    wanted = moved(rigid, samples)
    found = moved(create(Config(bars=stiff), path(1.5, "on"), tolerance=1e-6), samples)[: len(wanted)]
    assert np.abs(found - wanted)[:, PLACES].max() < 2e-7
    assert np.abs(found - wanted)[:, 12:15].max() < 0.02 * np.abs(wanted[:, 12:15]).max()


def test_what_it_cannot_follow_is_refused() -> None:
    config = Config(bars=Bars(formulation="reduced"))
    one_way = replace(config, coupling="one_way", bars=Bars(elements=1))
    with pytest.raises(ModelError, match=r"mechanism\.coupling: one_way moves in the path's own time alone; expected together"):
        create(one_way, path(1.5))
    stepper = create(config, path(1.5))
    with pytest.raises(ModelError, match=r"input sample 2: expected the path's time, 0 to 1 s, got 1\.5 s"):
        stepper.start(np.array([0.0, 0.0, 1.5, 0.0]))
    with pytest.raises(InconsistentStart, match="expected the first 4 input samples, all finite; got 3"):
        stepper.start(np.zeros(3))
    stepper.start(np.zeros(stepper.lookahead))
    with pytest.raises(ModelError, match="input sample 5: expected the path's time"):
        stepper.advance(np.array([0.0, 2.0]))
    with pytest.raises(ModelError, match="input sample 4 is not finite"):
        stepper.advance(np.array([np.nan]))
