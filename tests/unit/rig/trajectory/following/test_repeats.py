"""Cycles that are run once more, against counting by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.trajectory import create
from rig.trajectory.following.repeats import Repeats, steady_part
from rig.trajectory.program import Config as Program
from rig.trajectory.ramp import Config as Ramp
from rig.trajectory.sine import Config as Sine
from rig.trajectory.sweep import Config as Sweep

SINE = Sine(amplitude=2.0, frequency=4.0, cycles=3, soft_start=0.5, soft_stop=0.25)


@given(st.lists(st.tuples(st.integers(0, 400), st.sampled_from([30, 50, 80])), max_size=6))
def test_counting_by_hand(puts: list[tuple[int, int]]) -> None:
    repeats, at, come, number = Repeats(), sorted(dict(puts).items()), [], []
    here = done = 0
    for way in range(600):
        for when, period in at:
            if when == way:
                here, done = here - period, done + 1
                repeats.insert(float(way), float(period))
        come.append(here)
        number.append(done)
        here += 1
    found, counted = repeats.come(np.arange(600.0))
    assert found.tolist() == come and counted.tolist() == number
    later, behind = repeats.come(np.arange(300.0, 400.0))
    assert later.tolist() == come[300:400] and behind.tolist() == number[300:400]
    last = {sample: way for way, sample in enumerate(come)}
    assert all(repeats.way(float(sample)) == way for sample, way in last.items())


def test_where_a_wave_repeats_itself() -> None:
    part = steady_part(create(SINE), 0.7)
    assert part is not None and (part.begin, part.end, part.frequency) == (0.5, 1.25, 4.0)
    assert [steady_part(create(SINE), t) for t in (0.0, 0.49, 1.26, 1.5)] == [None] * 4
    assert steady_part(create(Sweep(amplitude=1.0, first_frequency=1.0, last_frequency=2.0, duration=3.0)), 1.0) is None


@pytest.mark.parametrize("repeat", [0, 1])
def test_the_blocks_of_a_program_have_parts_of_their_own(repeat: int) -> None:
    inner = Program(segments=(SINE, Ramp(start=0.0, end=0.0, duration=1.0)), repeats=2)
    made = create(Program(segments=(Sine(amplitude=1.0, frequency=1.0, cycles=2, soft_start=0.5, soft_stop=0.5), inner)))
    first = 3.0 + 2.5 * repeat
    part = steady_part(made, first + 0.7)
    assert part is not None and part.begin == pytest.approx(first + 0.5) and part.frequency == 4.0
    assert steady_part(made, first + 1.7) is None and steady_part(made, 1.0).frequency == 1.0  # type: ignore[union-attr]
