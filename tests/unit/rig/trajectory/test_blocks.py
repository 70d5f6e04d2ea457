"""Blocks of a program: where each begins, what it is called, and how the cycles count on."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.paths import trajectory_1
from rig.trajectory import create, hold, program, ramp, sine, triangle
from rig.trajectory.blocks import blocks, soft_stop, stated

WARM = program.Config(name="warm-up", segments=(sine.Config(amplitude=1e3, frequency=5.0, cycles=3), hold.Config(0.0, 0.1)), repeats=2)
TEST = program.Config(
    segments=(WARM, triangle.Config(name="slow", amplitude=2e3, frequency=1.0, cycles=1), ramp.Config(end=0.0, duration=0.5)), repeats=3
)


def test_every_segment_of_every_repeat_has_its_name_and_its_counters() -> None:
    found = list(blocks(TEST))
    assert [block.name for block in found[:6]] == ["1 sine", "2 hold", "1 sine", "2 hold", "slow", "3 ramp"]
    assert len(found) == 18
    assert found[8].text == "1 sine, repeat 2 of 3 of program, repeat 2 of 2 of warm-up, cycles 10 to 12"
    assert found[4].text == "slow, repeat 1 of 3 of program, cycle 6"
    assert found[5].text == "3 ramp, repeat 1 of 3 of program"
    assert [block.text for block in blocks(sine.Config(amplitude=1.0, frequency=1.0, cycles=2))] == ["sine, cycles 0 to 1"]


def test_the_cycle_column_counts_on_through_blocks_as_they_say() -> None:
    trajectory = create(TEST)
    for block in blocks(TEST):
        t = block.start + (np.arange(400) + 0.5) / 400 * block.duration
        _, phase, cycle = trajectory.evaluate(t)
        counted = np.unique(cycle[cycle >= 0.0])
        assert np.array_equal(counted, np.arange(block.first_cycle, block.first_cycle + block.cycles))
        if block.cycles:
            assert np.array_equal(np.floor(phase[cycle >= 0.0] / (2.0 * np.pi) + 1e-9), cycle[cycle >= 0.0])
    assert trajectory.cycles == 3 * (2 * 3 + 1)


def test_what_a_table_states_is_known_and_nothing_else() -> None:
    assert stated(sine.Config(amplitude=3.0, frequency=1.0, cycles=2)) == (3.0, 2)
    assert stated(ramp.Config(end=1.0, duration=1.0)) == stated(TEST) == stated(None) == (None, None)
    assert stated(trajectory_1.Config(cycles=4)) == (None, 4), "a path, which has no amplitude"


def test_a_program_ends_with_the_soft_stop_of_its_last_segment() -> None:
    last = sine.Config(amplitude=1.0, frequency=1.0, soft_stop=0.7)
    assert soft_stop(last) == 0.7
    assert soft_stop(program.Config(segments=(sine.Config(amplitude=1.0, frequency=1.0, soft_stop=0.2), WARM, last))) == 0.7
    assert soft_stop(TEST) == 0.0


@given(st.integers(1, 400), st.floats(0.3, 70.0), st.integers(1, 5), st.sampled_from([1e3, 51200.0, 44100.0]))
def test_no_cycle_is_lost_at_a_joint_however_often_the_list_is_repeated(repeats: int, frequency: float, cycles: int, rate: float) -> None:
    wave = sine.Config(amplitude=1.0, frequency=frequency, cycles=cycles, soft_start=0.0, soft_stop=0.0)
    trajectory = create(program.Config(segments=(wave, wave), repeats=repeats))
    joints = np.arange(1, 2 * repeats) * cycles / frequency
    around = joints[:, None] + np.array([-0.5, 0.0, 0.5]) / rate
    around[:, 1] *= 1.0 + np.resize([-2e-16, 0.0, 2e-16], len(joints))  # a sample's time is rounded, and so is a joint's
    _, _, cycle = trajectory.evaluate(np.clip(around, 0.0, trajectory.duration).ravel())
    assert np.all(cycle >= 0.0)
    assert np.array_equal(cycle.reshape(around.shape)[:, 1], np.arange(1, 2 * repeats) * cycles)
