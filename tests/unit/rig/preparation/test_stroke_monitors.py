"""Exchanged monitors: a force monitor that follows the command of the stroke, and what only looks like it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rig.preparation.stroke_probe import StrokeProbe
from tests.unit.rig.preparation.position_loop import AT, Loop, through
from tests.unit.rig.preparation.stage_readings import BLOCK, FORCE_FULL_SCALE, RATE, STROKE_FULL_SCALE, refused, settings


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


def test_a_force_that_hums_is_followed_through_its_hum() -> None:
    """50 Hz of 15 N, where the motion is 500 N to either side: in four periods, the rest before it, nothing is left of that."""
    stage, loop, count = StrokeProbe(settings()), Loop(crossed=True), 0
    setpoint: float | None = stage.begin(loop.block(AT))

    def go() -> None:
        nonlocal setpoint, count
        while setpoint is not None:
            hum = 15.0 * np.sin(2.0 * np.pi * 50.0 * (count * BLOCK + np.arange(BLOCK)) / RATE)
            block, count = loop.block(setpoint), count + 1
            setpoint = stage.next(replace(block, force=block.force + hum))

    assert "(gain 1.00 in volts)" in refused("swapped channels", go)


def test_a_force_that_changes_before_the_motion_is_none_of_it() -> None:
    """By 400 N as the program comes on, where the motion is 500 N."""
    stage, loop = StrokeProbe(settings()), Loop(crossed=True)
    setpoint: float | None = stage.begin(loop.block(AT))
    loop.force = 400.0

    def go() -> None:
        nonlocal setpoint
        while setpoint is not None:
            setpoint = stage.next(loop.block(setpoint))

    assert "(gain 1.00 in volts)" in refused("swapped channels", go)


@pytest.mark.parametrize(("noise", "name"), [(2e-6, "swapped channels"), (5e-6, "valve stuck"), (3e-5, "valve stuck")])
def test_a_force_follows_the_stroke_command_when_a_tenth_of_it_at_most_is_something_else(noise: float, name: str) -> None:
    refused(name, lambda: through(Loop(crossed=True, noise=noise)))


def test_monitors_are_not_exchanged_where_both_follow() -> None:
    """A specimen of 5 kN/mm: in volts its force is the stroke, and the stroke is out by a fifth."""
    stage, loop = StrokeProbe(settings()), Loop(1.2)
    setpoint: float | None = stage.begin(loop.block(AT))

    def go() -> None:
        nonlocal setpoint
        while setpoint is not None:
            block = loop.block(setpoint)
            setpoint = stage.next(replace(block, force=(block.stroke - AT) * FORCE_FULL_SCALE / STROKE_FULL_SCALE))

    assert "gain of 1.2000" in refused("span", go)


def test_exchanged_monitors_of_a_fast_one_are_told_as_well() -> None:
    loop = Loop(crossed=True, fast=1e6)
    loop.wait = 15
    assert "(gain 1.00 in volts)" in refused("swapped channels", lambda: through(loop))
