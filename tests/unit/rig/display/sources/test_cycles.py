import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.display.sources.cycles import CycleErrors


def _test(cycles: int, length: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rest, `cycles` cycles, rest: cycle, measured, predicted."""
    random = np.random.default_rng(seed)
    cycle = np.concatenate([np.full(length // 2, -1.0), np.repeat(np.arange(cycles), length), np.full(length // 2, -1.0)])
    measured = random.normal(size=len(cycle))
    return cycle, measured, measured + 0.1 * random.normal(size=len(cycle))


@given(cycles=st.integers(1, 8), length=st.integers(2, 60), cuts=st.lists(st.integers(0, 600), max_size=8), seed=st.integers(0, 9))
def test_errors_do_not_depend_on_how_the_samples_are_cut(cycles: int, length: int, cuts: list[int], seed: int) -> None:
    cycle, measured, predicted = _test(cycles, length, seed)
    errors = CycleErrors()
    places = sorted({0, len(cycle), *(min(cut, len(cycle)) for cut in cuts)})
    for a, b in itertools.pairwise(places):
        errors.append(cycle[a:b], measured[a:b], predicted[a:b])
    rows = errors.rows
    assert rows[:, 0].tolist() == list(range(cycles))
    for number, rms, low, high in rows:
        m, p = measured[cycle == number], predicted[cycle == number]
        peak = np.abs(m).max()
        assert rms == pytest.approx(np.sqrt(np.mean((m - p) ** 2)) / peak)
        assert low == high == pytest.approx((np.abs(p).max() - peak) / peak)


def test_a_cycle_that_was_not_seen_from_its_beginning_is_left_out() -> None:
    cycle, measured, predicted = _test(5, 40)
    errors = CycleErrors()
    errors.append(cycle[50:100], measured[50:100], predicted[50:100])  # begins within cycle 0
    errors.jump()
    errors.append(cycle[150:], measured[150:], predicted[150:])  # within cycle 3
    assert errors.rows[:, 0].tolist() == [4.0]


@given(cut=st.integers(1, 150), n=st.integers(0, 240))
def test_what_was_known_at_a_sample_are_the_cycles_that_had_ended(cut: int, n: int) -> None:
    parts, errors = _test(4, 40), CycleErrors()
    for first in range(0, len(parts[0]), cut):
        errors.append(*(values[first : first + cut] for values in parts), first)
    assert errors.known(n)[:, 0].tolist() == [number for number in range(4) if 20 + 40 * (number + 1) <= n]


def test_of_cycles_that_were_merged_the_later_end_counts() -> None:
    errors, ones = CycleErrors(kept=8), np.ones(10)
    for number in range(-1, 40):
        errors.append(np.full(10, float(number)), ones, ones, 10 * (number + 1))
    rows = errors.rows
    for n in range(0, 420, 10):
        seen = errors.known(n)[:, 0]
        assert seen.tolist() == rows[: len(seen), 0].tolist()
        following = rows[1:, 0][len(seen) - 1 : len(seen)] if len(seen) else rows[1:2, 0]
        assert all(10 * (begin + 1) > n - 10 * 8 for begin in following)  # at the most one merged row is kept back


def test_missing_samples_do_not_count() -> None:
    cycle, measured, predicted = _test(2, 50)
    predicted[80:90] = np.nan
    measured[75:125] = np.nan  # cycle 1, all of it
    errors = CycleErrors()
    errors.append(cycle, measured, predicted)
    m, p = measured[25:75], predicted[25:75]
    assert errors.rows[:, 0].tolist() == [0.0]
    assert errors.rows[0, 1] == pytest.approx(np.sqrt(np.mean((m - p) ** 2)) / np.abs(m).max())


def test_memory_stays_and_no_extreme_is_lost() -> None:
    errors = CycleErrors(kept=8)
    ones = np.ones(2)
    for number in range(-1, 1000):
        errors.append(np.full(2, float(number)), ones, ones * (1.5 if number == 321 else 1.0))
    rows = errors.rows
    assert len(rows) <= 8
    assert errors._rows.shape == (8, 4)
    assert rows[:, 3].max() == 0.5
    assert (rows[0, 0], np.all(np.diff(rows[:, 0]) > 0)) == (0.0, True)


def test_cycles_that_come_twice_are_shown_once_and_in_order() -> None:
    cycle, measured, predicted = _test(6, 30)
    errors = CycleErrors()
    errors.append(cycle[60:], measured[60:], predicted[60:])
    errors.jump()
    errors.append(cycle[:140], measured[:140], predicted[:140])
    assert errors.rows[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
