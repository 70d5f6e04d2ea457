"""To another rate: what lies in the band stays what it is, what lies above does not come back below."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.playback.resampling import Resampled, ratio, resample
from tests.tiers import quick

RATES = [(1000.0, 51200.0), (51200.0, 1000.0), (51200.0, 25600.0), (44100.0, 51200.0), (1000.0, 999.0)]


@pytest.mark.parametrize(("source", "target"), RATES)
def test_a_wave_in_the_band_is_the_same_wave(source: float, target: float) -> None:
    count = int(4.0 * max(source, 2000.0))
    highest = 0.9 * 0.5 * min(source, target)
    for frequency in (0.013 * highest, 0.5 * highest, highest):
        found = resample(np.sin(2 * np.pi * frequency * np.arange(count) / source), source, target)
        assert len(found) == -(-count * Fraction(target / source).limit_denominator(10_000) // 1)
        t = np.arange(len(found)) / target
        inside = slice(len(found) // 10, -len(found) // 10)
        assert np.abs(found - np.sin(2 * np.pi * frequency * t))[inside].max() < 5e-5


@pytest.mark.parametrize(("source", "target"), [(51200.0, 1000.0), (51200.0, 25600.0), (1000.0, 900.0)])
def test_what_lies_above_the_new_band_is_gone(source: float, target: float) -> None:
    frequency = 0.5 * (0.5 * target + 0.5 * source) if source < 1.1 * target else 0.55 * target
    found = resample(np.sin(2 * np.pi * frequency * np.arange(200_000) / source), source, target)
    assert np.abs(found[len(found) // 10 : -len(found) // 10]).max() < 5e-5


@pytest.mark.parametrize(("source", "target"), RATES)
def test_a_constant_stays_one_to_its_ends_and_the_mean_stays(source: float, target: float) -> None:
    assert resample(np.full(3000, 7e3), source, target) == pytest.approx(7e3, rel=2e-5)


@given(st.integers(2, 50), st.integers(0, 10_000))
def test_equal_rates_are_the_same_bits(count: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=count)
    assert np.array_equal(resample(values, 51200.0, 51200.0), values)


def test_a_period_joins_itself_and_must_be_whole() -> None:
    values = np.sin(2 * np.pi * 5 * np.arange(1000) / 1000.0 + 0.3)
    found = resample(values, 1000.0, 2048.0, periodic=True)
    assert found == pytest.approx(np.sin(2 * np.pi * 5 * np.arange(2048) / 2048.0 + 0.3), abs=5e-5)
    with pytest.raises(ValueError, match="a period of 1001 samples at 1000 Hz is no whole number of samples at 2048 Hz"):
        resample(np.zeros(1001), 1000.0, 2048.0, periodic=True)


def test_rates_without_a_ratio_are_refused() -> None:
    assert ratio(1000.0, 51200.0) == Fraction(256, 5)
    assert ratio(100e6 / 1953.0, 51200.0) == Fraction(15624, 15625)
    for source, target in ((1000.0, 1000.0 * np.pi), (0.5, 51200.0)):
        with pytest.raises(ValueError, match="expected rates in a ratio of whole numbers up to 50000"):
            ratio(source, target)


def test_more_samples_than_a_machine_can_hold_are_refused_before_they_are_made() -> None:
    with pytest.raises(
        ValueError, match="5120000 samples at 2 Hz are 131072000000 at 51200 Hz, expected at most 67108864; play it in parts"
    ):
        resample(np.zeros(5_120_000), 2.0, 51200.0)


@pytest.mark.parametrize(("source", "target"), [*RATES[1:], (1000.0, 1000.0), (1000.0, 300.0)])
def test_in_pieces_to_the_bit(source: float, target: float) -> None:
    values = np.random.default_rng(1).normal(size=9001).cumsum()
    whole = resample(values, source, target)
    found = Resampled(values, source, target)
    parts = [found[n : n + 777] for n in range(0, len(found), 777)]
    assert len(found) == len(whole) and np.array_equal(np.concatenate(parts), whole)


@pytest.mark.parametrize("target", quick([1000.0, 5120.0, 51_200.0, 60_000.0], 2))
def test_from_the_real_rate_of_a_device(target: float) -> None:
    source = 1e8 / 1953.0  # in no ratio of small numbers to any of these
    highest = 0.85 * 0.5 * min(source, target)
    count = int(source * max(0.2, 400.0 / target))
    wave = Resampled(np.sin(2 * np.pi * highest * np.arange(count) / source), source, target)
    constant = Resampled(np.full(count, 7.0), source, target)
    inside = slice(len(wave) * 3 // 10, len(wave) * 7 // 10)
    assert np.abs(wave[:] - np.sin(2 * np.pi * highest * np.arange(len(wave)) / target))[inside].max() < 5e-5
    assert constant[:] == pytest.approx(7.0, rel=1e-5), "100 dB"
    if target < source / 2.0:
        above = Resampled(np.sin(2 * np.pi * 1.1 * 0.5 * target * np.arange(count) / source), source, target)
        assert np.abs(above[:][inside]).max() < 2e-5, "what lies above does not come back below"


def test_what_is_missing_spoils_what_is_made_of_it_and_no_more() -> None:
    values = np.ones(20_000)
    values[10_000] = np.nan
    lacking = np.flatnonzero(np.isnan(Resampled(values, 4000.0, 1000.0)[:]))
    assert lacking[0] >= 2500 - 97 and lacking[-1] <= 2500 + 97 and 2500 in lacking
