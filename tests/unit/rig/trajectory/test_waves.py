"""What each trajectory is: values, phases, counted cycles, joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rig.trajectory import create, hold, program, ramp, sine, sweep
from rig.trajectory.faults import faults

RATE = 51200.0
SINE = sine.Config(amplitude=10e3, frequency=3.0, cycles=10, mean=2e3, soft_start=0.5, soft_stop=0.25)
SWEEP = sweep.Config(amplitude=1e3, first_frequency=2.0, last_frequency=20.0, duration=5.0)
ALONE = (
    SINE,
    SWEEP,
    sweep.Config(amplitude=1e3, first_frequency=20.0, last_frequency=5.0, duration=5.0, spacing="linear"),
    ramp.Config(end=5e3, duration=2.0, soft_stop=1.0),
    ramp.Config(start=1e3, end=5e3, duration=2.0, shape="smooth", soft_start=0.5, soft_stop=1.0),
    hold.Config(value=-4e3, duration=1.0, soft_start=0.5, soft_stop=0.5),
    program.Config(
        segments=(
            ramp.Config(end=2e3, duration=0.5),
            hold.Config(value=2e3, duration=0.2),
            sine.Config(amplitude=1e3, frequency=5.0, cycles=4, mean=2e3, soft_start=0.0, soft_stop=0.0),
            ramp.Config(start=2e3, end=0.0, duration=0.5),
        ),
        repeats=3,
    ),
)


def samples(trajectory: Any) -> np.ndarray:
    return np.arange(int(trajectory.duration * RATE) + 1) / RATE


@pytest.mark.parametrize("config", ALONE)
def test_begins_and_ends_at_zero_and_stays_there(config: Any) -> None:
    trajectory = create(config)
    value, _, cycle = trajectory.evaluate(np.array([0.0, trajectory.duration, trajectory.duration + 3.0]))
    assert np.all(value == 0.0)
    assert cycle[-1] == -1.0


@pytest.mark.parametrize("config", ALONE)
def test_any_cut_into_blocks_gives_the_same_bits(config: Any) -> None:
    trajectory = create(config)
    t = samples(trajectory)
    whole = np.array(trajectory.evaluate(t))
    cut = np.concatenate([np.array(trajectory.evaluate(t[i : i + 512])) for i in range(0, len(t), 512)], axis=1)
    assert np.array_equal(whole, cut)


@pytest.mark.parametrize("config", ALONE)
def test_value_never_steps(config: Any) -> None:
    trajectory = create(config)
    value = trajectory.evaluate(samples(trajectory))[0]
    assert np.abs(np.diff(value)).max() <= trajectory.bounds()[2] / RATE * (1.0 + 1e-9)


@pytest.mark.parametrize("config", ALONE)
def test_counted_cycles_are_all_there_in_order(config: Any) -> None:
    trajectory = create(config)
    cycle = trajectory.evaluate(samples(trajectory))[2]
    counted = cycle[cycle >= 0.0]
    assert np.array_equal(np.unique(counted), np.arange(trajectory.cycles))
    assert np.all(np.diff(counted) >= 0.0)


def test_sine_is_the_formula_from_the_end_of_the_soft_start_on() -> None:
    trajectory = create(SINE)
    t = samples(trajectory)
    value, phase, cycle = trajectory.evaluate(t)
    counted = cycle >= 0.0
    since = t[counted] - SINE.soft_start
    assert value[counted] == pytest.approx(2e3 + 10e3 * np.sin(2 * np.pi * 3.0 * since), abs=1e-6)
    assert phase[counted] == pytest.approx(2 * np.pi * 3.0 * since, abs=1e-9)
    assert cycle[counted] == pytest.approx(np.floor(since * 3.0 + 1e-9))
    assert counted.sum() / RATE == pytest.approx(10 / 3.0, abs=1.5 / RATE)


def test_sine_begins_its_first_cycle_at_a_rising_crossing() -> None:
    config = sine.Config(amplitude=1.0, frequency=3.0, soft_start=0.5)
    value, _, cycle = create(config).evaluate(np.array([0.5 - 1e-6, 0.5, 0.5 + 1e-6]))
    assert value == pytest.approx([-6e-6 * np.pi, 0.0, 6e-6 * np.pi], rel=1e-6, abs=1e-15)
    assert list(cycle) == [-1.0, 0.0, 0.0]


def test_rate_is_continuous_through_soft_start_and_stop() -> None:
    trajectory = create(SINE)
    slope = np.diff(trajectory.evaluate(samples(trajectory))[0]) * RATE
    sharpest = np.abs(np.diff(slope)).max() * RATE
    assert sharpest < 1.1 * (10e3 * (2 * np.pi * 3) ** 2 + 12e3 * (np.pi / 0.25) ** 2 + 2 * np.pi / 0.25 * 10e3 * 6 * np.pi)


@pytest.mark.parametrize("spacing", ["linear", "logarithmic"])
def test_sweep_runs_through_its_frequencies(spacing: str) -> None:
    config = sweep.Config(amplitude=1.0, first_frequency=2.0, last_frequency=20.0, duration=5.0, spacing=spacing)
    trajectory = create(config)
    t = np.linspace(0.0, trajectory.duration, 200_001)
    _, phase, cycle = trajectory.evaluate(t)
    frequency = np.gradient(phase, t) / (2 * np.pi)
    since = np.clip((t - config.soft_start) / 5.0, 0.0, 1.0)
    wanted = 2.0 + 18.0 * since if spacing == "linear" else 2.0 * 10.0**since
    assert frequency == pytest.approx(wanted, rel=1e-3)
    assert phase[np.searchsorted(t, config.soft_start)] == pytest.approx(0.0, abs=1e-3)
    assert cycle.max() == trajectory.cycles - 1


def test_sweep_between_equal_frequencies_is_a_sine() -> None:
    swept = create(sweep.Config(amplitude=1.0, first_frequency=3.0, last_frequency=3.0, duration=2.0))
    plain = create(sine.Config(amplitude=1.0, frequency=3.0, cycles=6))
    t = np.linspace(0.0, 3.0, 1001)
    assert np.array(swept.evaluate(t)) == pytest.approx(np.array(plain.evaluate(t)), abs=1e-9)


def test_program_goes_through_its_segments_and_repeats() -> None:
    trajectory = create(ALONE[-1])
    period = 0.5 + 0.2 + 0.8 + 0.5
    assert trajectory.duration == pytest.approx(3 * period)
    assert trajectory.cycles == 12
    for repeat in range(3):
        t = repeat * period + np.array([0.25, 0.6, 0.75, 1.75])
        value, phase, cycle = trajectory.evaluate(t)
        assert value == pytest.approx([1e3, 2e3, 2e3 + 1e3 * np.sin(2 * np.pi * 5 * 0.05), 1e3])
        assert list(cycle) == [-1.0, -1.0, 4.0 * repeat, -1.0]
        assert phase[2] == pytest.approx(2 * np.pi * (4 * repeat + 0.25))


def test_programs_nest() -> None:
    inner = program.Config(segments=(sine.Config(amplitude=1.0, frequency=2.0, cycles=2),), repeats=2)
    outer = create(program.Config(segments=(inner, hold.Config(value=0.0, duration=0.1)), repeats=2))
    assert outer.duration == pytest.approx(2 * (2 * 2.0 + 0.1))
    assert outer.cycles == 8


def test_program_refuses_a_step_and_says_where() -> None:
    segments = (ramp.Config(end=2e3, duration=1.0), hold.Config(value=3e3, duration=1.0))
    [(keys, text)] = faults(program.Config(segments=segments), "N", RATE)
    assert keys == ("segments", 1)
    assert "begins at 3000, but the segment before it ends at 2000" in text
    [(keys, text)] = faults(program.Config(segments=(ramp.Config(end=2e3, duration=1.0),), repeats=2), "N", RATE)
    assert keys == ("segments", 0)
    assert "begins at 0, but the segment before it ends at 2000" in text
    inner = program.Config(segments=(hold.Config(value=0.0, duration=1.0), *segments))
    assert [keys for keys, _ in faults(program.Config(segments=(inner,)), "N", RATE)] == [("segments", 0, "segments", 2)]


@pytest.mark.parametrize("config", ALONE[:-1])
def test_steady_is_the_middle_part(config: Any) -> None:
    trajectory, steady = create(config), create(config).steady()
    t = np.linspace(0.0, steady.duration, 1001)[:-1]
    tiny = 1e-9 * np.abs(trajectory.bounds()[:2]).max()
    assert steady.evaluate(t)[0] == pytest.approx(trajectory.evaluate(t + config.soft_start)[0], abs=tiny)
    assert steady.duration == pytest.approx(trajectory.duration - config.soft_start - config.soft_stop)


def test_only_a_pure_sine_has_a_frequency() -> None:
    assert [create(config).frequency for config in ALONE] == [3.0, None, None, None, None, None, None]
