"""Which cycles of a held test were run at full pace, in made commands."""

from __future__ import annotations

import numpy as np
from held_cycles import at_full_pace, errors, slowest_steps

CYCLE = 200  # samples at full pace


def command(paces: list[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    """(cycle, phase) of so many samples at each pace, one behind the other."""
    steps = np.concatenate([np.full(samples, pace) for samples, pace in paces]) * 2.0 * np.pi / CYCLE
    phase = np.concatenate([[0.0], np.cumsum(steps)[:-1]])
    return np.floor(phase / (2.0 * np.pi) + 1e-9), phase


UNHELD = slowest_steps(*command([(12 * CYCLE, 1.0)]))


def test_a_cycle_at_nine_tenths_of_the_pace_is_a_held_one_however_long_the_test_was_slow() -> None:
    # Cycles 0 and 1, 3.2 slow ones that last as long as 40, 0.6 of cycle 5 at nine tenths; from 6 on as it should be.
    cycle, phase = command([(2 * CYCLE, 1.0), (40 * CYCLE, 0.08), (2 * CYCLE // 3, 0.9), (1, 0.2), (5 * CYCLE, 1.0)])
    steps = slowest_steps(cycle, phase)
    assert at_full_pace(steps, UNHELD) == {0, 1, 7, 8, 9, 10}
    assert 0.9 * 2.0 * np.pi / CYCLE > 5.0 * np.median(np.diff(phase)), "by the median this cycle would pass for one at full pace"


def test_the_first_cycle_behind_a_held_one_is_left_out_and_the_second_is_not() -> None:
    cycle, phase = command([(2 * CYCLE, 1.0), (CYCLE // 2, 1.0), (50, 0.0), (CYCLE // 2, 1.0), (4 * CYCLE, 1.0)])
    assert at_full_pace(slowest_steps(cycle, phase), UNHELD) == {0, 1, 4, 5, 6}


def test_an_error_is_that_of_a_shifted_sine() -> None:
    cycle, phase = command([(3 * CYCLE, 1.0)])
    found = errors(cycle, np.sin(phase), np.sin(phase - 0.1))
    assert np.allclose(list(found.values()), 2.0 * np.sin(0.05), rtol=1e-9)
