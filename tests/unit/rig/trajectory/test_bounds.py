"""Bounds of every trajectory: never passed by any sample, and not so wide that they would refuse what is harmless."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.trajectory import create, haversine, hold, playback, program, ramp, random, reverses, sine, square, sweep, triangle

LOOSE = 1.05  # a bound may be wider than what is attained by this factor ...
KINKED = 2.0  # ... by this one where |E' w| and |E w'| add up in the bound, whatever their signs ...
SHORT = 1.6  # ... and by this one where a wave has no full period in which to attain its bound

amplitudes = st.floats(10.0, 5e4)
values = st.floats(-3e4, 3e4)
times = st.floats(0.02, 3.0)
softs = st.one_of(st.just(0.0), st.floats(0.01, 2.0))
frequencies = st.floats(0.2, 60.0)

soft: dict[str, Any] = {"soft_start": softs, "soft_stop": softs}
wave: dict[str, Any] = {"amplitude": amplitudes, "frequency": frequencies, "cycles": st.integers(1, 6), **soft}

sines = st.builds(sine.Config, mean=values, **wave)
sweeps = st.builds(
    sweep.Config,
    amplitude=amplitudes,
    first_frequency=frequencies,
    last_frequency=frequencies,
    duration=times,
    spacing=st.sampled_from(["linear", "logarithmic"]),
    mean=values,
    **soft,
)
ramps = st.builds(ramp.Config, start=values, end=values, duration=times, shape=st.sampled_from(["linear", "smooth"]), **soft)
holds = st.builds(hold.Config, value=values, duration=times, **soft)
triangles = st.builds(triangle.Config, mean=values, **wave)
haversines = st.builds(haversine.Config, begins=st.sampled_from(["valley", "peak"]), mean=st.one_of(st.none(), values), **wave)


@st.composite
def squares(draw: st.DrawFn) -> square.Config:
    """From the slowest flanks that there can be to ones of a hundredth of the half cycle."""
    amplitude, frequency, shape = draw(amplitudes), draw(frequencies), draw(st.sampled_from(["linear", "smooth"]))
    rate = (4.0 if shape == "linear" else 2.0 * np.pi) * frequency * amplitude * draw(st.floats(1.0, 100.0))
    more = {"cycles": draw(st.integers(1, 4)), "mean": draw(values), "soft_start": draw(softs), "soft_stop": draw(softs)}
    return square.Config(amplitude=amplitude, frequency=frequency, rate=rate, shape=shape, **more)


@st.composite
def randoms(draw: st.DrawFn) -> random.Config:
    """A few to a few hundred lines, with a level or a table."""
    duration, low = draw(st.floats(0.5, 4.0)), draw(st.floats(0.5, 20.0))
    high = low + draw(st.floats(4.0, 40.0))
    table = (random.Point(low, draw(st.floats(1e3, 1e6))), random.Point(high, draw(st.floats(1e3, 1e6))))
    level = draw(st.sampled_from([{"rms": 2e3}, {"peak": 5e3}, {"psd": table}, {"psd": table, "rms": 1e3}, {"psd": table, "peak": 1e3}]))
    more = {"cycles": draw(st.integers(1, 3)), "mean": draw(values), "soft_start": draw(softs), "soft_stop": draw(softs)}
    return random.Config(duration=duration, lowest_frequency=low, highest_frequency=high, seed=draw(st.integers(0, 99)), **level, **more)


@st.composite
def playbacks(draw: st.DrawFn) -> playback.Config:
    """Rough noise, as it is or brought to another rate."""
    return playback.Config(
        file=str(NOISE),
        column="force",
        resample=draw(st.sampled_from([None, 1600.0, 700.0])),
        scale=draw(st.sampled_from([1.0, -0.5])),
        mean=draw(st.one_of(st.none(), values)),
        cycles=draw(st.integers(1, 3)),
        soft_start=draw(softs),
        soft_stop=draw(softs),
    )


NOISE = Path(tempfile.mkdtemp(prefix="rig-noise-")) / "noise.csv"
atexit.register(shutil.rmtree, NOISE.parent)
ROWS = "".join(f"{n / 1000:.3f},{x:.6f}\n" for n, x in enumerate(np.random.default_rng(5).normal(1.0, 3.0, 400)))
NOISE.write_text(f"time[s],force[kN]\n{ROWS}")

shapes = st.one_of(triangles, haversines, squares(), randoms(), playbacks())
anything = st.one_of(sines, sweeps, ramps, holds, shapes)


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


@pytest.mark.parametrize("configs", [anything, programs()], ids=["alone", "program"])
@given(data=st.data())
def test_no_sample_passes_the_bounds(configs: st.SearchStrategy[Any], data: st.DataObject) -> None:
    trajectory = create(data.draw(configs))
    low, high, rate = trajectory.bounds()
    least, most, fastest = sampled(trajectory)
    of_value, of_rate = rounding(trajectory)
    assert low - of_value <= least
    assert most <= high + of_value
    assert fastest <= rate + of_rate  # a step at a joint of a program would show here as a slope of step / dt


@given(st.one_of(anything, programs()), st.floats(500.0, 300e3), st.floats(0.0, 1.0))
def test_no_sample_passes_the_bounds_at_any_sample_rate(config: Any, rate: float, part: float) -> None:
    """Whole runs are sampled above; here a stretch, at the rates and phases of any device, where it begins, ends and in between."""
    trajectory = create(config)
    low, high, fastest = trajectory.bounds()
    of_value = rounding(trajectory)[0]
    for begin in (0.0, part * trajectory.duration, trajectory.duration - 500.0 / rate, getattr(config, "soft_start", 0.0) - 500.0 / rate):
        value = trajectory.evaluate(np.maximum(begin + (np.arange(2000) + part) / rate, 0.0))[0]
        assert low - of_value <= value.min()
        assert value.max() <= high + of_value
        assert np.abs(np.diff(value)).max() <= fastest / rate * (1.0 + 1e-6) + 4.0 * of_value


def nearly_attained(trajectory: Any, steeper: float, count: int) -> None:
    low, high, rate = trajectory.bounds()
    least, most, fastest = sampled(trajectory, count)
    assert high - low <= LOOSE * (most - least)
    assert rate <= steeper * fastest


@given(shapes)
def test_bounds_of_shapes_are_nearly_attained(config: Any) -> None:
    nearly_attained(create(config), KINKED if isinstance(config, (triangle.Config, square.Config)) else SHORT, 100_001)


@given(st.one_of(anything, programs()))
def test_a_trajectory_that_changes_its_sign_is_known_to(config: Any) -> None:
    trajectory = create(config)
    least, most, _ = sampled(trajectory)
    if least < -1e-6 * most and most > -1e-6 * least:
        assert reverses(trajectory)


@pytest.mark.parametrize(
    ("mean", "known"), [(0.0, True), (9.9e3, True), (10.1e3, False), (-10.1e3, False)], ids=["about 0", "just", "pull", "push"]
)
def test_a_mean_that_is_ramped_in_does_not_look_like_a_reversal(mean: float, known: bool) -> None:
    for kind in (sine, triangle):
        assert reverses(create(kind.Config(amplitude=10e3, frequency=3.0, mean=mean))) is known
    assert reverses(create(square.Config(amplitude=10e3, frequency=3.0, mean=mean, rate=1e6))) is known
    assert not reverses(create(haversine.Config(amplitude=10e3, frequency=3.0)))


@given(sines)
def test_bounds_of_a_sine_are_nearly_attained(config: sine.Config) -> None:
    nearly_attained(create(config), LOOSE, 200_001)


@given(sweeps)
def test_bounds_of_a_sweep_are_nearly_attained(config: sweep.Config) -> None:
    trajectory = create(config)
    if trajectory.cycles >= 3:
        nearly_attained(trajectory, SHORT, 200_001)  # the last crossing may lie up to half a period from the fastest end


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
