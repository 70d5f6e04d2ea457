import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.display.sources.history import BIN, History
from rig.display.sources.reduction import bounds, loop, merge, zigzag


@given(n=st.integers(1, 500), step=st.integers(1, 70), seed=st.integers(0, 99))
def test_bounds_hold_every_sample_and_touch_it(n: int, step: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=n)
    low, high = bounds(values, step)
    assert len(low) == -(-n // step)
    bins = [values[i : i + step] for i in range(0, n, step)]
    assert low.tolist() == [b.min() for b in bins]
    assert high.tolist() == [b.max() for b in bins]


def test_a_single_sample_spike_survives() -> None:
    values = np.zeros(51200, dtype=np.float32)
    values[31234] = 7.0
    _, high = bounds(values, 64)
    _, high = merge(high, high, 4)
    assert high.max() == 7.0
    assert np.argmax(high) == 31234 // 256


def test_nan_counts_only_where_there_is_nothing_else() -> None:
    low, high = bounds(np.array([np.nan, 1.0, 2.0, np.nan, np.nan, np.nan]), 2)
    assert low[:2].tolist() == [1.0, 2.0]
    assert high[:2].tolist() == [1.0, 2.0]
    assert np.isnan(low[2])
    assert np.isnan(high[2])


@pytest.mark.parametrize("count", [0, 1, 2, 3, 8])
def test_zigzag_keeps_both_bounds_of_each_bin(count: int) -> None:
    low, high = np.arange(count, dtype=float), np.arange(count, dtype=float) + 10.0
    pairs = zigzag(low, high).reshape(-1, 2)
    assert np.sort(pairs, axis=1).tolist() == np.stack([low, high], axis=1).tolist()


def test_zigzag_of_a_thin_line_moves_by_one_bin_at_a_time() -> None:
    values = np.linspace(0.0, 1.0, 6400)
    line = zigzag(*bounds(values, 64))
    assert np.abs(np.diff(line)).max() <= 1.01 * 64 / 6400


def test_loop_keeps_the_extremes_and_the_order_of_time() -> None:
    phase = np.linspace(0.0, 2 * np.pi, 17001)
    x, y = np.sin(phase), np.cos(phase) + 0.2 * np.sin(7 * phase)
    y[9000] = 3.0
    fewer_x, fewer_y = loop(x, y, 43)
    assert len(fewer_x) < len(x) / 8
    assert (fewer_x.min(), fewer_x.max(), fewer_y.max()) == (x.min(), x.max(), 3.0)
    positions = [np.flatnonzero((x == a) & (y == b))[0] for a, b in zip(fewer_x, fewer_y, strict=True)]
    assert positions == sorted(positions)
    # No point of the full loop is far from the reduced one.
    distance = np.abs((fewer_x + 1j * fewer_y)[:, None] - (x + 1j * y)[None, ::37]).min(axis=0)
    assert distance.max() < 0.05


def test_loop_drops_missing_samples() -> None:
    x = np.array([0.0, np.nan, 2.0])
    y = np.array([0.0, 1.0, 2.0])
    assert [v.tolist() for v in loop(x, y, 10)] == [[0.0, 2.0], [0.0, 2.0]]


def _filled(sizes: list[int], first: int, seed: int = 0) -> tuple[History, np.ndarray]:
    history = History(channels=2, samples=4096, bins=1024)
    values = np.random.default_rng(seed).normal(size=(sum(sizes), 2)).astype(np.float32)
    n = 0
    for size in sizes:
        history.append(first + n, values[n : n + size])
        n += size
    return history, values


@given(
    sizes=st.lists(st.integers(0, 9000), min_size=1, max_size=12), first=st.integers(0, 10**7), step=st.sampled_from([1, 7, 63, 64, 200])
)
def test_history_gives_back_what_came(sizes: list[int], first: int, step: int) -> None:
    history, values = _filled(sizes, first)
    if history.empty:
        return
    end = first + len(values)
    assert (history.begin, history.end) == (first, end)
    n, newest = history.samples(1, end - 4096, end)
    assert np.array_equal(newest, values[n - first :, 1])
    begin, used, low, high = history.bounds(0, end - 3000, end, step)
    for i, (a, b) in enumerate(zip(low, high, strict=True)):
        part = values[max(0, begin + i * used - first) : begin + (i + 1) * used - first, 0]
        assert (a, b) == (part.min(), part.max())
    assert begin + len(low) * used >= end


def test_history_reaches_back_in_bins_further_than_in_samples() -> None:
    history, values = _filled([30000], first=0)
    begin, used, _, high = history.bounds(0, 0, 30000, 16)
    assert (begin, used) == (0, BIN)
    assert high.max() == values[:, 0].max()


@pytest.mark.parametrize("gap", [1, BIN, 5000, 10**6, 10**9])
def test_a_gap_is_drawn_as_nothing(gap: int) -> None:
    history, _ = _filled([5000], first=100)
    resumed = history.end + gap
    history.append(resumed, np.ones((1000, 2)))
    n, values = history.samples(0, resumed - 3000, resumed + 1000)
    missing = values[max(0, resumed - n - gap) : resumed - n]
    assert len(missing) == min(gap, resumed - n)
    assert np.isnan(missing).all()
    _, _, low, high = history.bounds(0, resumed + BIN, resumed + 1000, BIN)
    assert (low == 1.0).all()
    assert (high == 1.0).all()


def test_samples_that_came_already_change_nothing() -> None:
    history, values = _filled([3000], first=0)
    history.append(1000, np.full((2000, 2), 99.0))
    assert np.array_equal(history.samples(0, 0, 3000)[1], values[:, 0])
    assert history.end == 3000
