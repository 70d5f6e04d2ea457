"""A pseudo-dynamic test as it is known beforehand: its steps, its bounds, what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rig.config import load
from rig.errors import ConfigError
from rig.hybrid.ground import Ground
from rig.trajectory import create, program
from rig.trajectory.faults import faults
from rig.trajectory.pseudo_dynamic import Config

EXPERIMENT = Path(__file__).parents[4] / "configs/experiments/pseudo_dynamic.toml"
TEST = Config(mass=120e3, stiffness=19.6e6, step=0.02, steps=50, initial_displacement=1e-3, ramp=0.1, hold=0.2)


def test_it_keeps_its_bounds_begins_and_ends_at_zero_and_counts_its_steps() -> None:
    trajectory = create(TEST)
    t = np.arange(-100, math.ceil(trajectory.duration * 1e4) + 100) / 1e4
    value, phase, cycle = trajectory.evaluate(t)
    low, high, fastest = trajectory.bounds()
    assert (value[0], value[-1]) == (0.0, 0.0)
    assert value.min() >= low
    assert value.max() <= high == pytest.approx(1e-3, rel=0.01)  # targets lie beside displacements by beta h^2 a
    assert 0.999 * fastest < np.max(np.abs(np.diff(value))) * 1e4 <= fastest * (1.0 + 1e-9)
    assert np.all(phase == 0.0)
    assert sorted(set(cycle)) == [-1.0, *map(float, range(51))]
    assert trajectory.cycles == 51
    assert trajectory.duration == pytest.approx(1.0 + 0.2 + 50 * 0.3 + 1.0)


def test_every_step_goes_to_its_level_and_stands_there() -> None:
    trajectory = TEST.create()
    ends = 1.2 + 0.3 * np.arange(51) - 1e-4
    assert np.array_equal(trajectory.evaluate(ends)[0], trajectory.levels[1:-1])
    assert np.array_equal(trajectory.evaluate(ends - 0.19)[0], trajectory.levels[1:-1])


def test_each_value_stands_by_itself() -> None:
    trajectory = create(TEST)
    t = np.sort(np.random.default_rng(1).uniform(-1.0, trajectory.duration + 1.0, 200))
    alone = np.concatenate([trajectory.evaluate(t[i : i + 1])[0] for i in range(len(t))])
    assert np.array_equal(alone, trajectory.evaluate(t)[0])


def test_the_ground_pushes_the_mass_the_other_way(tmp_path: Path) -> None:
    file = tmp_path / "quake.csv"
    file.write_text("time[s],ground[g]\n" + "".join(f"{n * 0.01:.2f},{0.02 if n < 3 else 0.0}\n" for n in range(6)))
    ground = Ground(str(file), "ground", scale=2.0)
    loads = replace(TEST, ground=ground).loads()
    assert loads[0] == pytest.approx(-120e3 * 2.0 * 0.02 * 9.80665)
    assert loads[1] == pytest.approx(loads[0])
    assert np.all(loads[3:] == 0.0)
    assert create(replace(TEST, ground=ground, initial_displacement=0.0)).bounds()[0] < 0.0


BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"scheme": "central_difference", "step": 0.16}, "step", "is stable below 0.149"),
    ({"scheme": "fourth_order", "step": 0.18}, "step", "is stable below 0.178"),
    ({"correct": False, "steps": 500}, "undershoot", "set correct = true"),
    ({"undershoot": 0.1}, "undershoot", "miss"),
    ({"ground": Ground("nowhere.csv", "a")}, "file", "no such file"),
]


@pytest.mark.parametrize(("changes", "key", "word"), BAD, ids=[word for _, _, word in BAD])
def test_what_would_not_stay_stable_is_refused(changes: dict[str, Any], key: str, word: str) -> None:
    found = list(faults(replace(TEST, **{"steps": 250, **changes}), "m", 1e4))
    assert [(keys[-1], word in text) for keys, text in found] == [(key, True)], found


def test_the_limits_that_are_stated_can_be_run() -> None:
    assert list(faults(replace(TEST, scheme="average_acceleration", step=0.45, undershoot=0.0), "m", 1e4)) == []
    assert list(faults(TEST, "m", 1e4)) == []


def test_it_is_no_segment_of_a_program() -> None:
    found = list(faults(program.Config(segments=(TEST,)), "m", 1e4))
    assert found[0][0] == ("segments", 0)
    assert "a test by itself" in found[0][1]


def test_a_ground_that_is_no_acceleration_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "quake.csv"
    file.write_text("time[s],ground[mm]\n0,1\n0.01,2\n0.02,1\n")
    assert "expected an acceleration" in next(iter(faults(replace(TEST, ground=Ground(str(file), "ground")), "m", 1e4)))[1]


WRONG = [
    ("command.mode=force, command.value_limit=1 kN, command.rate_limit=1 kN/s", "command.mode", "commands displacements"),
    ("trajectory.hold=65 ms", "trajectory.hold", "expected at least 0.085 s"),
    ("trajectory.hold=35 ms", "trajectory", "expected more than settle + average"),
    ("trajectory.step=0.2 s", "trajectory.step", "is stable below"),
    ("trajectory.initial_displacement=5 mm", "trajectory", "passes"),
    ('control={kind="amplitude"}', "control", "outer loop itself"),
]


@pytest.mark.parametrize(("override", "key", "word"), WRONG, ids=[word for _, _, word in WRONG])
def test_what_does_not_fit_the_experiment_is_bad_input(override: str, key: str, word: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(EXPERIMENT, override.split(", "))
    assert any(key in line and word in line for line in raised.value.problems), raised.value.problems
