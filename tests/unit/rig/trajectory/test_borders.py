"""Borders of blocks in a program: the value goes on, the rate keeps its bound; with a soft start the acceleration does, too."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.trajectory import create
from rig.trajectory.blocks import blocks
from rig.trajectory.program import Config as Program
from rig.trajectory.ramp import Config as Ramp
from rig.trajectory.sine import Config as Sine
from tests.thorough import times

RATE, NEAR = 4000.0, 40
SOFT = st.builds(
    Sine, amplitude=st.floats(0.1, 5.0), frequency=st.floats(0.5, 8.0), cycles=st.integers(1, 3), mean=st.floats(-5.0, 5.0),
    soft_start=st.floats(0.1, 0.6), soft_stop=st.floats(0.1, 0.6),
)  # fmt: skip


def sharpest(one: Sine) -> float:
    """|(E w)''| <= E'' w + 2 E' w' + w'', of the steeper of both raised cosines."""
    soft, omega = min(one.soft_start, one.soft_stop), 2.0 * math.pi * one.frequency
    reach, rate = abs(one.mean) + one.amplitude, one.amplitude * omega
    return 0.5 * (math.pi / soft) ** 2 * reach + math.pi / soft * rate + rate * omega


def near_borders(program: Program) -> list[np.ndarray]:
    """Values around each border."""
    trajectory = create(program)
    borders = [block.start for block in blocks(program, trajectory)][1:]
    return [trajectory.evaluate(border + np.arange(-NEAR, NEAR) / RATE)[0] for border in borders]


@settings(max_examples=times(60), deadline=None)
@given(st.lists(SOFT, min_size=2, max_size=4), st.integers(1, 2))
def test_a_block_with_a_soft_start_begins_without_a_step_in_value_or_rate(waves: list[Sine], repeats: int) -> None:
    program = Program(segments=tuple(waves), repeats=repeats)
    rate, allowed = create(program).bounds()[2], max(map(sharpest, waves))
    for value in near_borders(program):
        assert np.max(np.abs(np.diff(value))) * RATE <= rate * (1.0 + 1e-9)
        assert np.max(np.abs(np.diff(value, 2))) * RATE**2 <= allowed * (1.0 + 1e-6)
        assert abs(value[NEAR]) <= 0.5 * allowed / RATE**2 + 1e-9, "at rest at 0"


@settings(max_examples=times(60), deadline=None)
@given(SOFT, st.floats(0.1, 1.0))
def test_a_block_without_one_goes_on_from_the_value_before_and_keeps_the_rate(wave: Sine, duration: float) -> None:
    """The control: here the rate does step, and the acceleration has no bound but that of one sample."""
    steep = Sine(amplitude=wave.amplitude, frequency=wave.frequency, cycles=2, mean=wave.mean, soft_start=0.0, soft_stop=0.0)
    program = Program(
        segments=(Ramp(end=wave.mean, duration=duration, shape="smooth"), steep, Ramp(start=wave.mean, end=0.0, duration=duration))
    )
    rate = create(program).bounds()[2]
    values = near_borders(program)
    assert all(np.max(np.abs(np.diff(value))) * RATE <= rate * (1.0 + 1e-9) for value in values)
    stepped = 2.0 * math.pi * wave.frequency * wave.amplitude
    assert np.max(np.abs(np.diff(values[0], 2))) * RATE >= 0.4 * stepped
