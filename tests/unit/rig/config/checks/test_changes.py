"""A change while a test runs: what can be changed, and what would pass a bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig import config
from rig.config.checks.changes import Accepted, Changes, accepted
from rig.config.resumption import Resumption
from rig.errors import ConfigError
from rig.trajectory.naming import TrajectorySettings
from rig.trajectory.program import Config as Program
from rig.trajectory.ramp import Config as Ramp
from rig.trajectory.sine import Config as Sine
from tests.each_row import each_row

EXPERIMENTS = Path(__file__).parents[5] / "configs/experiments"


def ask(name: str, key: str, text: str, *overrides: str) -> float:
    """The value that is accepted, SI. Raises ConfigError."""
    setup = config.load(EXPERIMENTS / name, list(overrides))
    trajectory = setup.experiment.trajectory
    assert isinstance(trajectory, TrajectorySettings)
    return accepted(setup.experiment, setup.bench, Changes(trajectory, trajectory), key, text).value


@pytest.mark.parametrize(("key", "text", "value"), [
    ("trajectory.amplitude", "9 kN", 9e3), ("trajectory.mean", "-500 N", -500.0), ("trajectory.frequency", "2.5 Hz", 2.5),
])  # fmt: skip
def test_what_stays_within_its_bounds_is_taken(key: str, text: str, value: float) -> None:
    assert ask("linkage.toml", key, text) == value


def test_what_is_amplitude_controlled_takes_another_aim() -> None:
    assert ask("linkage_amplitude.toml", "trajectory.amplitude", "25 kN") == 25e3
    assert ask("linkage_amplitude.toml", "trajectory.frequency", "5 Hz") == 5.0


def test_what_turns_takes_another_speed() -> None:
    assert ask("slider_crank_rig.toml", "trajectory.speed", "5 rad/s") == 5.0


@each_row(("name", "key", "text", "said"), [
    ("linkage.toml", "trajectory.amplitude", "900 kN", "the command may go"),
    ("linkage.toml", "trajectory.mean", "300 kN", "the command may go"),
    ("linkage.toml", "trajectory.frequency", "500 Hz", "allowed"),
    ("linkage.toml", "trajectory.amplitude", "9 mm", "expected a force"),
    ("linkage.toml", "trajectory.amplitude", "0 N", "expected more than 0"),
    ("linkage.toml", "trajectory.cycles", "3", "expected trajectory.amplitude"),
    ("linkage.toml", "mechanism.clearance", "1 mm", "expected trajectory.amplitude"),
    ("linkage_amplitude.toml", "trajectory.frequency", "40 Hz", "what a cycle of 0.025 s teaches must act within the next"),
    ("linkage_amplitude.toml", "trajectory.amplitude", "900 kN", "the command may go"),
    ("linkage_amplitude.toml", "trajectory.cycles", "3", "expected trajectory.amplitude"),
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
    changes = accepted(setup.experiment, setup.bench, changes, "trajectory.frequency", "4 Hz").changes
    changes = accepted(setup.experiment, setup.bench, changes, "trajectory.amplitude", "9 kN").changes
    assert (changes.value("frequency"), changes.value("amplitude")) == (4.0, 9e3)
    with pytest.raises(ConfigError, match="it moves at up to"):
        accepted(setup.experiment, setup.bench, changes, "trajectory.frequency", "500 Hz")


SHAPES = "wave_shapes.toml"  # 15 kN about which each block goes by 5 kN, at most 25 kN and 600 kN/s


def ask_block(key: str, text: str, running: str = "", *overrides: str) -> Accepted:
    setup = config.load(EXPERIMENTS / SHAPES, list(overrides))
    trajectory = setup.experiment.trajectory
    assert isinstance(trajectory, TrajectorySettings)
    return accepted(setup.experiment, setup.bench, Changes(trajectory, trajectory), key, text, running)


def test_of_a_program_the_block_that_runs_is_changed() -> None:
    one = ask_block("trajectory.amplitude", "4 kN", "segments.1.segments.1")
    assert (one.key, one.value) == ("segments.1.segments.1.amplitude", 4e3)
    assert one.words == "trajectory.segments.shapes.segments.square.amplitude"


@pytest.mark.parametrize("words", ["segments.shapes.segments.haversine", "segments.1.segments.3", "segments.shapes.segments.3"])
def test_a_block_is_called_by_its_names_or_numbers(words: str) -> None:
    one = ask_block(f"trajectory.{words}.frequency", "2 Hz", "segments.0")
    assert (one.key, one.value) == ("segments.1.segments.3.frequency", 2.0)
    assert one.changes.value(one.key) == 2.0 and one.changes.value("segments.1.segments.0.frequency") == 4.0


@each_row(("key", "text", "running", "said"), [
    ("trajectory.amplitude", "4 kN", "segments.0", "trajectory.segments.to the mean, a ramp"),
    ("trajectory.amplitude", "4 kN", "", "of a program one block is changed"),
    ("trajectory.segments.shapes.amplitude", "4 kN", "", "trajectory.segments.shapes.segments.triangle.(amplitude|mean|frequency)"),
    ("trajectory.segments.sine.amplitude", "4 kN", "", "no block is called 'sine'; there are to the mean, shapes, unload"),
    ("trajectory.segments.unload.segments.x.amplitude", "4 kN", "", "has no blocks inside it"),
    ("trajectory.shapes.amplitude", "4 kN", "", "expected segments.NAME"),
    ("trajectory.segments.shapes.segments.square.rate", "4 kN", "", "expected trajectory.segments.shapes.segments.square.amplitude"),
    ("trajectory.segments.shapes.segments.square.amplitude", "11 kN", "", "it reaches 4..26 kN"),
    ("trajectory.segments.shapes.segments.triangle.frequency", "31 Hz", "", "it moves at up to 620 kN/s, allowed 600 kN/s"),
    ("trajectory.segments.shapes.segments.square.frequency", "30 Hz", "", "is too short for a smooth flank"),
    ("trajectory.segments.shapes.segments.square.mean", "16 kN", "", "begins at 16000, but the segment before it ends at 15000"),
])  # fmt: skip
def test_what_a_block_cannot_be_is_refused_in_words(key: str, text: str, running: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        ask_block(key, text, running)
    assert said in str(refused.value)


def test_a_ramp_beside_a_block_goes_with_it() -> None:
    one = ask_block("trajectory.segments.shapes.segments.haversine.mean", "13 kN")
    assert isinstance(one.changes.now, Program)
    shapes = one.changes.now.segments[1]
    assert isinstance(shapes, Program)
    _, _, down, haversine, up = shapes.segments
    assert isinstance(down, Ramp) and isinstance(up, Ramp)
    assert (down.start, down.end, up.start, up.end) == (15e3, 8e3, 8e3, 15e3) and "mean=13000.0" in str(haversine)


def test_a_ramp_that_would_be_too_fast_with_its_block_is_refused() -> None:
    """From 15 kN to 5 - 20 kN within 0.1 s, by half a cosine: pi/2 * 30 kN / 0.1 s; and 1.5 * 25 kN / 1000 s."""
    setup = "trajectory.segments.shapes.segments.haversine.mean"
    with pytest.raises(ConfigError, match=r"it moves at up to 471\.276 kN/s"):
        ask_block(setup, "-10 kN", "", "command.rate_limit=450 kN/s", "trajectory.segments.shapes.segments.square.rate=400 kN/s",
                  "change.time=1000 s")  # fmt: skip


def test_a_changed_session_is_reckoned_from_what_was_changed() -> None:
    setup = config.load(EXPERIMENTS / "linkage.toml", [])
    trajectory = setup.experiment.trajectory
    assert isinstance(trajectory, Sine)
    resumption = Resumption(2, 3, 1, 0, 0, pace=2.0, changes={"amplitude": 9e3})
    again = Changes.of(trajectory, resumption, paced=False)
    assert (again.value("amplitude"), again.value("frequency")) == (9e3, 2.0 * trajectory.frequency)
    assert Changes.of(trajectory, resumption, paced=True).value("frequency") == trajectory.frequency, "part of it is the null pacing's"
    assert Changes.of(trajectory, None, paced=False).value("amplitude") == trajectory.amplitude
