"""The filters against scipy's, and what a run relies on: the same bits however the samples are cut, rest at the first of them."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.signals.butterworth import PIECE, Cascade, bandpass, both_ways, highpass, lowpass
from tests.each_row import each_row
from tests.thorough import times

RATE = 51_200.0
DESIGNS = {
    "one pole": (lowpass(1, 800.0, RATE), scipy.signal.butter(1, 800.0, fs=RATE, output="sos")),
    "two poles": (lowpass(2, 800.0, RATE), scipy.signal.butter(2, 800.0, fs=RATE, output="sos")),
    "slow": (lowpass(2, 1.0, RATE), scipy.signal.butter(2, 1.0, fs=RATE, output="sos")),
    "fast": (lowpass(2, 25_000.0, RATE), scipy.signal.butter(2, 25_000.0, fs=RATE, output="sos")),
    "coupling": (highpass(0.5, RATE), scipy.signal.butter(1, 0.5, "highpass", fs=RATE, output="sos")),
    "band": (bandpass((200.0, 2000.0), RATE), scipy.signal.butter(2, (200.0, 2000.0), "bandpass", fs=RATE, output="sos")),
    "narrow band": (bandpass((50.0, 51.0), RATE), scipy.signal.butter(2, (50.0, 51.0), "bandpass", fs=RATE, output="sos")),
    "wide band": (bandpass((1.0, 25_000.0), RATE), scipy.signal.butter(2, (1.0, 25_000.0), "bandpass", fs=RATE, output="sos")),
}


@each_row("name", DESIGNS)
def test_it_is_scipy_s(name):
    ours, theirs = DESIGNS[name]
    rng = np.random.default_rng(3)
    x = 40.0 + np.cumsum(rng.standard_normal(20_000)) + 5.0 * rng.standard_normal(20_000)
    expected, _ = scipy.signal.sosfilt(theirs, x, zi=scipy.signal.sosfilt_zi(theirs) * x[0])
    # Both begin from rest by another sum; what rounding makes of it dies away slowly where the corner is low.
    assert Cascade(ours).apply(x) == pytest.approx(expected, abs=1e-8 * np.abs(x).max())


@settings(max_examples=times(40), deadline=None)
@given(cuts=st.lists(st.integers(0, 300), min_size=1, max_size=12), name=st.sampled_from(sorted(DESIGNS)))
def test_cuts_make_no_difference(cuts, name):
    x = np.random.default_rng(len(cuts)).standard_normal(sum(cuts))
    cut = Cascade(DESIGNS[name][0])
    parts = [cut.apply(part) for part in np.split(x, np.cumsum(cuts)[:-1])]
    assert np.array_equal(np.concatenate(parts), Cascade(DESIGNS[name][0]).apply(x))


@each_row("name", DESIGNS)
def test_what_stands_still_stays(name):
    still = Cascade(DESIGNS[name][0]).apply(np.full(5000, 7.0))
    gain = 1.0 if name in ("one pole", "two poles", "slow", "fast") else 0.0
    assert still == pytest.approx(np.full(5000, 7.0 * gain), abs=1e-7)  # 1 Hz: rounded coefficients are that far from their sum


def test_long_blocks_are_worked_in_pieces():
    x = np.random.default_rng(5).standard_normal(3 * PIECE + 17)
    cut = Cascade(DESIGNS["band"][0])
    expected = np.concatenate([cut.apply(part) for part in np.array_split(x, 7)])
    assert np.array_equal(Cascade(DESIGNS["band"][0]).apply(x), expected)


def test_what_it_takes_stays_as_it_was():
    x = np.arange(10.0)
    Cascade(lowpass(2, 100.0, RATE)).apply(x)
    assert np.array_equal(x, np.arange(10.0))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: lowpass(2, 30_000.0, RATE), "below half the rate, 25600 Hz; got 30000 Hz"),
        (lambda: highpass(0.0, RATE), "expected over 0"),
        (lambda: lowpass(3, 10.0, RATE), "expected 1 or 2, got 3"),
        (lambda: bandpass((200.0, 100.0), RATE), "the lower edge first, got 200 to 100 Hz"),
    ],
)
def test_what_cannot_be_made_is_told(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("reach", [0, 1, 700, 4999])
def test_forward_and_backward(reach: int) -> None:
    """As scipy's, which mirrors the ends in the same way."""
    x = np.cumsum(np.random.default_rng(3).standard_normal(5000))
    expected = scipy.signal.sosfiltfilt(scipy.signal.butter(2, 200.0, fs=RATE, output="sos"), x, padlen=reach)
    assert both_ways(lowpass(2, 200.0, RATE), x, reach) == pytest.approx(expected, abs=1e-8)
