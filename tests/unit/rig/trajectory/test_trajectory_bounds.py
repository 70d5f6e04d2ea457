"""Bounds of every trajectory: never passed by any sample, and not so wide that they would refuse what is harmless."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.trajectory import create, hold, program, ramp, sine, sweep

LOOSE = 1.05  # a bound may be wider than what is attained by this factor ...
SHORT = 1.6  # ... and by this one where a wave has no full period in which to attain its bound

amplitudes = st.floats(10.0, 5e4)
values = st.floats(-3e4, 3e4)
times = st.floats(0.02, 3.0)
softs = st.one_of(st.just(0.0), st.floats(0.01, 2.0))
frequencies = st.floats(0.2, 60.0)

sines = st.builds(
    sine.Config, amplitude=amplitudes, frequency=frequencies, cycles=st.integers(1, 6), mean=values, soft_start=softs, soft_stop=softs
)
sweeps = st.builds(
    sweep.Config,
    amplitude=amplitudes,
    first_frequency=frequencies,
    last_frequency=frequencies,
    duration=times,
    spacing=st.sampled_from(["linear", "logarithmic"]),
    mean=values,
    soft_start=softs,
    soft_stop=softs,
)
ramps = st.builds(
    ramp.Config,
    start=values,
    end=values,
    duration=times,
    shape=st.sampled_from(["linear", "smooth"]),
    soft_start=softs,
    soft_stop=softs,
)
holds = st.builds(hold.Config, value=values, duration=times, soft_start=softs, soft_stop=softs)
anything = st.one_of(sines, sweeps, ramps, holds)


@st.composite
def programs(draw: st.DrawFn) -> program.Config:
    """Random segments, a ramp put in wherever two do not meet."""
    segments: list[Any] = []
    level = 0.0
    for config in [*draw(st.lists(anything, min_size=1, max_size=4)), hold.Config(value=0.0, duration=0.05)]:
        begin, end = ends(config)
        if begin != level:
            segments.append(ramp.Config(start=level, end=begin, duration=draw(times)))
        segments.append(config)
        level = end
    if level != 0.0:
        segments.append(ramp.Config(start=level, end=0.0, duration=draw(times)))
    inner = program.Config(segments=tuple(segments), repeats=draw(st.integers(1, 3)))
    return program.Config(segments=(inner, hold.Config(value=0.0, duration=0.01)), repeats=draw(st.integers(1, 2)))


def ends(config: Any) -> tuple[float, float]:
    trajectory = create(config)
    begin, end = trajectory.evaluate(np.array([0.0, trajectory.duration]))[0]
    return float(begin), float(end)


COUNT = 50_001


def sampled(trajectory: Any, count: int = COUNT) -> tuple[float, float, float]:
    """(min, max, largest slope between neighbours)."""
    t = np.linspace(0.0, trajectory.duration, count)
    value = trajectory.evaluate(t)[0]
    return value.min(), value.max(), np.abs(np.diff(value)).max() / (t[1] - t[0])


def rounding(trajectory: Any, count: int = COUNT) -> tuple[float, float]:
    """What floating point may add to a sampled value and to a slope between two of them."""
    low, high, rate = trajectory.bounds()
    largest = max(abs(low), abs(high), 1.0)
    phase = np.abs(trajectory.evaluate(np.array([0.0, trajectory.duration]))[1]).max()
    error = 1e-15 * ((10.0 + phase) * largest + rate * trajectory.duration)
    return error, 4.0 * error * count / trajectory.duration


@settings(deadline=None, max_examples=100)
@given(anything)
def test_no_sample_passes_the_bounds(config: Any) -> None:
    trajectory = create(config)
    low, high, rate = trajectory.bounds()
    least, most, fastest = sampled(trajectory)
    of_value, of_rate = rounding(trajectory)
    assert low - of_value <= least
    assert most <= high + of_value
    assert fastest <= rate + of_rate


@settings(deadline=None, max_examples=50)
@given(programs())
def test_no_sample_of_a_program_passes_the_bounds(config: program.Config) -> None:
    trajectory = create(config)
    low, high, rate = trajectory.bounds()
    least, most, fastest = sampled(trajectory)
    of_value, of_rate = rounding(trajectory)
    assert low - of_value <= least
    assert most <= high + of_value
    assert fastest <= rate + of_rate  # a step at a joint would show here as a slope of step / dt


@settings(deadline=None, max_examples=60)
@given(sines)
def test_bounds_of_a_sine_are_nearly_attained(config: sine.Config) -> None:
    trajectory = create(config)
    low, high, rate = trajectory.bounds()
    least, most, fastest = sampled(trajectory, 200_001)
    assert high - low <= LOOSE * (most - least)
    assert rate <= LOOSE * fastest


@settings(deadline=None, max_examples=60)
@given(sweeps)
def test_bounds_of_a_sweep_are_nearly_attained(config: sweep.Config) -> None:
    trajectory = create(config)
    if trajectory.cycles < 3:
        return
    low, high, rate = trajectory.bounds()
    least, most, fastest = sampled(trajectory, 200_001)
    assert high - low <= LOOSE * (most - least)
    assert rate <= SHORT * fastest  # the last crossing may lie up to half a period from the fastest end


@settings(deadline=None, max_examples=100)
@given(st.one_of(ramps, holds))
def test_bounds_of_ramps_and_holds_are_nearly_attained(config: Any) -> None:
    trajectory = create(config)
    low, high, rate = trajectory.bounds()
    least, most, fastest = sampled(trajectory)
    assert high - low <= LOOSE * (most - least) + 1e-6 * max(abs(low), abs(high))
    assert rate <= LOOSE * fastest + rounding(trajectory)[1]


@pytest.mark.parametrize("frequency", [2.0, 3.0, 7.0])
def test_bounds_of_the_default_experiment_do_not_refuse_it(frequency: float) -> None:
    trajectory = create(sine.Config(amplitude=30e3, frequency=frequency))
    low, high, rate = trajectory.bounds()
    assert (low, high) == pytest.approx((-30e3, 30e3), rel=1e-6)
    assert rate == pytest.approx(2.0 * np.pi * frequency * 30e3, rel=0.03)
