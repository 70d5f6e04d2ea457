"""What is made of what the axes of a motor rig have told: that one does not follow, and why; how well it followed, and its clock."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from rig.config.bench import Axis
from rig.workers.bench.actuation.axes import AxesActuation
from rig.workers.bench.actuation.serial_axis import Told
from rig.workers.bench.sample_times import SampleTimes
from tests.unit.rig.workers.bench.noted_axes import RATE, Drive, made

MOST = math.radians(3.0)
BUSY = "this computer is too slow or too busy"


def told_by(rows: Iterable[Told], pace: str = "real", **axis: Any) -> AxesActuation:
    """The axis `second`, that has told so."""
    own = made(Axis("second", Drive(), **({"mode": "position", "rate": 100.0, "following_error": MOST} | axis)), pace=pace)
    own.session(None, 10, lambda text: None)
    own._serial[1]._told.extend(rows)
    own.take_feedback()
    return own


def off(degrees: float, since: float = 0.0, until: float = 0.15, every: float = 0.010) -> list[Told]:
    """An exchange each `every` s, in which it is so far off."""
    times = since + every * np.arange(1 + round((until - since) / every))
    return [Told(RATE * t, 2.0 * t, 2.0 * t + math.radians(degrees), 2.0, math.nan) for t in times]


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_an_axis_that_is_off_for_a_tenth_of_a_second_does_not_follow(side: float) -> None:
    own = told_by(off(side * 4.0))
    assert own.attend() == f"second: following error {side * 4:g} deg exceeds 3 deg at sample 150"
    assert told_by(off(side * 2.9)).attend() is None
    assert told_by(off(side * 4.0, until=0.08)).attend() is None, "not for so long yet"
    assert told_by(off(side * 9.5, until=0.0)).attend() is not None, "three times as much at once"


def test_nobody_is_blamed_who_has_told_nothing_or_may_be_anywhere() -> None:
    assert told_by([]).attend() is None
    assert told_by(off(90.0), following_error=None).attend() is None


def test_one_that_goes_by_velocity_goes_on_from_wherever_it_stood() -> None:
    """A quarter of a turn from 0, before the test."""
    assert told_by(off(90.0), mode="velocity").attend() is None
    rows = [*off(90.0, since=0.5, until=0.55), *off(94.0, since=0.56, until=0.7)]  # from a setpoint of 1 rad on
    assert told_by(rows, mode="velocity").attend() == "second: following error 4 deg exceeds 3 deg at sample 700"


def test_setpoints_that_came_late_may_be_why() -> None:
    """Up to two intervals are none of it, and so is what is thirty exchanges ago."""
    rows = [*off(0.0, until=0.05), *off(4.0, since=0.1, until=0.25)]
    assert str(told_by(rows).attend()).endswith(f"sample 250; just before setpoints came up to 50 ms apart, for 10 ms: {BUSY}")
    rows = [*off(0.0, until=0.05), *off(4.0, since=0.069, until=0.259)]
    assert str(told_by(rows).attend()).endswith("sample 259")
    rows = [*off(0.0, until=0.05), *off(4.0, since=0.1, until=0.1 + 0.30)]
    assert str(told_by(rows).attend()).endswith("sample 400")


def test_setpoints_that_ran_out_may_be_why() -> None:
    own = told_by(off(4.0))
    own._serial[1].ran_dry = 0.05
    assert str(own.attend()).endswith(f"sample 150; in this test setpoints ran out for up to 50 ms: {BUSY}")
    own._serial[1].ran_dry = 0.01
    assert str(own.attend()).endswith("sample 150"), "no more than an interval"


def turning(count: int, faster: float = 0.0, begin: float = 0.0, jitter: float = 0.0, clock: float = 100.0) -> list[Told]:
    """At 2 rad/s, asked every 10 ms from sample 1000 on; sample 0 was at `clock` (s); stamps that are off by up to `jitter` samples."""
    n = 1000.0 + 10.0 * np.arange(count)
    sample = n + jitter * np.linspace(-1.0, 1.0, count)
    rows = zip(sample, 2.0 * sample / RATE, begin + 2.0 * (1.0 + faster) * n / RATE, clock + n / RATE, strict=True)
    return [Told(at, setpoint, position, 2.0, math.nan, 0.002, moment) for at, setpoint, position, moment in rows]


def figures(own: AxesActuation, samples: int = 10_000) -> Any:
    times = SampleTimes(RATE)
    if samples:
        times.took(samples, 100.0 + samples / RATE)
    return own.figures(times)["second"]


@pytest.mark.parametrize("pace", ["lockstep", "real"])
def test_an_axis_by_velocity_has_a_clock_and_an_error_from_where_it_began(pace: str) -> None:
    clock = 100.0 if pace == "real" else math.nan  # in lockstep this computer's says nothing
    found = figures(told_by(turning(200, 300e-6, begin=1.5, clock=clock), pace, mode="velocity"))
    assert found["skew_ppm"] == pytest.approx(300.0, rel=1e-6)
    assert found["following_error_rms"] == pytest.approx(300e-6 * 0.02 * np.sqrt(np.mean(np.arange(200.0) ** 2)), rel=1e-6)
    assert found["ran_dry_s"] == 0.0


def test_at_real_pace_stamps_are_those_that_are_known_in_the_end() -> None:
    """Ten samples off from end to end look like 5000 ppm of two seconds; by the moments of the exchanges there are 300."""
    assert figures(told_by(turning(200, 300e-6, jitter=5.0), mode="velocity"))["skew_ppm"] == pytest.approx(300.0, rel=0.01)


def test_one_by_position_has_an_error_only() -> None:
    assert figures(told_by(turning(200, 300e-6), "lockstep"))["skew_ppm"] is None, "it goes where it is told to"
    found = figures(told_by(off(1.0), "lockstep"))
    assert found["skew_ppm"] is None and found["following_error_rms"] == pytest.approx(math.radians(1.0))


@pytest.mark.parametrize("pace", ["lockstep", "real"])
def test_one_that_told_nothing_has_neither(pace: str) -> None:
    own = told_by([], pace)
    own._serial[1].ran_dry = 0.25
    assert figures(own, samples=0) == {"skew_ppm": None, "following_error_rms": None, "ran_dry_s": 0.25}, "nor has any block come"
    own._serial.clear()
    assert figures(own)["ran_dry_s"] == 0.0, "nor was one that was never begun"


def test_too_short_a_motion_tells_no_clock() -> None:
    assert figures(told_by(turning(10), "lockstep", mode="velocity"))["skew_ppm"] is None
