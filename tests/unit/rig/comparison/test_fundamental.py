"""Amplitude and phase at the commanded frequency."""

import numpy as np
import pytest

from rig.comparison.fundamental import fundamental

RATE, FREQUENCY = 51203.277, 3.0


def wave(count: int) -> tuple[np.ndarray, np.ndarray]:
    phase = 2.0 * np.pi * FREQUENCY * np.arange(count) / RATE
    return 5.0 + 2.0 * np.sin(phase + 0.3), phase


@pytest.mark.parametrize("cycles", [1, 2, 7])
def test_whole_cycles_give_it(cycles):
    """Also one cycle, whose samples end up to one short of it."""
    found = fundamental(*wave(int(cycles * RATE / FREQUENCY)))
    assert found == pytest.approx(2.0 * np.exp(0.3j), rel=1e-9)


def test_less_than_a_cycle_gives_none():
    assert fundamental(*wave(int(0.999 * RATE / FREQUENCY))) is None
