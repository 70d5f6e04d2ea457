"""The search for a delay, against plain sums and plain regression; its range, its template and its standard deviation."""

import numpy as np
import pytest

from rig.comparison.delays import profile
from rig.comparison.delays.delay import Delay, NoDelay, _template, delay
from rig.comparison.delays.estimate import FINEST
from rig.comparison.delays.fractional_shift import REACH, shifted
from rig.comparison.delays.profile import Profile, _sums
from tests.unit.rig.comparison.regression import N, fits, inside, regression, smooth

n = np.arange(N)


# -- all whole shifts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [500, profile.BLOCK + 300])
def test_sums_over_all_shifts_are_plain_sums(count):
    """sum m(n) p(n - d), sum w(n) p(n - d), sum w(n) p(n - d)^2; one block, and two."""
    reach, rng = 5, np.random.default_rng(1)
    w = inside(20, count)
    m, p = np.where(w, rng.standard_normal(count), 0.0), rng.standard_normal(count) + 1.0
    for got, made in zip(_sums(m, p, w, reach), (lambda x: m @ x, lambda x: w @ x, lambda x: w @ x**2), strict=True):
        wanted = [made(np.roll(p, d)) for d in range(-reach, reach + 1)]  # nothing counts where it comes round
        np.testing.assert_allclose(got, wanted, atol=1e-8)


def test_the_profile_is_the_residual_of_plain_regression_with_a_gain_of_its_sign():
    reach, w = 40, inside()
    measured, predicted = np.sin(n / 6.0) + 0.3 * smooth(3), np.sin((n + 8.0) / 6.0) + 2.0
    one = fits(measured, predicted, w)
    found = Profile.from_fits(one, reach)
    for k, d in enumerate(range(-reach, reach + 1)):
        gain, residual, _ = regression(measured, predicted, w, float(d))
        assert (found.along[k], found.against[k]) == pytest.approx((residual, np.inf) if gain > 0.0 else (np.inf, residual)), d
    assert np.isfinite(found.along).any() and np.isfinite(found.against).any()


def test_the_template_has_predicted_known_around_every_sample():
    """reach + 4 samples of interpolation + 2 to either side, and none of the ends."""
    measured, predicted, w = np.zeros(N), np.zeros(N), np.ones(N, dtype=bool)
    measured[500], predicted[1000], w[1500] = np.nan, np.nan, False
    found, reach = _template(measured, predicted, w, 10)
    assert reach == 10
    margin = 10 + REACH + 2
    missing = {*range(margin), *range(N - margin, N), 500, 1500, *range(1000 - margin, 1000 + margin + 1)}
    assert set(np.flatnonzero(~found).tolist()) == missing


def test_the_range_is_halved_while_it_costs_half_of_the_samples():
    """300 samples that count in 1000, at their very beginning; a margin of 156 costs more than half of them, one of 81 does not."""
    w = np.zeros(1000, dtype=bool)
    w[:300] = True
    found, reach = _template(np.zeros(1000), np.zeros(1000), w, 150)
    assert (reach, np.flatnonzero(found)[[0, -1]].tolist()) == (75, [81, 299])
    found, reach = _template(np.zeros(1000), np.zeros(1000), w, 144)
    assert (reach, np.flatnonzero(found)[[0, -1]].tolist()) == (144, [150, 299])
    none = np.zeros(1000, dtype=bool)
    none[0] = True
    assert _template(np.zeros(1000), np.zeros(1000), none, 40)[1] <= REACH, "it ends"


# -- the delay -----------------------------------------------------------------------------------------------------------------------


def test_sigma_of_a_sine_in_white_noise_is_the_one_of_the_textbook():
    """Its slope over whole periods stands at right angles to itself and to 1: sigma = s / (g w sqrt(N/2)).

    The noise is taken from some nine lines of its spectrum, so that one sigma is known to a sixth, and the mean of eight to a fifteenth.
    """
    count, period, late, gain, noise = 1 << 13, 512.0, 7.3, 3.0, 0.05
    k = np.arange(count)
    w = np.zeros(count, dtype=bool)
    w[512:-512] = True
    predicted = np.sin(2.0 * np.pi * k / period)
    told = [
        delay(gain * shifted(predicted, late) + noise * np.random.default_rng(seed).standard_normal(count) + 9.0, predicted, w, 30)
        for seed in range(8)
    ]
    expected = noise / (gain * 2.0 * np.pi / period * np.sqrt(np.count_nonzero(w) / 2.0))
    for one in told:
        assert isinstance(one, Delay)
        assert one.gain == pytest.approx(gain, rel=2e-3)
        assert abs(one.samples - late) < 4.0 * expected
    assert np.mean([one.sigma for one in told]) == pytest.approx(expected, rel=0.2)


