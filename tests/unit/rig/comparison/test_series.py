"""Signals that are computed where they are sliced: shifts, gaps, filters and what these remember."""

import math

import numpy as np
import pytest
import scipy

from rig.comparison.delays.fractional_shift import REACH, Shifted, shifted, weights
from rig.comparison.filtering import Bandpassed, Lowpassed, Usable, passable, slowest
from rig.comparison.gap_filling import GapFilled
from rig.comparison.series import ends, pieces

RATE = 1000.0
NAN = math.nan


# -- shifts --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "error"), [(0.05, 1e-6), (0.1, 1e-4)])
def test_half_a_sample_is_as_right_as_it_is_said_to_be(share, error):
    """Of a sine at a twentieth and at a tenth of the rate; the ends, where values are held, aside."""
    n = np.arange(400.0)
    x = np.sin(2.0 * np.pi * share * n)
    for late in (0.5, -0.5, 7.5, 0.25):
        inner = slice(20, -20)
        np.testing.assert_allclose(shifted(x, late)[inner], np.sin(2.0 * np.pi * share * (n - late))[inner], atol=error)


def test_later_is_later_and_the_ends_are_held():
    x = np.array([1.0, 2.0, 4.0, 8.0])
    assert shifted(x, 1).tolist() == [1.0, 1.0, 2.0, 4.0]
    assert shifted(x, -1).tolist() == [2.0, 4.0, 8.0, 8.0]
    assert shifted(x, 9).tolist() == [1.0] * 4
    assert shifted(x, -9).tolist() == [8.0] * 4
    line = np.arange(30.0)
    np.testing.assert_allclose(shifted(line, 2.25)[10:20], line[10:20] - 2.25)
    np.testing.assert_allclose(shifted(np.full(5, 3.0), 0.5), 3.0)
    assert Shifted(x, 0.5)[2:2].tolist() == []


def test_weights_of_a_whole_sample_take_that_sample():
    for k in range(-REACH, REACH + 1):
        assert weights(float(k)) == pytest.approx(np.eye(2 * REACH + 1)[k + REACH])


# -- gaps ----------------------------------------------------------------------------------------------------------------------------


def test_gaps_are_bridged_by_lines_and_ends_are_held():
    x = np.array([NAN, 1.0, NAN, NAN, 4.0, math.inf])
    assert GapFilled(x)[:].tolist() == [1.0, 1.0, 2.0, 3.0, 4.0, 4.0]
    for first in range(6):
        for last in range(first + 1, 7):
            assert GapFilled(x)[first:last].tolist() == [1.0, 1.0, 2.0, 3.0, 4.0, 4.0][first:last]
    assert GapFilled(np.full(3, NAN))[1:].tolist() == [0.0, 0.0]


def test_gaps_are_bridged_wherever_they_are_first_looked_at():
    """Each from a look into the gap alone, and from a later one before."""
    x, lines = np.array([0.0, NAN, 2.0, NAN, NAN, 8.0, NAN, NAN, 14.0]), [0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]
    for n in range(9):
        assert GapFilled(x)[n : n + 1].tolist() == [lines[n]]
        for other in range(9):
            series = GapFilled(x)
            assert (series[other : other + 1].tolist(), series[n : n + 1].tolist()) == ([lines[other]], [lines[n]])
    assert GapFilled(np.array([1.0, NAN, NAN]))[2:].tolist() == [1.0]
    assert GapFilled(np.array([NAN, NAN, 1.0]))[:1].tolist() == [1.0]


class Counting:
    """A signal (N,) of nothing but two samples; `read`: how many have been asked for."""

    def __init__(self, count: int) -> None:
        self._count, self.read = count, 0

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, part: slice) -> np.ndarray:
        first, last = ends(part, self._count)
        self.read += last - first
        x = np.full(last - first, NAN)
        for n in (0, self._count - 1):
            if first <= n < last:
                x[n - first] = 1.0
        return x


def test_a_long_gap_is_looked_through_once_and_not_for_every_piece_of_it():
    """Once for its own sake, once to find where it ends and once where it began."""
    x = Counting(20 << 16)
    series = GapFilled(x)
    for part in pieces(0, len(x)):
        assert series[part][0] == 1.0
    assert x.read < 3.5 * len(x)


def test_a_gap_longer_than_a_piece_is_bridged_from_its_ends():
    """However it is gone through: in order, backwards, once more."""
    count = 3 << 16
    x = np.full(count, NAN)
    x[10], x[count - 11] = 0.0, float(count - 21)
    series = GapFilled(x)
    for first in (100, 70_000, 140_000, 70_000, 100, count - 50, 5):
        np.testing.assert_allclose(series[first : first + 3], np.clip(np.arange(first, first + 3) - 10.0, 0.0, count - 21.0))


