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
from tests.unit.rig.preparation.stage_readings import BLOCK, RATE, STROKE_FULL_SCALE, settings


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
