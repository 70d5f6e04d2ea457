"""An even rate out of stamps of time, and the samples that are missing on it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.exchange import time_axis
from rig.exchange.time_axis import OnGrid, axis_of
from tests.thorough import times


@given(
    st.floats(0.1, 1e6),
    st.floats(-1e4, 1e4),
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 5)), min_size=2, max_size=20),
    st.integers(0, 2**31),
)
@settings(max_examples=times(60, thorough=200), deadline=None)
def test_gaps_are_found_wherever_they_are(rate: float, begin: float, runs: list[tuple[int, int]], seed: int) -> None:
    """runs: (samples, how many are missing behind them)."""
    there = np.concatenate([np.tile([True, False], (1, 1)).repeat([count, missing]) for count, missing in runs])
    there = np.concatenate([[True] * 40, there, [True] * 40])
    grid = np.flatnonzero(there)
    rng = np.random.default_rng(seed)
    times = begin + (grid + rng.uniform(-0.02, 0.02, len(grid))) / rate
    found = axis_of(times, "the time")
    values = rng.normal(size=len(grid))
    assert found.samples == len(there)
    assert found.rate == pytest.approx(rate, rel=1e-3)
    due = np.full(len(there), np.nan)
    due[grid] = values
    on_grid = OnGrid(values, found)
    assert np.array_equal(on_grid[0 : len(there)], due, equal_nan=True)
    a, b = sorted(rng.integers(0, len(there), 2))
    assert np.array_equal(on_grid[a:b], due[a:b], equal_nan=True)


def test_in_pieces_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = np.delete(np.arange(5000), [*range(1000, 1100), 2999, 3000])
    whole = axis_of(grid / 100.0, "the time")
    monkeypatch.setattr(time_axis, "BLOCK", 333)
    assert axis_of(grid / 100.0, "the time") == whole
    assert whole.gaps == ((1000, 100), (2999, 2)) and whole.rate == 100.0


def test_a_rate_that_was_rounded_is_what_it_was_meant_to_be() -> None:
    assert axis_of(np.round(np.arange(5000) / 51200.0, 7), "the time").rate == 51200.0


def test_a_rate_that_drifts_is_not_even() -> None:
    times = np.arange(5000) / 100.0 * (1.0 + 1e-3 * np.arange(5000) / 5000.0)
    with pytest.raises(ValueError, match="is not even"):
        axis_of(times, "the time")


def test_years_ahead_are_damage() -> None:
    with pytest.raises(ValueError, match="jumps from 49 to 1e"):
        axis_of(np.append(np.arange(50.0), 1e12), "the time")
