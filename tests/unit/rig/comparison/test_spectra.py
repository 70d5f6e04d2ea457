"""Spectra of measured and predicted: against scipy's own, known systems, and the statistics of the estimates."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from rig.comparison.spectra import LEAST, Spectra, grouped, segment, spectra

RATE, LENGTH = 2000.0, 512
ALL = np.ones(40_000, np.bool_)


def noise(seed: int, count: int = 40_000) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(count)


def found(measured: np.ndarray, predicted: np.ndarray, counts: np.ndarray = ALL, length: int = LENGTH) -> Spectra:
    one = spectra(measured, predicted, RATE, counts[: len(measured)], range(len(measured)), length)
    assert one is not None
    return one


def test_they_are_those_of_scipy() -> None:
    measured, predicted = noise(1, 16_000) + 3.0, noise(2, 16_000) - 1.0  # 61 segments: all of them are looked at
    one = found(measured, predicted)
    asked = {"fs": RATE, "nperseg": LENGTH, "noverlap": LENGTH // 2, "detrend": "constant"}
    inside = slice(1, -1)
    np.testing.assert_allclose(one.measured, scipy.signal.welch(measured, **asked)[1][inside], rtol=1e-9)
    np.testing.assert_allclose(one.predicted, scipy.signal.welch(predicted, **asked)[1][inside], rtol=1e-9)
    np.testing.assert_allclose(one.difference, scipy.signal.welch(measured - predicted, **asked)[1][inside], rtol=1e-9)
    np.testing.assert_allclose(one.coherence, scipy.signal.coherence(measured, predicted, **asked)[1][inside], rtol=1e-7)
    frequency, cross = scipy.signal.csd(predicted, measured, **asked)
    np.testing.assert_allclose(one.h1 * one.predicted, cross[inside], rtol=1e-7)
    np.testing.assert_allclose(one.frequency, frequency[inside])


def test_the_density_holds_the_power() -> None:
    measured = noise(3) + np.sin(2.0 * np.pi * 100.0 * np.arange(40_000) / RATE)
    one = found(measured, noise(4))
    assert np.sum(one.measured) * RATE / LENGTH == pytest.approx(np.var(measured), rel=0.02)


def test_a_gain_and_a_delay_stand_in_h() -> None:
    x = scipy.signal.lfilter(*scipy.signal.butter(2, 0.5), noise(5))
    one = found(1.25 * np.roll(x, 3), x)
    low = one.frequency < 500.0
    np.testing.assert_allclose(np.abs(one.h1[low]), 1.25, rtol=0.02)
    slope = np.polyfit(one.frequency[low], np.unwrap(np.angle(one.h1[low])), 1)[0]
    assert slope == pytest.approx(-2.0 * np.pi * 3.0 / RATE, rel=0.01)


def test_h1_is_right_with_noise_in_measured_and_h2_with_noise_in_predicted() -> None:
    x = noise(6)
    behind, before = found(2.0 * x + noise(7), x), found(2.0 * x, x + 0.5 * noise(8))
    assert np.mean(np.abs(behind.h1)) == pytest.approx(2.0, rel=0.01) and np.mean(np.abs(behind.h2)) > 2.4
    assert np.mean(np.abs(before.h2)) == pytest.approx(2.0, rel=0.01) and np.mean(np.abs(before.h1)) < 1.7
    for one in (behind, before):
        assert np.all(np.abs(one.h1) <= np.abs(one.h2) * (1.0 + 1e-12))


def test_the_deviation_is_that_of_repeated_records() -> None:
    """200 records: |H1| scatters by what one of them says."""
    each = [found(x + 0.5 * noise(900 + seed, 8000), x, length=256) for seed in range(200) for x in (noise(seed, 8000),)]
    scatter = np.std([np.abs(one.h1) for one in each], axis=0)
    assert np.mean(scatter) == pytest.approx(np.mean([np.abs(one.h1) * one.deviation for one in each]), rel=0.05)


def test_nothing_in_common_has_no_coherence() -> None:
    one = found(noise(1), noise(2))
    assert np.mean(one.coherence) == pytest.approx(1.0 / one.averages, rel=0.3)


def test_what_does_not_count_or_is_missing_is_in_no_segment() -> None:
    measured, predicted, counts = noise(1), noise(1), ALL.copy()
    measured[10_000] = np.nan
    measured[:5000], counts[:5000] = 1e6, False
    predicted[30_000:] = 1e6
    counts[30_000:] = False
    one = found(measured, predicted, counts)
    assert np.max(one.measured) < 1.0
    np.testing.assert_allclose(one.coherence, 1.0)
    np.testing.assert_allclose(np.abs(one.h1), 1.0)


def test_of_a_long_record_no_more_is_read_than_of_one_that_is_long_enough() -> None:
    """A report of ten minutes has seconds: 64 segments, evenly spread, say as much as all."""

    class Counting:
        read = 0

        def __len__(self) -> int:
            return 10**9

        def __getitem__(self, part: slice) -> np.ndarray:
            self.read += part.stop - part.start
            return noise(part.start % 1000, part.stop - part.start)

    measured, counts = Counting(), np.broadcast_to(True, 10**9)
    one = spectra(measured, Counting(), RATE, counts, range(10**9), LENGTH)
    assert one is not None and one.averages == 64.0
    assert measured.read == 64 * LENGTH


def test_too_little_has_none() -> None:
    assert spectra(noise(1, 700), noise(2, 700), RATE, ALL[:700], range(700), LENGTH) is None
    assert spectra(noise(1), noise(2), RATE, ~ALL, range(len(ALL)), LENGTH) is None


def test_a_segment_has_eight_cycles_where_there_are_enough_and_never_less_than_four() -> None:
    assert segment(RATE, 0.1, 40_000) == 1600
    assert segment(RATE, 0.1, 12 * 200) == segment(RATE, 0.1, 200) == 800
    assert segment(RATE, 0.1, 27 * 200) == 1200
    assert segment(RATE, None, 40_000) == 2000 and segment(RATE, None, 1000) == 2 * 1000 // (LEAST + 1)


def test_what_has_nothing_in_common_seems_to_in_one_of_a_thousand_lines() -> None:
    seeming = [found(noise(seed, 8000), noise(seed + 500, 8000), length=256).together for seed in range(100)]
    assert np.mean(seeming) == pytest.approx(1e-3, abs=4.0 * np.sqrt(1e-3 / (100 * 127)) + 5e-4)
    assert np.all(found(noise(1), noise(1) + noise(2)).together)


def test_grouped_lines_keep_their_mean() -> None:
    frequency = np.arange(1.0, 100_001.0)
    x, y = grouped(frequency, np.full(100_000, 3.0), most=300)
    assert len(x) == len(y) <= 300 and np.all(np.diff(x) > 0.0) and np.all(y == 3.0)
    assert grouped(frequency[:10], frequency[:10])[0] is not None
