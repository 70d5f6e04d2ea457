"""How the time is cut into calls must not be seen in what comes out: the devices ask whenever a client happens to."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.virtual.plants.linkage_frame import Config

RATE = 51200.0
LINES = np.array([True, False, True, True, False])
SAMPLES = 400


def volts_at(times):
    """A staircase, as an output that is updated at every sample makes it."""
    return 2.0 * np.sin(2 * np.pi * 40.0 * np.floor(times * RATE + 0.5) / RATE)


def fresh(delay=0.0):
    frame = Config(force_delay=delay).create(seed=7)
    start = np.zeros(1), np.zeros((1, 1))
    frame.advance(*start, np.array([True, False, False, False, False]))
    frame.advance(*start, np.array([True, False, True, False, False]))
    return frame


def play(frame, cuts, extra):
    """Outputs at the samples, with calls that end at `cuts` and instants in between that somebody else asked for."""
    times = np.arange(1, SAMPLES + 1) / RATE
    grid = np.unique(np.concatenate([times, extra]))
    volts = volts_at(times[np.searchsorted(times, grid, side="left").clip(max=SAMPLES - 1)])[:, np.newaxis]
    ends = np.unique([*cuts, len(grid)])
    parts = [frame.advance(grid[a:b], volts[a:b], LINES) for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    return np.concatenate(parts)[np.isin(grid, times)]


@given(
    cuts=st.lists(st.integers(1, SAMPLES - 1), max_size=12),
    extra=st.lists(st.floats(1e-6, (SAMPLES - 1) / RATE), max_size=12),
    delay=st.sampled_from([0.0, 37 / RATE, 1.2345e-4]),
)
def test_cutting_differently_gives_the_same_bits(cuts, extra, delay):
    whole = play(fresh(delay), [], [])
    assert np.array_equal(play(fresh(delay), cuts, extra), whole)
    assert np.abs(whole[:, 0]).max() > 0  # something did move