# -- filters -------------------------------------------------------------------------------------------------------------------------


def test_a_sample_is_usable_again_when_the_filter_has_forgotten_what_was_missing():
    """Two over the corner: 40 samples at 50 Hz and 1 kHz; without a filter at once."""
    x = np.zeros(200)
    x[[0, 100]] = NAN
    assert np.flatnonzero(~Usable(x, RATE, 50.0)[:]).tolist() == [*range(41), *range(100, 141)]
    assert np.flatnonzero(~Usable(x, RATE, None)[:]).tolist() == [0, 100]
    assert not Usable(x, RATE, 50.0)[140:141][0] and Usable(x, RATE, 50.0)[141:142][0]
    assert Usable(x, RATE, 50.0)[1:3].tolist() == [False, False]
    assert Usable(x, RATE, 50.0)[130:142].tolist() == [False] * 11 + [True]
    assert Usable(x, RATE, 50.0)[30:50].tolist() == [False] * 11 + [True] * 9
    one = Usable(x, RATE, 50.0)
    assert one[90:101].tolist() == [True] * 10 + [False]
    assert one[101:101].tolist() == []
    assert one[101:143].tolist() == [False] * 40 + [True] * 2


def test_a_corner_that_the_rate_cannot_hold_is_none():
    assert [passable(corner, RATE) for corner in (None, 499.0, 500.0, 600.0)] == [None, 499.0, None, None]
    x = np.random.default_rng(1).standard_normal(50)
    assert np.array_equal(Lowpassed(x, RATE, 500.0)[:], x)
    assert not np.array_equal(Lowpassed(x, RATE, 499.0)[:], x)


@pytest.mark.parametrize(("corner", "gain"), [(50.0, 0.5**0.5), (25.0, 0.2425), (100.0, 0.9701)])
def test_the_low_pass_has_two_poles(corner, gain):
    """At 50 Hz: |H| = 1/sqrt(1 + (f/corner)^4), bent a little by the bilinear transform."""
    x = np.sin(2.0 * np.pi * 50.0 * np.arange(4000) / RATE)
    assert np.sqrt(2.0) * np.std(Lowpassed(x, RATE, corner)[:][2000:]) == pytest.approx(gain, rel=0.02)


def test_a_band_forgets_as_slowly_as_its_slowest_pole():
    """By the poles of scipy's analogue design: the least damped one rings longest; a low-pass of corner c has them at -c/sqrt(2)."""
    for band in ((100.0, 300.0), (100.0, 110.0), (5.0, 300.0), (40.0, 60.0)):
        poles = scipy.signal.butter(2, band, "bandpass", analog=True, output="zpk")[1]
        assert slowest(band) == pytest.approx(2.0**0.5 * min(-poles.real))
    assert slowest((1000.0, 1001.0)) == pytest.approx(0.5, rel=1e-3), "half the width"
    assert slowest((1.0, 1e5)) == pytest.approx(1.0, rel=1e-3), "the lower edge"


def test_what_a_band_remembers_is_forgotten_to_a_thousandth():
    """A blow of 1 rings; from where its neighbours are usable again it is below 0.1 % of its largest."""
    for band in ((100.0, 120.0), (100.0, 300.0), (20.0, 400.0)):
        x = np.zeros(4000)
        x[10] = 1.0
        rung = np.abs(Bandpassed(x, RATE, band)[:])
        x[10] = NAN
        good = Usable(x, RATE, slowest(band))[:]
        good[:10] = False
        assert np.max(rung[good]) < 1e-3 * np.max(rung)
        assert np.count_nonzero(~good) - 10 < 2.1 / slowest(band) * RATE


@pytest.mark.parametrize(
    "make",
    [lambda x: Lowpassed(x, RATE, 50.0), lambda x: Lowpassed(x, 10.0, 0.5), lambda x: Bandpassed(x, RATE, (40.0, 60.0)),
     lambda x: Bandpassed(x, 10.0, (0.5, 1.0))],
)  # fmt: skip
def test_what_was_asked_for_can_be_asked_for_again(make):
    """Slices that overlap, go back a little, or are empty."""
    x = np.random.default_rng(2).standard_normal(3000)
    at_once, series = make(x)[:], make(x)
    for first, last in ((0, 100), (50, 150), (50, 60), (60, 150), (150, 150), (149, 1000), (1000, 1001), (0, 10), (2000, 3000)):
        np.testing.assert_allclose(series[first:last], at_once[first:last], atol=1e-12)
        np.testing.assert_allclose(make(x)[first:last], at_once[first:last], atol=1e-12)
    np.testing.assert_allclose(make(x)[1:50], at_once[1:50], atol=1e-12)
