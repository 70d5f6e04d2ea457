from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.trajectory import create
from rig.trajectory.sine import Config
from rig.workers.bench.setpoints.setpoint import Setpoint, Timing
from tests.thorough import times

RATE = 5_000.0
SINE = Config(amplitude=10e3, frequency=3.0, cycles=2, soft_start=0.3, soft_stop=0.3)
TIMING = Timing(lead_in=1400, fade=1000)


def whole(setpoint: Setpoint, size: int, samples: int) -> np.ndarray:
    return np.concatenate([setpoint.next(size) for _ in range(-(-samples // size))])[:samples]


def test_first_command_is_the_feedback_and_nothing_steps() -> None:
    setpoint = Setpoint(create(SINE), RATE, 150.0, TIMING)
    block = whole(setpoint, 50, setpoint.end)
    assert block[0, 0] == 150.0
    fastest = create(SINE).bounds()[2] + 150.0 * np.pi / 2 * RATE / TIMING.fade
    assert np.max(np.abs(np.diff(block[:, 0]))) * RATE <= fastest * (1 + 1e-9)
    assert abs(block[-1, 0]) < 1.0


@given(feedback=st.floats(-5e3, 5e3), soft_start=st.sampled_from([0.0, 0.01, 0.1, 0.3]))
def test_the_trajectory_goes_out_as_it_is_however_short_its_soft_start(feedback: float, soft_start: float) -> None:
    wave = create(replace(SINE, soft_start=soft_start))
    setpoint = Setpoint(wave, RATE, feedback, TIMING)
    block = whole(setpoint, 64, setpoint.end)
    assert block[0, 0] == feedback
    asked = wave.evaluate(np.arange(setpoint.end - TIMING.lead_in) / RATE)[0]
    assert np.array_equal(block[TIMING.lead_in :, 0], asked)
    assert np.all(block[: TIMING.lead_in - TIMING.fade, 0] == feedback)  # while the program is switched on


def test_counted_cycles_follow_the_lead_in() -> None:
    setpoint = Setpoint(create(SINE), RATE, 0.0, TIMING)
    block = whole(setpoint, 64, setpoint.end)
    assert np.all(block[: TIMING.lead_in, 2] == -1.0)
    assert set(block[:, 2]) == {-1.0, 0.0, 1.0}


@settings(max_examples=times(15, thorough=400))
@given(st.integers(1, 200), st.integers(1, 60))
def test_blocks_of_any_size_give_the_same_command(size: int, other: int) -> None:
    one, two = (Setpoint(create(SINE), RATE, 20.0, TIMING) for _ in range(2))
    assert np.array_equal(whole(one, size, 3000), whole(two, other, 3000))


@given(st.integers(1500, 4000))
def test_a_stop_ramps_from_where_it_is_without_a_step(where: int) -> None:
    setpoint = Setpoint(create(SINE), RATE, 0.0, TIMING)
    before = whole(setpoint, where, where)
    setpoint.stop(0.0, 0.5)
    assert not setpoint.finished
    after = whole(setpoint, 100, int(0.6 * RATE))
    assert abs(after[0, 0] - before[-1, 0]) * RATE < 3.0 * create(SINE).bounds()[2]
    assert after[int(0.5 * RATE), 0] == 0.0
    assert np.all(after[:, 2] == -1.0)
    assert np.all(after[:, 1] == before[-1, 1])
    assert setpoint.finished


@given(st.integers(1500, 11_000), st.sampled_from([3.0, 7.0, 20.0]))
def test_a_fast_wave_that_is_stopped_anywhere_stays_within_its_amplitude(where: int, frequency: float) -> None:
    fast = Config(amplitude=30e3, frequency=frequency, cycles=12, soft_start=0.3, soft_stop=0.3)
    setpoint = Setpoint(create(fast), RATE, 0.0, TIMING)
    whole(setpoint, where, where)
    setpoint.stop(0.0, 0.5)
    after = whole(setpoint, 100, int(0.6 * RATE))[:, 0]
    assert np.max(np.abs(after)) <= 1.03 * 30e3
    assert np.max(np.abs(np.diff(after))) * RATE <= 1.1 * create(fast).bounds()[2]
