"""A change while a test runs: what can be changed, and what would pass a bound."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rig import config
from rig.config.checks.changes import Changes, accepted
from rig.errors import ConfigError
from rig.trajectory.naming import TrajectorySettings
from rig.trajectory.program import Config as Program
from rig.trajectory.sine import Config as Sine

EXPERIMENTS = Path(__file__).parents[5] / "configs/experiments"


def ask(name: str, key: str, text: str, *overrides: str) -> float:
    """The value that is accepted, SI. Raises ConfigError."""
    setup = config.load(EXPERIMENTS / name, list(overrides))
    trajectory = setup.experiment.trajectory
    assert isinstance(trajectory, TrajectorySettings)
    return accepted(setup.experiment, setup.bench, Changes(trajectory, trajectory), key, text)[1]


@pytest.mark.parametrize(("key", "text", "value"), [
    ("trajectory.amplitude", "9 kN", 9e3), ("trajectory.mean", "-500 N", -500.0), ("trajectory.frequency", "2.5 Hz", 2.5),
])  # fmt: skip
def test_what_stays_within_its_bounds_is_taken(key: str, text: str, value: float) -> None:
    assert ask("linkage.toml", key, text) == value


def test_what_turns_takes_another_speed() -> None:
    assert ask("slider_crank_rig.toml", "trajectory.speed", "5 rad/s") == 5.0


@pytest.mark.parametrize(("name", "key", "text", "said"), [
    ("linkage.toml", "trajectory.amplitude", "900 kN", "the command may go"),
    ("linkage.toml", "trajectory.mean", "300 kN", "the command may go"),
    ("linkage.toml", "trajectory.frequency", "500 Hz", "allowed"),
    ("linkage.toml", "trajectory.amplitude", "9 mm", "expected a force"),
    ("linkage.toml", "trajectory.amplitude", "0 N", "expected more than 0"),
    ("linkage.toml", "trajectory.cycles", "3", "expected trajectory.amplitude"),
    ("linkage.toml", "mechanism.clearance", "1 mm", "expected trajectory.amplitude"),
    ("linkage_amplitude.toml", "trajectory.amplitude", "9 kN", "[control]"),
    ("linkage_instron.toml", "trajectory.amplitude", "9 kN", "runs the waveform by itself"),
    ("playback.toml", "trajectory.mean", "1 kN", "constant frequency"),
    ("slider_crank_rig.toml", "trajectory.speed", "5000 rad/s", "asks for"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words(name: str, key: str, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        ask(name, key, text)
    assert key in str(refused.value) and said in str(refused.value)


def test_a_change_that_would_be_too_fast_while_it_comes_in_is_refused() -> None:
    asked = ("linkage.toml", "trajectory.amplitude", "10 kN", "trajectory.amplitude=1 kN")
    assert ask(*asked, "change.time=2 s") == 10e3
    with pytest.raises(ConfigError, match="while it comes in"):
        ask(*asked, "change.time=1 ms")


def test_one_change_after_the_other_is_reckoned_from_the_one_before() -> None:
    setup = config.load(EXPERIMENTS / "linkage.toml", [])
    trajectory = setup.experiment.trajectory
    assert isinstance(trajectory, TrajectorySettings)
    changes = Changes(trajectory, trajectory)
    changes, _ = accepted(setup.experiment, setup.bench, changes, "trajectory.frequency", "4 Hz")
    changes, _ = accepted(setup.experiment, setup.bench, changes, "trajectory.amplitude", "9 kN")
    assert (changes.value("frequency"), changes.value("amplitude")) == (4.0, 9e3)
    with pytest.raises(ConfigError, match="it moves at up to"):
        accepted(setup.experiment, setup.bench, changes, "trajectory.frequency", "500 Hz")


def test_blocks_of_a_program_are_not_changed_and_why() -> None:
    setup = config.load(EXPERIMENTS / "linkage.toml", [])
    sine = setup.experiment.trajectory
    assert isinstance(sine, Sine)
    blocks = Program(segments=(sine, sine), repeats=3)
    experiment = replace(setup.experiment, trajectory=blocks)
    with pytest.raises(ConfigError, match=r"trajectory\.amplitude: a block of a program cannot be changed while it runs"):
        accepted(experiment, setup.bench, Changes(blocks, blocks), "trajectory.amplitude", "9 kN")
