"""A delay that is not the same all through a record is none, or has a standard deviation that covers it and says so.

Clocks that run apart by e: sample n of measured was taken at n (1 + e) of predicted's, so the delay goes from 0 to -e N.
"""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison import Settings, agreement
from rig.comparison.delays.drift import CHANCE, TREND, _differing
from tests.tiers import quick
from tests.unit.rig.comparison.delays.test_no_delay import RATE, REACH, SOME, N, found, limited, noise, shifted

n = np.arange(N)
LONG = 4 * N


def slow(seed: int) -> np.ndarray:
    """A random walk smoothed over 201 samples, from zero to zero."""
    walk = np.cumsum(np.random.default_rng(seed).standard_normal(LONG))
    walk -= np.linspace(walk[0], walk[-1], LONG)
    window = np.hanning(201)
    return np.convolve(walk, window / window.sum(), "same")


def compared(measured: np.ndarray, predicted: np.ndarray):
    settings = Settings(1000.0, 0, max_delay=0.02)
    return agreement(measured, predicted, rate=51200.0, command=predicted, cycle=np.zeros(LONG), settings=settings)


@pytest.mark.parametrize("ppm", [-1000, -100, 20, 100, 300, 1000])
def test_clocks_that_run_apart(ppm):
    predicted, at = slow(5), np.arange(LONG)
    told = compared(np.interp(at * (1.0 + ppm * 1e-6), at, predicted), predicted)
    assert told.delay_samples is None and told.delay_sigma is None
    first, last = (float(word) for word in told.delay_reason.split("from ")[1].split(" samples")[0].split(" to "))
    margin = 0.02 * 51200.0 + 6.0  # at both ends, where a shift within the range finds no counterpart
    middle = margin + (LONG - 2.0 * margin) / 16.0  # of the first eighth
    # where the signal moves most within an eighth it tells most, so the middle is not quite where it was asked
    assert (first, last) == pytest.approx((-ppm * 1e-6 * middle, -ppm * 1e-6 * (LONG - middle)), rel=0.15)
    assert any("the delay drifts from" in text for text in told.warnings)


@pytest.mark.parametrize(("ppm", "size"), quick([(2, 0.0), (10, 0.0), (200, 0.2), (500, 1.0)], 2))
def test_a_little_drift_or_one_under_noise_is_covered(ppm, size):
    predicted, at = slow(5), np.arange(LONG)
    disturbance = size * np.std(predicted) * np.random.default_rng(1).standard_normal(LONG)
    told = compared(np.interp(at * (1.0 + ppm * 1e-6), at, predicted) + disturbance, predicted)
    if told.delay_samples is None:
        assert "drifts from" in told.delay_reason or "is not one along the record" in told.delay_reason
        return
    assert told.delay_samples - 3.0 * told.delay_sigma < -ppm * 1e-6 * LONG * 0.95
    assert told.delay_samples + 3.0 * told.delay_sigma > -ppm * 1e-6 * LONG * 0.05
    assert any("differs along the record" in text and "covers" in text for text in told.warnings)


@pytest.mark.parametrize("lost", [2, 40])
def test_samples_that_one_side_lost(lost):
    """Half-way through measured jumps ahead."""
    predicted = slow(7)
    half = LONG // 2
    measured = np.concatenate((predicted[:half], predicted[half + lost :], np.full(lost, predicted[-1])))
    told = compared(measured, predicted)
    assert told.delay_samples is None
    assert "is not one along the record" in told.delay_reason or "drifts" in told.delay_reason


@pytest.mark.parametrize("name", quick(SOME, 1))
def test_noise_on_a_constant_delay_is_no_drift(name):
    for seed in range(10):
        signal, disturbance = SOME[name](seed + 5000)
        told = found(shifted(signal, 17.3) + disturbance, signal)
        assert told.delay_samples is not None
        assert not any("differs along" in text for text in told.warnings)


def test_a_phase_that_depends_on_the_frequency_widens_the_standard_deviation():
    """One degree of phase all through a sweep from 10 to 90 Hz: a delay that becomes smaller as the sweep goes on, and no null."""
    t = n / RATE
    phase = 2.0 * np.pi * (10.0 * t + 0.5 * 80.0 * t**2 / t[-1])
    told = found(np.sin(phase - np.radians(1.0)) + noise(1, 0.02), np.sin(phase))
    assert told.delay_samples is not None and told.delay_sigma > 0.0


def test_the_statistics_are_plain_ones():
    ratio, trend, spread = _differing(np.array([1.0, 2.0, 3.0]), np.ones(3))
    assert (ratio, trend, spread) == pytest.approx((1.0, np.sqrt(2.0), np.sqrt(2.0 / 3.0)))
    ratio, trend, _ = _differing(np.array([1.0, -1.0, -1.0, 1.0]), np.full(4, 0.5))
    assert (ratio, trend) == pytest.approx((np.sqrt(16.0 / 3.0), 0.0), abs=1e-12)
    random = np.random.default_rng(3).standard_normal((4000, 8))
    alarms = [trend > TREND or ratio > CHANCE for ratio, trend, _ in (_differing(row, np.ones(8)) for row in random)]
    assert sum(alarms) <= 4  # 1 in 1000


def test_a_sample_that_is_no_number_is_told():
    predicted = slow(5)
    measured = np.roll(predicted, 3)
    measured[5000] = np.nan
    told = compared(measured, predicted)
    assert told.delay_samples == pytest.approx(3.0, abs=0.01)
    assert any("samples are missing: 1 of measured" in text for text in told.warnings)
    predicted[6000:6010] = np.inf
    assert any("1 of measured, 10 of predicted" in text for text in compared(measured, predicted).warnings)
    assert not any("missing" in text for text in found(limited(1, 50.0), limited(1, 50.0)).warnings)
    assert REACH > 0
