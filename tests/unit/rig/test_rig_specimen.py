"""A specimen that is loose or has parted is told; one with play, bouncing, is not."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.config.experiment import Specimen
from rig.specimen import Gone, SpecimenCheck

RATE = 10_000.0
EXPECTED = Specimen()


def told(command: np.ndarray, force: np.ndarray, stroke: np.ndarray, size: int = 100, expected: Specimen = EXPECTED) -> list[Gone]:
    check = SpecimenCheck(expected, RATE)
    cuts = range(0, len(command), size)
    found = [check.check(n, command[n : n + size], force[n : n + size], stroke[n : n + size]) for n in cuts]
    return [gone for gone in found if gone]


def sine(amplitude: float = 10e3, frequency: float = 3.0, duration: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    t = np.arange(round(duration * RATE)) / RATE
    return t, amplitude * np.sin(2 * np.pi * frequency * t)


@given(st.floats(0.0, 1.9), st.sampled_from([64, 100, 511]))
def test_play_is_crossed_without_a_word(play: float, size: int) -> None:
    """The force stays away after each reversal until the stroke has crossed `play` mm, then bounces for a few ms."""
    t, command = sine()
    since = (t * 6.0) % 1.0 / 6.0
    crossing = since < 0.045
    bouncing = (since > 0.050) & (since < 0.054)
    force = np.where(crossing | bouncing, 0.0, command)
    stroke = 1e-3 * play * np.where(crossing, since / 0.045, 1.0) * np.sign(command)
    assert not told(command, force, stroke, size)


@given(st.floats(0.02, 0.2), st.sampled_from([64, 100, 511]))
def test_slack_is_told_once_the_stroke_has_gone_too_far(speed: float, size: int) -> None:
    _, command = sine(frequency=0.5)
    stroke = speed * np.arange(len(command)) / RATE
    (gone,) = told(command, np.zeros(len(command)), stroke, size)
    assert gone.name == "slack"
    began = np.flatnonzero(np.abs(command) >= EXPECTED.least)[0]
    far = stroke[gone.sample] - stroke[began]
    assert EXPECTED.travel - speed * 3e-3 < far < EXPECTED.travel + speed * 3e-3


def test_slack_without_motion_is_told_by_its_time() -> None:
    command = np.full(20_000, 5e3)
    (gone,) = told(command, np.zeros(20_000), np.zeros(20_000))
    assert gone.name == "slack"
    assert abs(gone.sample / RATE - EXPECTED.patience) < 5e-3


def test_a_specimen_that_parts_under_load_has_another_name() -> None:
    _, command = sine(frequency=1.0)
    force = command.copy()
    broken = 2_000
    force[broken:] = 0.0
    stroke = np.zeros(len(command))
    stroke[broken:] = 0.05 * np.arange(len(command) - broken) / RATE
    (gone,) = told(command, force, stroke)
    assert gone.name == "specimen broke"
    assert broken < gone.sample < broken + (EXPECTED.travel / 0.05 + 5e-3) * RATE
    assert "9.5" in gone.text, "what it carried before"


def test_a_small_command_tells_nothing() -> None:
    command = np.full(20_000, 0.9 * EXPECTED.least)
    assert not told(command, np.zeros(20_000), np.linspace(0.0, 0.01, 20_000))
