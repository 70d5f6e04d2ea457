"""A specimen that is loose or has parted is told; one with play, bouncing, is not."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.checks.specimen import Gone, SpecimenCheck
from rig.config.experiment import Specimen
from tests.each_row import each_row

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


def carries(share: float, then: float = 0.0, command: float = 10e3, stroke_speed: float = 0.0, expected: Specimen = EXPECTED) -> list[Gone]:
    """A constant command, of which the specimen answers `share` for a tenth of a second, then `then`."""
    n = 20_000
    force = np.full(n, then * command)
    force[:1000] = share * command
    stroke = np.concatenate([np.zeros(1000), stroke_speed * np.arange(n - 1000) / RATE])
    return told(np.full(n, command), force, stroke, expected=expected)


@each_row("command", [10e3, -10e3])
@each_row(("share", "broke"), [(1.0, True), (0.51, True), (0.5, True), (0.49, False), (0.21, False), (0.0, False)])
def test_a_specimen_has_broken_where_it_had_carried_half_of_the_command(command: float, share: float, broke: bool) -> None:
    """One that never carried as much is loose: the message sends its reader to the grips, not to the pieces."""
    (gone,) = carries(share, command=command)
    assert gone.name == ("specimen broke" if broke else "slack")
    if broke:
        assert gone.text.startswith(f"the force fell from {10.0 * share:.2f} kN to {0.0 * share:.2f} kN while 10.00 kN are commanded")
    else:
        assert gone.text.endswith("; is the specimen gripped?")


@pytest.mark.parametrize("command", [10e3, -10e3])
def test_a_fifth_of_the_command_is_an_answer_and_less_is_none(command: float) -> None:
    assert carries(0.21, 0.21, command) == carries(0.2, 0.2, command) == []
    assert [gone.name for gone in carries(0.21, 0.19, command)] == ["slack"]
    assert [gone.name for gone in carries(-1.0, -1.0, command)] == ["slack"], "on the other side is no answer either"


def test_it_is_told_when_either_the_time_is_up_or_the_stroke_has_gone_too_far() -> None:
    (by_time,) = carries(1.0, stroke_speed=3.9e-3)  # 1.95 mm in half a second
    (by_way,) = carries(1.0, stroke_speed=-4.1e-3)
    (longer,) = carries(1.0, expected=Specimen(patience=1.0))
    assert by_time.sample == 1000 + 5010, "a window beyond the half second"
    assert by_way.sample == 1000 + 10 * math.ceil(2e-3 / 4.1e-3 / 1e-3), "the first window whose mean is 2 mm on"
    assert longer.sample == 1000 + 10_010
    assert by_way.text.endswith("and the stroke went 2.00 mm in 488 ms")


def test_the_whole_play_is_no_more_than_the_play() -> None:
    """A stroke that stays at just `travel` is not beyond it: what is told, later, is the time."""
    travel = 2.0**-9  # m, whose means are exact
    stroke = np.where(np.arange(20_000) < 1000, 0.0, travel)
    (gone,) = told(np.full(20_000, 10e3), np.zeros(20_000), stroke, expected=Specimen(travel=travel))
    assert gone.sample == 10 + 5010


def test_a_command_that_changes_sides_begins_anew() -> None:
    """What it carried in tension says nothing of compression, nor does the time that was waited."""
    command = np.concatenate([np.full(1000, 10e3), np.full(4000, 10e3), np.full(10_000, -10e3)])
    force = np.concatenate([np.full(1000, 10e3), np.zeros(14_000)])
    (gone,) = told(command, force, np.zeros(15_000))
    assert (gone.name, gone.sample) == ("slack", 5000 + 5020), "the window that sees the change tells nothing"
    between = np.concatenate([np.full(5000, 10e3), np.full(100, 0.5e3), np.full(4900, 10e3)])
    assert told(between, np.zeros(10_000), np.zeros(10_000)) == [], "nor does the time before a small command"


def test_the_least_command_is_one() -> None:
    least = np.full(20_000, EXPECTED.least)
    assert [gone.name for gone in told(least, np.zeros(20_000), np.zeros(20_000))] == ["slack"]


def test_the_force_it_had_carried_is_the_largest() -> None:
    command, force = np.full(20_000, 10e3), np.zeros(20_000)
    force[:500], force[500:1000] = 9e3, 2.5e3
    (gone,) = told(command, force, np.zeros(20_000))
    assert (gone.name, gone.text[:32]) == ("specimen broke", "the force fell from 9.00 kN to 0")


@pytest.mark.parametrize(("left", "said"), [(0.1, "to 1.00 kN"), (-0.1, "to -1.00 kN")])
def test_what_is_left_of_the_force_is_told(left: float, said: str) -> None:
    (gone,) = carries(1.0, left)
    assert (gone.name, gone.text[:39]) == ("specimen broke", f"the force fell from 10.00 kN {said}"[:39])


def test_means_are_of_a_millisecond_and_of_what_is_left_at_the_end_of_a_block() -> None:
    """Noise of the force is none of the specimen's: its mean stays."""
    command = np.full(20_000, 10e3)
    force = 3e3 + 9e3 * (-1.0) ** np.arange(20_000)
    assert told(command, force, np.zeros(20_000), size=96) == []


def test_at_a_rate_below_a_sample_a_millisecond_each_sample_counts() -> None:
    """400 Hz: half a second without an answer is over at the 201st sample of it."""
    command = np.full(1000, 10e3)
    gone = SpecimenCheck(EXPECTED, 400.0).check(0, command, np.zeros(1000), np.zeros(1000))
    assert gone is not None
    assert gone.sample == 1 + 201, "the first sample only tells the side"
