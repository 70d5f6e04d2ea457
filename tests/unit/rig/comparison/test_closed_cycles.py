"""Figures of a cycle: the same bits however the samples come, and what their definitions say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.comparison import closed_cycles
from rig.comparison.closed_cycles import COLUMNS, ClosedCycles, figures, levels


def signals(seed: int, lengths: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """measured, predicted, and the streamed cycle, whose whole part is the number."""
    random = np.random.default_rng(seed)
    cycle = np.concatenate([number + np.linspace(0.0, 0.9, length) for number, length in enumerate(lengths)])
    measured = random.normal(3.0, 2.0, len(cycle))
    return measured, 0.8 * measured + random.normal(size=len(cycle)), cycle


def gathered(measured: np.ndarray, predicted: np.ndarray, cycle: np.ndarray, cuts: list[int]) -> ClosedCycles:
    one = ClosedCycles()
    places = sorted({0, len(cycle), *(min(cut, len(cycle)) for cut in cuts)})
    for a, b in itertools.pairwise(places):
        one.add(measured[a:b], predicted[a:b], cycle[a:b])
    return one


@pytest.mark.parametrize("block", [1 << 16, 64])
@given(
    lengths=st.lists(st.sampled_from([1, 2, 63, 64, 65, 128, 129, 700]), min_size=1, max_size=6),
    cuts=st.lists(st.integers(1, 3000), max_size=12),
    seed=st.integers(0, 9),
)
def test_no_bit_depends_on_how_the_samples_come(block: int, lengths: list[int], cuts: list[int], seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closed_cycles, "BLOCK", block)
        parts = signals(seed, lengths)
        whole, pieces = gathered(*parts, []), gathered(*parts, cuts)
        assert whole.rows.tobytes() == pieces.rows.tobytes()
        assert pieces.closed.tobytes() == whole.rows[:-1].tobytes()
    measured, predicted, cycle = parts
    for number, row in enumerate(whole.rows):
        m, p = measured[np.floor(cycle) == number], predicted[np.floor(cycle) == number]
        found = figures(row)
        assert (found.cycle, found.peak_measured, found.peak_predicted) == (number, np.max(np.abs(m)), np.max(np.abs(p)))
        assert found.rms_difference == pytest.approx(np.sqrt(np.mean((m - p) ** 2)))
        assert found.nrms == pytest.approx(np.sqrt(np.sum((m - p) ** 2) / np.sum(m**2)))
        if len(m) > 2:
            assert (found.gain, found.offset) == pytest.approx(tuple(np.polyfit(p, m, 1)), rel=1e-6)
    assert levels(whole.rows)[:, 1].tolist() == [figures(row).rms_difference for row in whole.rows]


def test_a_sum_of_all_at_once_would_not_have_the_same_bits() -> None:
    """A control: the order of the sums matters, and is kept."""
    measured, predicted, cycle = signals(1, [200_000])
    squares = np.square(measured - predicted)
    by_pieces = sum(float(np.sum(squares[k : k + 777])) for k in range(0, len(squares), 777))
    assert by_pieces != float(np.sum(squares))
    assert (
        gathered(measured, predicted, cycle, [*range(777, 200_000, 777)]).rows.tobytes()
        == gathered(measured, predicted, cycle, []).rows.tobytes()
    )


def test_cycles_go_by_their_whole_number_and_through_the_cuts() -> None:
    """One that comes again behind another is a cycle of its own."""
    cycle = np.array([2.0, 2.5, 2.9, 3.0, 3.5, 2.0])
    measured, predicted = np.array([1.0, -3.0, 2.0, -5.0, 4.0, 1.0]), np.array([-2.0, 1.0, 0.0, 6.0, -7.0, 0.5])
    for cuts in ([], [1], [2], [3], [1, 2, 3, 4, 5]):
        found = [figures(row) for row in gathered(measured, predicted, cycle, cuts).rows]
        assert [(one.cycle, one.peak_measured, one.peak_predicted) for one in found] == [(2, 3.0, 2.0), (3, 5.0, 7.0), (2, 1.0, 0.5)]
    assert ClosedCycles().rows.shape == ClosedCycles().closed.shape == (0, COLUMNS)


def test_what_has_closed_can_be_taken_once() -> None:
    one = gathered(*signals(1, [10, 10, 10]), [])
    assert one.take()[:, 0].tolist() == [0.0, 1.0] and not len(one.take())
    assert one.rows[:, 0].tolist() == [2.0]


def test_nothing_measured_and_nothing_predicted_have_no_shares() -> None:
    one = figures(gathered(np.zeros(5), np.full(5, 2.0), np.zeros(5), []).rows[0])
    assert (one.error, one.nrms, one.gain, one.offset) == (None, None, None, None)
    assert one.rms_difference == 2.0
