"""Least squares behind a delay, against plain regression and noise whose statistics are known."""

import numpy as np
import pytest

from rig.comparison.delays import fits as fitting
from rig.comparison.delays.certainty import ALONE, MOST_OF_IT, _elsewhere, _single
from rig.comparison.delays.fits import Fits
from rig.comparison.delays.fractional_shift import shifted
from rig.comparison.delays.profile import Profile
from tests.unit.rig.comparison.regression import N, fits, inside, regression, smooth

n = np.arange(N)


# -- one fit -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("late", [0.0, 3.0, -2.4])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_fit_has_its_best_gain_and_offset_or_none_of_that_sign(late, sign):
    measured, predicted, w = -0.7 * smooth(1) + 0.1 * smooth(2) + 5.0, smooth(1) + 9.0, inside()
    one = fits(measured, predicted, w)
    gain, _, fit = regression(measured, predicted, w, late)
    assert gain < 0.0
    found = one.at(late, sign)
    assert np.all(found[~w] == 0.0)
    np.testing.assert_allclose(found[w], fit if sign < 0.0 else 0.0, atol=1e-9)
    assert one.power == pytest.approx(np.sum((measured[w] - np.mean(measured[w])) ** 2))
    assert one.nothing.tolist() == [0.0] * N


def test_a_constant_explains_nothing():
    assert fits(smooth(1), np.full(N, 3.0), inside()).at(0.0).tolist() == [0.0] * N


def test_the_slope_is_what_a_sample_of_shift_changes():
    line = fits(smooth(1), 0.5 * n, inside())
    np.testing.assert_allclose(line.slope(2.5), 0.5)
    assert len(line.slope(2.5)) == np.count_nonzero(inside())


@pytest.mark.parametrize("late", [0.0, 0.31, -0.74, 5.3, -2.0])
def test_the_refined_minimum_is_that_of_plain_regression(late):
    """Also from up to three samples away; from further it runs away."""
    predicted, w = smooth(3) + 4.0, inside()
    measured = 2.0 * shifted(predicted, late) + 0.05 * smooth(4, corner=0.1)
    one = fits(measured, predicted, w)
    grid = np.arange(late - 1.0, late + 1.0, 0.01)
    least = grid[np.argmin([regression(measured, predicted, w, x)[1] for x in grid])]
    for whole in (round(late), round(late) + 1, round(late) - 2):
        assert one.refined(whole) == pytest.approx(least, abs=0.02)
    assert one.refined(round(late) + 8) is None


@pytest.mark.parametrize("fraction", [0.0, 0.4, -0.9])
@pytest.mark.parametrize("there", [3, fitting.BLOCK + 100])
def test_the_residual_of_a_fraction_is_that_of_plain_regression(fraction, there):
    """Gain and offset are at their best there, too, however many samples are summed at a time; predicted and measured have means."""
    count = max(N, there + 200)
    predicted, measured = smooth(5, count) + 2.0, 0.5 * smooth(6, count) + smooth(5, count) - 3.0
    w = np.zeros(count, dtype=bool)
    w[50 : 50 + max(there, 60)] = True
    one = Fits(np.where(w, measured, 0.0), predicted, w)
    asked = regression(measured, predicted, w, 7 + fraction)[1]
    assert fitting._residual_at(fraction, one._gram(7)) == pytest.approx(asked, rel=1e-6)


# -- how sure ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [1, 9])
def test_a_deviation_is_that_of_the_sum_of_products(colour):
    """400 noises of standard deviation 0.3, white and averaged over 9 samples, times a sine."""
    w, other = inside(100), np.where(inside(100), np.sin(n / 20.0), 0.0)
    sums, told = [], []
    for seed in range(400):
        x = np.convolve(0.3 * np.random.default_rng(seed).standard_normal(N), np.ones(colour) / colour, "same")
        residual = np.where(w, x, 0.0)
        sums.append(float(residual @ other))
        told.append(fits(residual, other, w).deviation(residual, other))
    assert np.sqrt(np.mean(np.square(told))) == pytest.approx(np.std(sums), rel=0.12)
    if colour == 1:
        assert np.mean(told) == pytest.approx(0.3 * np.linalg.norm(other), rel=0.03)


