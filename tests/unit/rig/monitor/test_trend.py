from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.monitor.envelope import envelope
from rig.monitor.trend import MOST, Trend


def test_a_week_of_looks_stays_small_and_loses_no_peak() -> None:
    trend, chance = Trend(), np.random.default_rng(1)
    values = chance.normal(size=20_000)
    for i, value in enumerate(values):
        trend.add(0.5 * (i + 1), {"force": (value - 1.0, value + 1.0)})
    points = trend.points("force")
    assert MOST // 2 <= len(points.times) <= MOST and points.times[-1] == 10_000.0
    assert min(points.low) == values.min() - 1.0 and max(points.high) == values.max() + 1.0
    assert all(a < b for a, b in zip(points.times, points.times[1:], strict=False))


def test_what_is_not_known_has_no_points_and_time_does_not_go_back() -> None:
    trend = Trend()
    trend.add(2.0, {"force": (0.0, 1.0)})
    trend.add(2.0, {"force": (-9.0, 9.0)})
    trend.add(1.0, {"force": (-9.0, 9.0)})
    assert trend.points("force").high == (1.0,) and trend.points("stroke").times == ()


@given(st.lists(st.floats(-1e9, 1e9), max_size=300), st.integers(1, 50))
def test_an_envelope_has_every_sample_within_and_its_ends_among_them(values: list[float], stretches: int) -> None:
    samples = np.array(values)
    low, high = envelope(samples, stretches)
    assert len(low) == len(high) == min(stretches, len(samples))
    if len(samples):
        parts = np.split(samples, (np.arange(1, len(low)) * len(samples)) // len(low))
        assert [part.min() for part in parts] == low.tolist() and [part.max() for part in parts] == high.tolist()


def test_a_sample_that_is_nan_does_not_hide_the_others() -> None:
    low, high = envelope(np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, np.nan]]), 1)
    assert (low[0, 0], high[0, 0]) == (1.0, 3.0) and np.isnan(low[0, 1])
