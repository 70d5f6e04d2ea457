import numpy as np
import pytest

from rig.comparison.impacts.spikes import matched, rough, spikes, threshold

RATE = 20e3


def course(hits: dict[int, float], seed: int = 1) -> np.ndarray:
    """A slow wave with noise, and a spike of 3 samples at each place."""
    rng = np.random.default_rng(seed)
    x = 100.0 * np.sin(2.0 * np.pi * 5.0 * np.arange(20_000) / RATE) + 0.2 * rng.standard_normal(20_000)
    for at, size in hits.items():
        x[at - 1 : at + 2] += size * np.array([0.4, 1.0, 0.4])
    return x


def test_each_spike_is_found_once_where_it_is_and_as_strong_as_it_is():
    hits = {1000: 50.0, 5000: -30.0, 5030: 12.0, 9000: 20.0}
    off = rough(course(hits), RATE)
    found = spikes(off, threshold(off), apart=100)
    assert found.at.tolist() == [1000, 5000, 9000]  # what bounces belongs to the first
    assert found.strength == pytest.approx([50.0, 30.0, 20.0], abs=1.5)
    assert spikes(off, threshold(off), apart=10).at.tolist() == [1000, 5000, 5030, 9000]


def test_a_course_without_a_spike_has_none():
    off = rough(course({}), RATE)
    assert len(spikes(off, threshold(off), apart=100)) == 0
    assert len(spikes(np.zeros(100), threshold(np.zeros(100)), 10)) == 0


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        ([10, 100, 200], [12, 101, 300], [(0, 0), (1, 1)]),
        ([100], [96, 103], [(0, 1)]),  # the nearer one
        ([100, 104], [103], [(1, 0)]),  # and each once
        ([100], [106], []),  # too far
        ([], [5], []),
    ],
)
def test_spikes_are_matched_one_to_one(first, second, pairs):
    one, other = matched(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), within=5)
    assert list(zip(one.tolist(), other.tolist(), strict=True)) == pairs


def test_of_many_none_is_matched_twice_and_swapping_sides_changes_nothing():
    rng = np.random.default_rng(3)
    first, second = (np.unique(rng.integers(0, 3000, 200)) for _ in range(2))
    one, other = matched(first, second, 4)
    assert len(set(one.tolist())) == len(one) and len(set(other.tolist())) == len(other)
    assert (np.abs(first[one] - second[other]) <= 4).all()
    swapped = matched(second, first, 4)
    assert len(swapped[0]) == len(one)