def test_of_several_stretches_the_deviations_are_added_and_empty_ones_are_none():
    w = inside(50)
    w[N // 2 - 50 : N // 2 + 50] = False
    w[3 * N // 4 :] = False
    residual, other = (np.where(w, x, 0.0) for x in (np.random.default_rng(1).standard_normal(N), np.sin(n / 20.0)))
    seams = [N // 2, 3 * N // 4]
    parts = [slice(0, N // 2), slice(N // 2, 3 * N // 4)]
    alone = [fits(residual[part], other[part], w[part]).deviation(residual[part], other[part]) for part in parts]
    assert fits(residual, other, w, seams).deviation(residual, other) == pytest.approx(sum(alone))


def test_a_spectrum_is_averaged_over_its_neighbours_and_mirrored_at_its_ends():
    """1.5 lines to either side of the middle of a line: it, and one to either side."""
    spectrum = np.array([0.0, 3.0, 0.0, 0.0, 9.0])
    np.testing.assert_allclose(fitting.averaged(spectrum, 1.5), np.array([6.0, 3.0, 3.0, 9.0, 9.0]) / 3.0)
    np.testing.assert_allclose(fitting.averaged(spectrum, 1.0), np.array([3.0, 3.0, 1.5, 4.5, 9.0]) / 2.0)
    np.testing.assert_allclose(fitting.averaged(np.full(9, 2.0), 2.7), 2.0)


def test_one_fit_tells_where_it_gains_three_deviations_on_either_of_both():
    """The gain is sum(D^2) + 2 sum(r D), to be more than 2 x 3 standard deviations of sum(r D): a line that is added by 5.5 and 6.5."""
    w, wave = inside(0), np.sin(2.0 * np.pi * 40.0 * n / N)
    residual = np.random.default_rng(7).standard_normal(N)
    residual -= wave * (residual @ wave) / (wave @ wave)
    deviation = fits(residual, wave, w).deviation(residual, wave)
    for share, tells in ((5.5, False), (6.5, True)):
        size = share * deviation / (wave @ wave)  # size^2 (w w) against 6 size deviation
        measured = residual + size * wave
        one = fits(measured, wave, w)
        assert one.tells(size * wave, one.nothing) is tells
        assert not one.tells(one.nothing, size * wave), "the worse one never does"


@pytest.mark.parametrize(("share", "tells"), [(0.4, False), (0.6, True), (1.4, True)])
def test_a_fit_that_is_not_the_best_is_judged_by_what_it_leaves(share, tells):
    """Measured lies `share` of the way from the other one: what is left is 1 - share against share, squared, of a thousand lines."""
    w, other, way = inside(0), np.sin(n / 20.0), np.random.default_rng(5).standard_normal(N)
    one = Fits(other + share * way, other, w)
    assert one.tells(other + way, other) is tells


def test_what_differs_by_rounding_does_not_tell():
    w = inside(0)
    wave, little = np.sin(2.0 * np.pi * 5.0 * n / N), np.cos(2.0 * np.pi * 9.0 * n / N)
    for size, tells in ((2e-5, False), (5e-5, True)):  # the share of the power is its square: 4e-10, 2.5e-9
        one = fits(wave + size * little, wave, w)
        assert one.tells(wave + size * little, wave) is tells


# -- what makes it doubtful ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "single"), [(0.92, True), (0.88, False)])
@pytest.mark.parametrize("where", [0, 700, 1600 - 100])
def test_one_event_is_nine_tenths_of_it_within_a_sixteenth(share, single, where):
    assert (ALONE, MOST_OF_IT) == (1.0 / 16.0, 0.9)
    slope = np.full(1600, np.sqrt((1.0 - share) / 1500.0))
    slope[where : where + 100] = np.sqrt(share / 100.0)
    assert _single(slope) is single
    spread = np.full(1600, 1e-9)
    spread[where - 30 if where else 0 :][:130] = 1.0
    assert not _single(spread), "130 samples hold no 90 % in 100"
    assert not _single(np.ones(15)), "too short to have one event in a sixteenth"


def test_the_next_best_minimum_is_the_lowest_one_that_is_another():
    """A wave of period 20: its other minima, by how far they are away and how deep."""
    w = inside(100)
    wave = np.sin(2.0 * np.pi * n / 20.0)
    one = fits(shifted(wave, 3.0) + 0.01 * smooth(1), wave, w)
    along = Profile.from_fits(one, 30).along
    found = _elsewhere(one, along, 3.0, 2.0)
    assert found == pytest.approx(23.0, abs=0.1) or found == pytest.approx(-17.0, abs=0.1)
    assert _elsewhere(one, along, 3.0, 25.0) is None
    assert _elsewhere(one, along, 23.0, 21.0) == pytest.approx(-17.0, abs=0.1)
    along[30 - 17] += 1e-3
    assert _elsewhere(one, along, 3.0, 2.0) == pytest.approx(23.0, abs=0.1)
    along[30 + 23], along[30 + 24], along[30 - 17], along[30 - 16] = 0.0, 1e6, 1.0, 1.0
    assert _elsewhere(one, along, 3.0, 2.0) == pytest.approx(23.0, abs=0.1), "by the minimum itself"
