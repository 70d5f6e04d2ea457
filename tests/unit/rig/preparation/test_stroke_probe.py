"""The stroke to and fro: how it goes, and what is made of a stroke that follows, or does not."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from rig.errors import BenchRefused
from rig.preparation.settings import Reading
from rig.preparation.stroke_probe import CODES, StrokeProbe
from tests.each_row import each_row
from tests.unit.rig.preparation.position_loop import AT, FAST, PROBE, STEP, Loop, through
from tests.unit.rig.preparation.stage_readings import BLOCK, STROKE_FULL_SCALE, TOUCH, reading, refused, settings


def test_it_goes_to_one_side_to_the_other_and_back() -> None:
    """160 ms at rest, at 1 mm/s, 80 ms at rest."""
    steps = np.round(np.array(through(Loop())) / STEP, 6)
    moves = steps[np.insert(np.diff(steps) != 0.0, 0, True)]
    np.testing.assert_array_equal(moves, [*range(11), *range(9, -11, -1), *range(-9, 1)])
    moving = np.flatnonzero(steps)
    assert moving[0] == 16, "the first setpoint and fifteen blocks: what the sixteenth shows is known when it is over"
    assert len(steps) - moving[-1] - 1 in (9, 10), "back, and eight blocks; a rounded sum may take a step more"


def test_it_turns_without_a_rest() -> None:
    """By steps whose sums are exact: sixteen blocks at rest, forty of motion, eight at rest."""
    step = 2.0**-17
    stage, loop = StrokeProbe(settings(stroke_probe=10 * step, speed=100 * step)), Loop(at=0.0)
    setpoint: float | None = stage.begin(loop.block(0.0))
    steps = list[float]()
    while setpoint is not None:
        steps.append(setpoint / step)
        setpoint = stage.next(loop.block(setpoint))
    assert steps == [*[0] * 16, *range(1, 11), *range(9, -11, -1), *range(-9, 1), *[0] * 8]


@pytest.mark.parametrize(
    ("gain", "passes"), [(1.0, True), (1.022, True), (0.978, True), (1.026, False), (0.974, False), (0.2, False), (3.0, False)]
)
def test_a_span_is_taken_within_the_tolerance_and_the_share_of_a_code(gain: float, passes: bool) -> None:
    """2 %, and 0.4 % that a 16-bit output makes of 0.1 mm where 10 V are 50 mm."""
    stage = StrokeProbe(settings())
    if passes:
        through(Loop(gain), stage)
        assert stage.gain == pytest.approx(gain, abs=1e-3)
        assert stage.figures() == f"stroke follows with a gain of {stage.gain:.4f}"
    else:
        said = refused("span", lambda: through(Loop(gain), stage))
        assert stage.gain == pytest.approx(gain, abs=1e-3)
        assert said.startswith(f"the stroke follows with a gain of {stage.gain:.4f}, ") and "expected 1 within 2.4 %" in said
        assert f"(it looks like {100.0 * gain:.0f} %)" in said


def test_an_inverted_stroke_is_told_by_its_sign() -> None:
    assert refused("sign", lambda: through(Loop(-1.0))).startswith("the stroke goes the other way (gain -1.000)")


@pytest.mark.parametrize(("gain", "name"), [(0.0, "valve stuck"), (0.09, "valve stuck"), (0.11, "span")])
def test_a_stroke_that_hardly_moves_is_a_stuck_valve(gain: float, name: str) -> None:
    """Less than a tenth of what was asked. It turns before it is there: by tau ln 2 of its speed, less half a step."""
    said = refused(name, lambda: through(Loop(gain)))
    if name == "valve stuck":
        found = re.match(r"the stroke moved (\S+) um when 100\.0 um were asked", said)
        assert found is not None and float(found[1]) == pytest.approx((105.0 - 1e3 / FAST * math.log(2.0)) * gain, abs=0.1)


@each_row(("fast", "within"), [(300.0, 0.005), (3000.0, 0.005), (1e6, 0.002)])
@each_row("wait", [5, 10, 15, 16])
def test_a_fast_stroke_follows_values_that_go_out_within_a_block(wait: int, fast: float, within: float) -> None:
    """What it follows at the end of a block is what is out there then."""
    stage, loop = StrokeProbe(settings()), Loop(fast=fast)
    loop.wait = wait
    through(loop, stage)
    assert stage.gain == pytest.approx(1.0, abs=within)


@pytest.mark.parametrize(("gain", "way"), [(1.0, "with"), (-1.0, "against")])
def test_what_moves_but_not_as_commanded_does_not_follow(gain: float, way: str) -> None:
    said = refused("does not follow", lambda: through(Loop(gain, noise=3e-5)))
    told = rf"the stroke moved (\S+) um for 100\.0 um, {way} the command on the whole, and not as a position loop does \(misfit (\S+)\)"
    found = re.match(told, said)
    assert found is not None
    assert 100.0 < float(found[1]) < 100.0 + 5.0 * 30.0 / 5.0**0.5, "the probe and some noise, less in a mean of five"


def test_what_was_asked_is_the_further_of_its_two_sides() -> None:
    """On the one that resists it turns earlier."""
    said = refused("does not follow", lambda: through(Loop(noise=3e-5, resists=4e-5)))
    assert " um for 100.0 um, with the command" in said


def test_a_stroke_that_runs_away_is_stopped_at_three_times_the_probe() -> None:
    for side in (1.0, -1.0):
        stage = StrokeProbe(settings(zero_within=1e-3))
        setpoint = stage.begin(reading(AT, stroke=AT, before=1.0))
        stage.next(reading(setpoint, stroke=AT + side * 2.99 * PROBE, before=1.0))
        said = refused("runaway", partial(stage.next, reading(AT, stroke=AT + side * 3.01 * PROBE, before=1.0)))
        assert said == f"the stroke went {side * 0.301:.3f} mm when 0.000 mm were asked"


@pytest.mark.parametrize(
    ("side", "way"), [(1.0, ""), (-1.0, ", against the command: command, stroke monitor or the loop's own feedback is inverted")]
)
def test_one_that_runs_away_before_its_step_was_seen_is_told_by_where_it_went(side: float, way: str) -> None:
    """The step has been sent, and what came in was measured before."""
    stage = StrokeProbe(settings())
    stage.begin(reading(AT, stroke=AT, before=1.0))
    seen = replace(reading(AT + STEP, stroke=AT + side * 3.01 * PROBE, before=1.0), command=np.full(BLOCK, AT))
    said = refused("runaway", lambda: stage.next(seen))
    assert said == f"the stroke went {side * 0.301:.3f} mm when 0.010 mm were asked{way}"


def test_one_that_runs_away_in_the_block_in_which_the_program_comes_on_is_told_as_well() -> None:
    """For a part of it nobody followed a command."""
    stage = StrokeProbe(settings())
    stage.begin(reading(AT, stroke=AT, before=1.0))
    seen = reading(AT, stroke=AT + 3.01 * PROBE, before=1.0)
    command = np.where(np.arange(BLOCK) < 7, np.nan, seen.command)
    assert "0.301 mm when 0.000 mm" in refused("runaway", lambda: stage.next(replace(seen, command=command)))


def test_the_tolerance_that_is_told_is_the_bench_files_and_the_share_of_a_code() -> None:
    """30 % and 0.38 %."""
    assert "expected 1 within 30.4 %" in refused("span", lambda: through(Loop(1.5), StrokeProbe(settings(tolerance=0.3))))


def test_one_that_runs_away_in_its_motion_is_told_by_what_was_seen_of_it() -> None:
    """A span of 500 %: it is not waited for until the motion is over."""
    stage, loop = StrokeProbe(settings()), Loop(5.0)
    setpoint: float | None = stage.begin(loop.block(AT))
    with pytest.raises(BenchRefused, match=r"span: the stroke follows with a gain of 5\.0000"):
        while setpoint is not None:
            setpoint = stage.next(loop.block(setpoint))
    assert loop.y < 4.0 * PROBE


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_it_begins_only_at_zero_stroke_and_without_force(side: float) -> None:
    StrokeProbe(settings()).begin(reading(0.0, side * TOUCH, side * 0.0999e-3, before=1.0))  # as much as is allowed
    said = refused("stroke not zeroed", lambda: StrokeProbe(settings()).begin(reading(0.0, 0.0, side * 0.1001e-3, before=1.0)))
    assert said.startswith(f"stroke reads {side * 0.1:.3f} mm at rest, allowed 0.1 mm")
    said = refused("force at rest", lambda: StrokeProbe(settings()).begin(reading(0.0, side * (TOUCH + 1.0), 0.0, before=1.0)))
    assert said.startswith(f"force reads {side * 1.001:.3f} kN at rest, allowed 1 kN")


def test_noise_at_rest_is_neither_a_stroke_off_zero_nor_a_force() -> None:
    """It begins at the mean."""
    swing = (-1.0) ** np.arange(BLOCK)
    still = reading(0.0, 0.9 * TOUCH, 0.09e-3, before=1.0)
    noisy = replace(still, force=still.force + TOUCH * swing, stroke=still.stroke + 0.1e-3 * swing)
    assert StrokeProbe(settings()).begin(noisy) == pytest.approx(0.09e-3)


def test_what_the_stroke_may_be_off_zero_is_allowed() -> None:
    most = 2.0**-13  # whose mean is exact
    assert StrokeProbe(settings(zero_within=most)).begin(reading(0.0, stroke=most, before=1.0)) == most


def test_one_that_reads_its_force_the_other_way_turns_it_round_as_well() -> None:
    loop = Loop(resists=4e-5)

    def answer(setpoint: float, count: int) -> Reading:
        block = loop.block(setpoint)
        return replace(block, force=-block.force)

    asked = through(loop, answer=answer)
    assert 4e-5 < max(asked) < PROBE and min(asked) == pytest.approx(-PROBE)


def test_one_that_goes_the_other_way_is_turned_round_where_its_specimen_resists() -> None:
    """By the way that was asked for: on the way to the other side the stroke comes upon the specimen."""
    loop, asked = Loop(-1.0, resists=4e-5), list[float]()

    def answer(setpoint: float, count: int) -> Reading:
        asked.append(setpoint - AT)
        return loop.block(setpoint)

    refused("sign", lambda: through(loop, answer=answer))
    assert max(asked) == pytest.approx(PROBE) and -PROBE < min(asked) < -4e-5


def test_a_specimen_without_play_turns_it_round_earlier() -> None:
    stage = StrokeProbe(settings())
    asked = through(Loop(resists=4e-5), stage)
    assert 4e-5 < max(asked) < PROBE
    assert min(asked) == pytest.approx(-PROBE)
    assert stage.figures().endswith(" (roughly: the specimen resists)")


@pytest.mark.parametrize("force", [800.0, -800.0])
def test_a_force_that_was_there_before_is_no_specimen_that_resists(force: float) -> None:
    """Nor is one that the motion only adds 0.4 kN to, with which it is above the 1 kN that tell contact from none."""
    stage, loop = StrokeProbe(settings()), Loop(force=force)

    def answer(setpoint: float, count: int) -> Reading:
        block = loop.block(setpoint)
        return replace(block, force=block.force + 0.5 * force * (block.stroke - AT > 4e-5))

    asked = through(loop, stage, answer)
    assert max(asked) == pytest.approx(PROBE) and stage.figures() == f"stroke follows with a gain of {stage.gain:.4f}"


def test_a_force_that_comes_at_rest_does_not_keep_it_from_moving() -> None:
    """A step to either side, on which the gain is found: at rest no side is the one that resists."""
    stage, loop = StrokeProbe(settings()), Loop()
    setpoint: float | None = stage.begin(loop.block(AT))
    loop.force, asked = 2.0 * TOUCH, list[float]()
    while setpoint is not None:
        asked.append(setpoint - AT)
        setpoint = stage.next(loop.block(setpoint))
    assert (max(asked), min(asked)) == (pytest.approx(STEP), pytest.approx(-STEP))
    assert stage.gain == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(("gain", "passes"), [(1.28, True), (0.72, True), (1.32, False), (0.68, False)])
def test_one_that_resists_may_bend_the_gain(gain: float, passes: bool) -> None:
    loop = Loop(gain, resists=4e-5)
    if passes:
        through(loop)
    else:
        refused("span", lambda: through(loop))


def test_a_guard_that_ends_it_is_explained_where_something_was_seen() -> None:
    def begun(loop: Loop) -> tuple[StrokeProbe, Reading]:
        stage = StrokeProbe(settings())
        setpoint: Any = stage.begin(loop.block(AT))
        stage.explain(loop.block(setpoint))  # nothing was asked yet
        for _ in range(20):
            setpoint = stage.next(loop.block(setpoint))
            assert setpoint is not None
        return stage, loop.block(setpoint)

    stage, last = begun(Loop(-1.0))
    refused("sign", lambda: stage.explain(last))
    good, last = begun(Loop())
    good.explain(last)


def test_a_guard_that_ends_it_at_rest_has_seen_nothing_to_explain() -> None:
    """What is out there is a part of a code off the stroke, and no motion that it could have followed."""
    stage = StrokeProbe(settings())
    stage.begin(reading(AT, stroke=AT, before=1.0))
    off = reading(AT + 0.25 * STROKE_FULL_SCALE / CODES, stroke=AT, before=1.0)
    stage.next(off)
    stage.explain(replace(off, stroke=off.stroke + 1e-6))


@pytest.mark.parametrize(("noise", "follows"), [(0.7e-5, True), (1.4e-5, False)])
def test_a_motion_follows_when_a_tenth_of_it_at_most_is_something_else(noise: float, follows: bool) -> None:
    stage = StrokeProbe(settings(tolerance=0.5))
    if follows:
        through(Loop(noise=noise), stage)
    else:
        refused("does not follow", lambda: through(Loop(noise=noise), stage))
