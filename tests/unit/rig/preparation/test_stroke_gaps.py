"""A computer that stands still while the stroke is moved, or does not know when a value went out: what is repeated, what is believed."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from rig.preparation.settings import Reading
from rig.preparation.stroke_probe import StrokeProbe
from tests.each_row import each_row
from tests.unit.rig.preparation.position_loop import AT, PROBE, Loop, through
from tests.unit.rig.preparation.stage_readings import BLOCK, reading, refused, settings


def late(loop: Loop, stage: StrokeProbe, blocks: int = 4, sure: bool = True) -> int:
    """Decisions until it is over, of a computer that stands still once in each motion, for `blocks` blocks."""

    def answer(setpoint: float, count: int) -> Reading:
        stands = count % 30 == 12
        return loop.block(setpoint, blocks if stands else 1, sure or not stands)

    return len(through(loop, stage, answer, most=2000))


@pytest.mark.parametrize("sure", [True, False])
def test_a_motion_with_gaps_that_is_in_order_is_not_repeated(sure: bool) -> None:
    stage = StrokeProbe(settings())
    assert late(Loop(), stage, sure=sure) <= 16 + 40 + 8
    assert stage.gain == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("blocks", [3, 4])
def test_a_bench_that_is_wrong_again_and_again_is_refused_though_there_were_gaps(blocks: int) -> None:
    """The same three times, one after the other."""
    stage = StrokeProbe(settings())
    refused("span", lambda: late(Loop(1.5), stage, blocks))
    assert stage._tries == 3


def test_one_clean_motion_is_enough_to_refuse() -> None:
    stage = StrokeProbe(settings())
    refused("span", lambda: late(Loop(1.5), stage, blocks=2))
    assert stage._tries == 1, "a block late is not a gap"


def changing(gains: list[float], stage: StrokeProbe) -> None:
    """A computer that stands still once in each motion, and a gain for each of them."""
    loop = Loop()

    def answer(setpoint: float, count: int) -> Reading:
        loop.gain = gains[stage._tries - 1]
        return loop.block(setpoint, 4 if count % 30 == 12 else 1)

    through(loop, stage, answer, most=2000)


def test_what_differs_from_motion_to_motion_is_this_computers() -> None:
    stage = StrokeProbe(settings())
    said = refused("interrupted", lambda: changing([1.5, 0.5, 1.8, 0.4, 1.6], stage))
    assert said.startswith("this computer stood still in each of 5 motions to and fro, for 40 ms in the last")
    assert "(it looks like span: the stroke follows with a gain of 1.6" in said
    assert stage._tries == 5


def test_what_differs_by_less_than_a_gap_may_make_of_it_is_the_benchs() -> None:
    stage = StrokeProbe(settings())
    refused("span", lambda: changing([1.5, 1.51, 1.52], stage))
    assert stage._tries == 3


def test_values_that_went_out_at_an_unknown_time_are_gaps_as_well() -> None:
    stage = StrokeProbe(settings())
    refused("span", lambda: late(Loop(1.5), stage, blocks=1, sure=False))
    assert stage._tries == 3


@pytest.mark.parametrize("crossed", [False, True])
def test_what_was_out_there_in_such_a_gap_is_not_gone_by(crossed: bool) -> None:
    """By half the probe it is another value than what was taken for it: the loop is in order all the same, or its monitors exchanged."""
    stage, loop = StrokeProbe(settings()), Loop(crossed=crossed)

    def answer(setpoint: float, count: int) -> Reading:
        block = loop.block(setpoint, sure=count % 30 != 12)
        return block if block.sure.all() else replace(block, command=block.command + 0.5 * PROBE)

    if crossed:
        said = re.search(r"gain (\S+) in volts", refused("swapped channels", lambda: through(loop, stage, answer)))
        assert said is not None and float(said[1]) == pytest.approx(1.0, abs=0.02)
    else:
        through(loop, stage, answer)
        assert stage.gain == pytest.approx(1.0, abs=0.02) and stage._tries == 1


def test_a_block_of_which_only_a_part_went_out_when_it_was_meant_to_is_a_gap() -> None:
    stage, loop = StrokeProbe(settings()), Loop(1.5)
    half = np.arange(BLOCK) < BLOCK // 2

    def answer(setpoint: float, count: int) -> Reading:
        return loop.block(setpoint, sure=half if count % 30 == 12 else True)  # type: ignore[arg-type]

    refused("span", lambda: through(loop, stage, answer))
    assert stage._tries == 3


def test_what_is_fitted_has_a_row_for_each_block_with_its_time_in_seconds() -> None:
    """Three blocks of 10 ms that came at once are three; a fit over gaps holds what it does not know to what is likely in a second."""
    stage, block = StrokeProbe(settings()), np.repeat([1.0, 2.0, 3.0], BLOCK)
    stage.begin(reading(AT, stroke=AT, before=1.0))
    tail = np.tile(np.arange(BLOCK) >= BLOCK - 5, 3)
    command, stroke, force = (share * block + share * 0.5 * tail for share in (1e-6, 2e-6, 10.0))
    stage.next(Reading(AT, AT + command, force, AT + stroke, 5, block != 2.0))
    mean, end = np.array([1.125, 2.125, 3.125]), np.array([1.5, 2.5, 3.5])  # half of one more in a quarter
    expected = [[0.01] * 3, 1e-6 * mean, 1e-6 * end, 2e-6 * mean, 2e-6 * end, 10.0 * mean, 10.0 * end, [1.0, 0.0, 1.0]]
    np.testing.assert_allclose(np.array(stage._rows).T, expected, rtol=1e-9)


def test_it_rests_before_it_goes_again() -> None:
    """0.4 s, and what was seen in it is not judged."""
    stage, loop = StrokeProbe(settings()), Loop(1.5)
    setpoint: float | None = stage.begin(loop.block(AT))
    rests, count = 0, 0
    while setpoint is not None and stage._tries < 2:
        count += 1
        setpoint = stage.next(loop.block(setpoint, 4 if count % 30 == 12 else 1))
    while setpoint == pytest.approx(AT, abs=1e-9):
        rests += 1
        setpoint = stage.next(loop.block(setpoint))
    assert rests == 40
    assert len(stage._rows) == 8, "80 ms before the motion, as of the first one"


@each_row(
    ("gains", "agree"),
    [
        ((1.50, 1.52, 1.55), True), ((1.50, 1.52, 1.59), False), ((0.94, 0.93, 0.94), True), ((0.96, 0.93, 0.94), False),
        ((3.00, 3.10, 3.14), True), ((3.00, 3.10, 3.17), False), ((-1.0, -1.02, -1.04), True), ((1.5, 1.5), False),
        ((9.9, 1.50, 1.52, 1.55), True), ((1.50, 1.52, 1.55, 9.9), False), ((20.0, 19.5, 19.0), True),
        ((0.30, 0.32, 0.34), True), ((0.30, 0.32, 0.36), False),
    ],
)  # fmt: skip
def test_what_is_found_three_times_within_a_twentieth_is_the_benchs(gains: tuple[float, ...], agree: bool) -> None:
    """A twentieth of the gain, or of one; and it must differ from one by more than that."""
    stage = StrokeProbe(settings())
    stage._found = [("span", gain) for gain in gains]
    assert stage._agree() == agree


def test_three_findings_of_different_names_agree_in_nothing() -> None:
    stage = StrokeProbe(settings())
    stage._found = [("span", 1.5), ("span", 1.5), ("does not follow", 1.5)]
    assert not stage._agree()