def test_no_sigma_is_smaller_than_what_shifting_is_right_to():
    predicted = smooth(1, 1 << 13)
    found = delay(shifted(predicted, 3.0), predicted, inside(200, 1 << 13), 50)
    assert isinstance(found, Delay)
    assert found.sigma == pytest.approx(FINEST, rel=1e-3) == pytest.approx(1e-4, rel=1e-3)


@pytest.mark.parametrize(("count", "said"), [(64, ""), (63, "too few samples: 63 of measured")])
def test_so_many_samples_are_the_fewest(count, said):
    w = np.zeros(N, dtype=bool)
    w[500 : 500 + count] = True
    predicted = smooth(2, corner=0.05)
    found = delay(shifted(predicted, 1.25), predicted, w, 8)
    if said:
        assert isinstance(found, NoDelay)
        assert found.reason == f"{said} with predicted known around them, expected at least 64"
    else:
        assert isinstance(found, Delay)
        assert found.samples == pytest.approx(1.25, abs=1e-3)


@pytest.mark.parametrize(("size", "varies"), [(3e-6, True), (3e-7, False)])
def test_what_varies_by_a_millionth_of_itself_varies(size, varies):
    """1e-12 of the power; a constant that is some thousand times as large as its noise is none."""
    predicted = smooth(2)
    for measured, model, name in ((1.0 + size * predicted, predicted, "measured"), (predicted, 1.0 + size * predicted, "predicted")):
        found = delay(measured, model, inside(), 20)
        assert isinstance(found, Delay) if varies else found == NoDelay(f"{name} does not vary", contradicted=True)


@pytest.mark.parametrize("asked", [49.0, 48.6, -48.6, -49.0, 50.0, -50.0])
def test_a_delay_is_found_up_to_the_last_shift_but_one_of_the_range(asked):
    """What is further away may be anything, and so may what only the other shifts need. Of the last one nobody knows what comes next."""
    w = np.zeros(4000, dtype=bool)
    w[1000:3000] = True
    predicted = smooth(4, 4000)
    measured = 2.0 * shifted(predicted, asked)
    far = 50 + REACH + 2
    predicted[: 1000 - far], predicted[2999 + far + 1 :] = 1e6, -1e6
    predicted[slice(3010, 2999 + far + 1) if asked > 0.0 else slice(1000 - far, 990)] = 30.0
    found = delay(measured, predicted, w, 50)
    if abs(asked) == 50.0:
        assert isinstance(found, NoDelay)
    else:
        assert isinstance(found, Delay)
        assert found.samples == pytest.approx(asked, abs=1e-3)
        assert found.gain == pytest.approx(2.0, rel=1e-3)


def test_seams_are_counted_from_where_the_template_begins():
    """A stretch that comes three times over, behind samples that do not count: as sure as alone, and no surer."""
    predicted, rng = smooth(5, 1500), np.random.default_rng(3)
    measured = shifted(predicted, 2.0) + 0.05 * rng.standard_normal(1500)
    w = inside(100, 1500)
    alone = delay(measured, predicted, w, 20)
    nothing = np.zeros(5000)
    thrice = delay(
        np.concatenate((nothing, np.tile(measured, 3), nothing)),
        np.concatenate((nothing, np.tile(predicted, 3), nothing)),
        np.concatenate((nothing > 1.0, np.tile(w, 3), nothing > 1.0)),
        20,
        [6500, 8000],
    )
    assert isinstance(alone, Delay) and isinstance(thrice, Delay)
    assert thrice.samples == pytest.approx(alone.samples, abs=2e-3)
    assert thrice.sigma == pytest.approx(alone.sigma, rel=0.1)
