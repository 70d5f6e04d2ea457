"""The stroke is moved from rest: what is awaited before, how long, and what is made of where it rests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from rig.errors import BenchRefused
from rig.preparation.stroke_probe import CODES, StrokeProbe
from tests.unit.rig.preparation.position_loop import AT, Loop, Overshooting, through
from tests.unit.rig.preparation.stage_readings import BLOCK, RATE, STROKE_FULL_SCALE, reading, settings


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


def test_a_stroke_that_hunts_for_ever_is_probed_after_two_seconds() -> None:
    """By a micrometre, at 1 Hz."""
    stage, loop, count = StrokeProbe(settings()), Loop(), 0
    setpoint: float | None = stage.begin(loop.block(AT))
    while setpoint is not None and not stage._moving:
        count += 1
        wave = 1e-6 * np.sin(2.0 * np.pi * (count * BLOCK + np.arange(BLOCK)) / RATE)
        setpoint = stage.next(replace(loop.block(setpoint), stroke=AT + wave))
    assert count <= 200


def rested(level: Callable[[int], float]) -> int:
    """Blocks at rest before it moves, of a stroke that stands `level` m, in each of them, from where it was."""
    stage, count = StrokeProbe(settings(zero_within=1e-3)), 0
    stage.begin(reading(AT, stroke=AT, before=1.0))
    while stage.next(reading(AT, stroke=AT + level(count), before=1.0)) == AT:
        count += 1
        assert count < 400
    return count + 1


STILL = 5e-9
"""m: what 0.1 mm may move by, from one 80 ms to the next, and counts as still."""


@pytest.mark.parametrize(("step", "blocks"), [(0.0, 16), (0.98 * STILL, 16), (-0.98 * STILL, 16), (1.02 * STILL, 17), (-1.02 * STILL, 17)])
def test_it_is_still_when_one_80_ms_are_as_those_before(step: float, blocks: int) -> None:
    """The step is between the first two; a block later it counts by seven eighths."""
    assert rested(lambda block: step if block >= 8 else 0.0) == blocks


def test_it_may_rest_elsewhere_than_it_was() -> None:
    """2 um off for 80 ms, then for good 1 um: what is over for 160 ms does not count any more."""
    assert rested(lambda block: 2e-6 if block < 8 else 1e-6) == 24


def test_one_that_never_rests_is_probed_after_two_seconds() -> None:
    """It creeps by a micrometre in a second."""
    assert rested(lambda block: 1e-8 * block) == 200
