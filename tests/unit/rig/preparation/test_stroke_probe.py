"""The stroke to and fro: how it goes, and what is made of a stroke that follows, or does not.

The position loop is the one that a proportional valve makes: y' = a (G u - y), stepped exactly within each sample.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from rig.errors import BenchRefused
from rig.preparation.settings import Reading
from rig.preparation.stroke_probe import CODES, StrokeProbe
from tests.unit.rig.preparation.stage_readings import BLOCK, FORCE_FULL_SCALE, RATE, STROKE_FULL_SCALE, TOUCH, reading, refused, settings

PROBE, STEP, AT = 0.1e-3, 1e-5, 0.02e-3  # m: the probe, 1 mm/s for 10 ms, where the stroke is before
FAST = 60.0  # 1/s


class Loop:
    """A stroke behind its command; `gain` G, `crossed`: the monitors are exchanged, `resists` (m): stroke at which a specimen pushes;
    `force` (N): what the force monitor reads besides;
    `at` (m): where it is at rest; `fast` (1/s); `off` (m): what is out there beyond what was told."""

    def __init__(
        self, gain: float = 1.0, crossed: bool = False, resists: float = math.inf, noise: float = 0.0, force: float = 0.0, at: float = AT,
        fast: float = FAST, off: float = 0.0,
    ) -> None:  # fmt: skip
        self.gain, self.crossed, self.resists, self.noise, self.force, self.at = gain, crossed, resists, noise, force, at
        self.fast, self.off = fast, off
        self.y, self.dice = 0.0, np.random.default_rng(1)

    def block(self, setpoint: float, blocks: int = 1, sure: bool = True) -> Reading:
        count = blocks * BLOCK
        stroke = np.empty(count)
        for n in range(count):
            self.y += (self.gain * (setpoint + self.off - self.at) - self.y) * -math.expm1(-self.fast / RATE)
            stroke[n] = self.y
        stroke += self.noise * self.dice.standard_normal(count)
        force = np.where(stroke > self.resists, 2.0 * TOUCH, 0.0)
        if self.crossed:
            stroke, force = np.zeros(count), stroke * FORCE_FULL_SCALE / STROKE_FULL_SCALE
        return Reading(setpoint, np.full(count, setpoint), force + self.force, stroke + self.at, 5, np.full(count, sure))


def through(loop: Loop, stage: StrokeProbe | None = None) -> list[float]:
    """Every setpoint that it asks for, less where the stroke was, m."""
    stage = stage or StrokeProbe(settings())
    setpoint: float | None = stage.begin(loop.block(AT))
    asked = []
    while setpoint is not None:
        asked.append(setpoint - AT)
        assert len(asked) < 400
        setpoint = stage.next(loop.block(setpoint))
    return asked


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


@pytest.mark.parametrize(("gain", "name"), [(0.0, "valve stuck"), (0.05, "valve stuck"), (0.15, "span")])
def test_a_stroke_that_hardly_moves_is_a_stuck_valve(gain: float, name: str) -> None:
    """Less than a tenth of what was asked."""
    said = refused(name, lambda: through(Loop(gain)))
    if name == "valve stuck":
        found = re.match(r"the stroke moved (\S+) um when 100\.0 um were asked", said)
        assert found is not None and float(found[1]) == pytest.approx(100.0 * gain, abs=0.5)


@pytest.mark.parametrize("gain", [1.0, -1.0, 1.2, 0.8])
def test_exchanged_monitors_are_told_by_the_force_that_follows_the_stroke(gain: float) -> None:
    said = refused("swapped channels", lambda: through(Loop(gain, crossed=True)))
    assert f"(gain {gain:.2f} in volts)" in said


@pytest.mark.parametrize("force", [800.0, -800.0])
def test_they_are_so_whatever_the_force_monitor_reads_at_rest(force: float) -> None:
    """0.32 % of full scale, where the motion is 0.2 % of it."""
    assert "(gain 1.00 in volts)" in refused("swapped channels", lambda: through(Loop(crossed=True, force=force)))


@pytest.mark.parametrize("gain", [1.3, 0.7])
def test_a_force_that_only_resembles_the_stroke_is_none_of_its(gain: float) -> None:
    refused("valve stuck", lambda: through(Loop(gain, crossed=True)))


@pytest.mark.parametrize(("gain", "way"), [(1.0, "with"), (-1.0, "against")])
def test_what_moves_but_not_as_commanded_does_not_follow(gain: float, way: str) -> None:
    said = refused("does not follow", lambda: through(Loop(gain, noise=3e-5)))
    told = rf"the stroke moved (\S+) um for 100\.0 um, {way} the command on the whole, and not as a position loop does \(misfit (\S+)\)"
    found = re.match(told, said)
    assert found is not None
    assert 100.0 < float(found[1]) < 100.0 + 5.0 * 30.0, "the probe and some noise"


def test_what_was_asked_is_the_further_of_its_two_sides() -> None:
    """On the one that resists it turns earlier."""
    said = refused("does not follow", lambda: through(Loop(noise=3e-5, resists=4e-5)))
    assert " um for 100.0 um, with the command" in said


def test_a_stroke_that_runs_away_is_stopped_at_three_times_the_probe() -> None:
    for side in (1.0, -1.0):
        stage = StrokeProbe(settings())
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


def test_what_the_stroke_may_be_off_zero_is_allowed() -> None:
    most = 2.0**-13  # whose mean is exact
    assert StrokeProbe(settings(zero_within=most)).begin(reading(0.0, stroke=most, before=1.0)) == most


def test_one_that_reads_its_force_the_other_way_turns_it_round_as_well() -> None:
    stage, loop, asked = StrokeProbe(settings()), Loop(resists=4e-5), list[float]()
    setpoint: float | None = stage.begin(loop.block(AT))
    while setpoint is not None:
        asked.append(setpoint - AT)
        block = loop.block(setpoint)
        setpoint = stage.next(replace(block, force=-block.force))
    assert 4e-5 < max(asked) < PROBE and min(asked) == pytest.approx(-PROBE)


def test_a_specimen_without_play_turns_it_round_earlier() -> None:
    stage = StrokeProbe(settings())
    asked = through(Loop(resists=4e-5), stage)
    assert 4e-5 < max(asked) < PROBE
    assert min(asked) == pytest.approx(-PROBE)
    assert stage.figures().endswith(" (roughly: the specimen resists)")


@pytest.mark.parametrize("force", [800.0, -800.0])
def test_a_force_that_was_there_before_is_no_specimen_that_resists(force: float) -> None:
    stage = StrokeProbe(settings())
    asked = through(Loop(force=force), stage)
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
    stage, loop = StrokeProbe(settings()), Loop(-1.0)
    setpoint = stage.begin(loop.block(AT))
    stage.explain(loop.block(setpoint))  # nothing was asked yet
    for _ in range(20):
        asked = stage.next(loop.block(setpoint))
        assert asked is not None
        setpoint = asked
    refused("sign", lambda: stage.explain(loop.block(setpoint)))
    good, loop = StrokeProbe(settings()), Loop()
    setpoint = good.begin(loop.block(AT))
    for _ in range(20):
        asked = good.next(loop.block(setpoint))
        assert asked is not None
        setpoint = asked
    good.explain(loop.block(setpoint))


def test_a_guard_that_ends_it_at_rest_has_seen_nothing_to_explain() -> None:
    """What is out there is a part of a code off the stroke, and no motion that it could have followed."""
    stage = StrokeProbe(settings())
    stage.begin(reading(AT, stroke=AT, before=1.0))
    off = reading(AT + 0.25 * STROKE_FULL_SCALE / CODES, stroke=AT, before=1.0)
    stage.next(off)
    stage.explain(replace(off, stroke=off.stroke + 1e-6))


def late(loop: Loop, stage: StrokeProbe, blocks: int = 4, sure: bool = True) -> int:
    """Decisions until it is over, of a computer that stands still once in each motion, for `blocks` blocks."""
    setpoint: float | None = stage.begin(loop.block(AT))
    count = 0
    while setpoint is not None:
        count += 1
        assert count < 2000
        stands = count % 30 == 12
        setpoint = stage.next(loop.block(setpoint, blocks if stands else 1, sure or not stands))
    return count


@pytest.mark.parametrize("sure", [True, False])
def test_a_motion_with_gaps_that_is_in_order_is_not_repeated(sure: bool) -> None:
    stage = StrokeProbe(settings())
    assert late(Loop(), stage, sure=sure) <= 16 + 40 + 8
    assert stage.gain == pytest.approx(1.0, abs=0.03)


def test_a_bench_that_is_wrong_again_and_again_is_refused_though_there_were_gaps() -> None:
    """The same three times, one after the other."""
    stage = StrokeProbe(settings())
    refused("span", lambda: late(Loop(1.5), stage))
    assert stage._tries == 3


def test_one_clean_motion_is_enough_to_refuse() -> None:
    stage = StrokeProbe(settings())
    refused("span", lambda: late(Loop(1.5), stage, blocks=2))
    assert stage._tries == 1, "a block late is not a gap"


def test_what_differs_from_motion_to_motion_is_this_computers() -> None:
    stage, loop, gains = StrokeProbe(settings()), Loop(), [1.5, 0.5, 1.8, 0.4, 1.6]
    setpoint: float | None = stage.begin(loop.block(AT))
    count = 0

    def go() -> None:
        nonlocal setpoint, count
        while setpoint is not None:
            count += 1
            loop.gain = gains[stage._tries - 1]
            setpoint = stage.next(loop.block(setpoint, 4 if count % 30 == 12 else 1))

    said = refused("interrupted", go)
    assert said.startswith("this computer stood still in each of 5 motions to and fro, for 40 ms in the last")


def test_values_that_went_out_at_an_unknown_time_are_gaps_as_well() -> None:
    stage = StrokeProbe(settings())
    refused("span", lambda: late(Loop(1.5), stage, blocks=1, sure=False))
    assert stage._tries == 3


@pytest.mark.parametrize("crossed", [False, True])
def test_what_was_out_there_in_such_a_gap_is_not_gone_by(crossed: bool) -> None:
    """By half the probe it is another value than what was taken for it: the loop is in order all the same, or its monitors exchanged."""
    stage, loop = StrokeProbe(settings()), Loop(crossed=crossed)
    setpoint: float | None = stage.begin(loop.block(AT))

    def go() -> None:
        nonlocal setpoint
        count = 0
        while setpoint is not None:
            count += 1
            block = loop.block(setpoint, sure=count % 30 != 12)
            setpoint = stage.next(block if block.sure.all() else replace(block, command=block.command + 0.5 * PROBE))

    if crossed:
        said = re.search(r"gain (\S+) in volts", refused("swapped channels", go))
        assert said is not None and float(said[1]) == pytest.approx(1.0, abs=0.02)
    else:
        go()
        assert stage.gain == pytest.approx(1.0, abs=0.02) and stage._tries == 1


def test_a_block_of_which_only_a_part_went_out_when_it_was_meant_to_is_a_gap() -> None:
    stage, loop = StrokeProbe(settings()), Loop(1.5)
    half = np.arange(BLOCK) < BLOCK // 2
    setpoint: float | None = stage.begin(loop.block(AT))

    def go() -> None:
        nonlocal setpoint
        count = 0
        while setpoint is not None:
            count += 1
            setpoint = stage.next(loop.block(setpoint, sure=half if count % 30 == 12 else True))  # type: ignore[arg-type]

    refused("span", go)
    assert stage._tries == 3


def test_what_is_fitted_has_a_row_for_each_block_with_its_time_in_seconds() -> None:
    """Three blocks of 10 ms that came at once are three; a fit over gaps holds what it does not know to what is likely in a second."""
    stage, loop = StrokeProbe(settings()), Loop()
    stage.begin(loop.block(AT))
    stage.next(loop.block(AT, blocks=3))
    assert [row[0] for row in stage._rows] == pytest.approx([0.01] * 3)


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


@pytest.mark.parametrize(
    ("gains", "agree"),
    [
        ((1.50, 1.52, 1.55), True), ((1.50, 1.52, 1.59), False), ((0.94, 0.93, 0.94), True), ((0.96, 0.93, 0.94), False),
        ((3.00, 3.10, 3.14), True), ((3.00, 3.10, 3.17), False), ((-1.0, -1.02, -1.04), True), ((1.5, 1.5), False),
        ((9.9, 1.50, 1.52, 1.55), True), ((1.50, 1.52, 1.55, 9.9), False), ((20.0, 19.5, 19.0), True),
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


@pytest.mark.parametrize(("noise", "follows"), [(0.7e-5, True), (1.4e-5, False)])
def test_a_motion_follows_when_a_tenth_of_it_at_most_is_something_else(noise: float, follows: bool) -> None:
    stage = StrokeProbe(settings(tolerance=0.5))
    if follows:
        through(Loop(noise=noise), stage)
    else:
        refused("does not follow", lambda: through(Loop(noise=noise), stage))


@pytest.mark.parametrize("fast", [10.0, 60.0, 1000.0])
@pytest.mark.parametrize("off", [0.5 * STROKE_FULL_SCALE / CODES, -5e-6])
def test_an_output_that_is_a_little_off_is_no_span(off: float, fast: float) -> None:
    """By half a code, and by 1 mV: when the program is on the stroke goes there, and is awaited."""
    stage = StrokeProbe(settings())
    through(Loop(fast=fast, off=off), stage)
    assert stage.gain == pytest.approx(1.0, abs=0.01), "half of what is tolerated"


@pytest.mark.parametrize("gain", [0.95, 1.0, 1.05])
def test_a_stroke_that_still_creeps_back_from_a_motion_before_is_awaited(gain: float) -> None:
    """A loop that is slow and overshoots; the first motion is interrupted and looks wrong, the second is as any other."""
    stage, loop = StrokeProbe(settings(tolerance=0.1)), Overshooting(gain)
    setpoint: float | None = stage.begin(loop.block(AT))
    stage._found, first = [], stage._judge
    stage._judge = partial(refuse_once, stage, first)  # type: ignore[method-assign]
    while setpoint is not None:
        setpoint = stage.next(loop.block(setpoint, 4 if stage._tries == 1 and stage._legs == [] else 1))
    assert stage._tries == 2
    assert stage.gain == pytest.approx(gain, abs=0.01), "half of what is tolerated"


def refuse_once(stage: StrokeProbe, judge: Callable[[], None]) -> None:
    stage._judge = judge  # type: ignore[method-assign]
    raise BenchRefused("span", "as of a motion with gaps")


class Overshooting(Loop):
    """With an integral part: y' = a (G u - y) + b int (G u - y), a 16 1/s, b 32 1/s^2, as the simulated frame under low pressure."""

    charge = 0.0

    def block(self, setpoint: float, blocks: int = 1, sure: bool = True) -> Reading:
        stroke = np.empty(blocks * BLOCK)
        for n in range(len(stroke)):
            error = self.gain * (setpoint - self.at) - self.y
            self.charge += 32.0 / RATE * error
            self.y += (16.0 * error + self.charge) / RATE
            stroke[n] = self.y
        count = len(stroke)
        return Reading(setpoint, np.full(count, setpoint), np.zeros(count), stroke + self.at, 5, np.full(count, sure))


def test_a_stroke_that_hunts_for_ever_is_probed_after_two_seconds() -> None:
    """By a micrometre, at 1 Hz."""
    stage, loop, count = StrokeProbe(settings()), Loop(), 0
    setpoint: float | None = stage.begin(loop.block(AT))
    while setpoint is not None and not stage._moving:
        count += 1
        wave = 1e-6 * np.sin(2.0 * np.pi * (count * BLOCK + np.arange(BLOCK)) / RATE)
        setpoint = stage.next(replace(loop.block(setpoint), stroke=AT + wave))
    assert count <= 200
