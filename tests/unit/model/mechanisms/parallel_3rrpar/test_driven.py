"""The rigid 3-RRPaR mechanism led along its path by samples: the path's time, energy from rest, where it hangs, what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.errors import InconsistentStart, ModelError
from model.integrators import dop853
from model.mechanisms import parallel_3rrpar
from model.mechanisms.parallel_3rrpar import Config, driven
from model.mechanisms.parallel_3rrpar import ideal as parallel_3rrpar_ideal
from model.mechanisms.parallel_3rrpar.config import Contact
from model.mechanisms.parallel_3rrpar.stepper import energy_of, stepper
from model.paths import trajectory_1

Floats = NDArray[np.float64]
PATH = trajectory_1.Config(blend="off").create()
RATE, LASTING = 10e3, 0.6
R1, R3 = 15, 16


def ramped(way: float, time: float) -> Floats:
    """s from 0 to `way` in `time` (s), three derivatives continuous, and a little more."""
    x = np.clip(np.arange(round(1.1 * time * RATE)) / (time * RATE), 0.0, 1.0)
    return np.asarray(way * x**4 * (35.0 - x * (84.0 - x * (70.0 - 20.0 * x))))


@pytest.mark.parametrize("clearances", [(1e-4, 1e-4), (0.0, 2e-4)])
def test_brought_up_from_rest_the_energy_is_what_the_drives_have_given(clearances: tuple[float, float]) -> None:
    one, three = clearances
    config = Config(clearance_r1=one, clearance_r3=three, friction=0.0, contact=Contact(restitution=1.0))
    moving: Any = stepper(config, dop853.Config(tolerance=1e-9), RATE, PATH, LASTING, work=True, driven=True)
    samples, p = ramped(0.4, 0.3), moving._motion.parameters
    moving.start(samples[: moving.lookahead])
    lost, levels = [], []
    for first in range(moving.lookahead, len(samples), 10):
        tips = [driven.tip(leg, moving.time, p, moving._window) for leg in range(3)]
        levels.append(energy_of(config, p, tips, moving.state, moving._s))
        lost.append(float(moving.state[-1]) - levels[-1])
        moving.advance(samples[first : first + 10])
    assert np.ptp(levels) > 0.5
    assert np.ptp(lost) < 1e-5 * np.ptp(levels)


@pytest.mark.parametrize("clearance", [1e-4, 1e-3])
def test_at_rest_the_pins_press_as_those_of_ideal_joints_do(clearance: float) -> None:
    config = Config(clearance=clearance)
    moving = config.create(dop853.Config(), RATE, "command", path=PATH, lasting=LASTING)
    moving.start(np.full(moving.lookahead, 0.25))
    values = moving.advance(np.full(200, 0.25))
    still = np.zeros((1, 3))
    wanted = parallel_3rrpar_ideal.loads(config, PATH.evaluate(np.array([0.25]))[0], still, still)
    assert values[-1, [R1, R3]] == pytest.approx(wanted.radial[0], rel=40.0 * clearance)  # which moves the bars a little
    assert np.abs(values[:, 6:9]).max() < 1e-4
    assert moving.events == []


def test_without_gravity_it_begins_with_the_pins_in_the_middle() -> None:
    moving = Config(gravity=0.0).create(dop853.Config(), RATE, "command", path=PATH, lasting=LASTING)
    moving.start(np.full(moving.lookahead, 0.25))
    values = moving.advance(np.full(50, 0.25))
    assert np.abs(values[:, 15:]).max() < 1e-12
    assert values[:, :3] == pytest.approx(np.tile(PATH.evaluate(np.array([0.25]))[0], (50, 1)), abs=1e-12)


@pytest.mark.parametrize("clearance", [0.0, 1e-4])
def test_its_arms_follow_the_drives_setpoints_at_any_pace(clearance: float) -> None:
    config = replace(Config(), clearance=clearance)
    samples = ramped(0.5, 0.2)
    moving = config.create(dop853.Config(tolerance=1e-5), RATE, "command", path=PATH, lasting=LASTING)
    moving.start(samples[: moving.lookahead])
    values = moving.advance_with_extremes(samples[moving.lookahead :])[0]
    setpoints, _ = config.setpoints(samples[: len(values)], PATH)
    assert np.unwrap(values[:, 9:12], axis=0) == pytest.approx(setpoints, abs=1e-7)


def test_what_cannot_lead_it_is_refused_in_words() -> None:
    with pytest.raises(ModelError, match="its drives follow a path, and there is none"):
        Config().setpoints(np.zeros(3))
    with pytest.raises(ModelError, match="unknown input 'crank_angle' of the 3-RRPaR; expected one of command"):
        Config().create(dop853.Config(), RATE, "crank_angle", path=PATH, lasting=LASTING)
    moving = Config().create(dop853.Config(), RATE, "command", path=PATH, lasting=LASTING)
    with pytest.raises(ModelError, match=r"input sample 0: expected the path's time, 0 to 0\.6 s, got -0\.1 s"):
        moving.start(np.full(moving.lookahead, -0.1))
    moving.start(np.zeros(moving.lookahead))
    with pytest.raises(ModelError, match=rf"input sample {moving.lookahead + 2}: expected the path's time, 0 to 0\.6 s, got 0\.7 s"):
        moving.advance(np.array([0.0, 0.0, 0.7]))
    ideal = parallel_3rrpar.Config(clearance=0.0).create(dop853.Config(), RATE, "command", path=PATH, lasting=LASTING)
    with pytest.raises(InconsistentStart, match="expected the first 4 input samples"):
        ideal.start(np.zeros(1))
