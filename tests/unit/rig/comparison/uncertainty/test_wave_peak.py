"""The peak of the mean wave: what is true of it is the peak of the waves that were made, before noise was added."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison.uncertainty.folding import Fold, Waves
from rig.comparison.uncertainty.wave_peak import wave_peak
from tests.tiers import quick

CYCLES, SAMPLES = 8, 1000
TURN = 2.0 * np.pi * np.arange(CYCLES * SAMPLES) / SAMPLES
CYCLE = np.arange(CYCLES * SAMPLES) // SAMPLES


def sine(turn):
    return np.sin(turn)


def knock(turn):
    x = np.mod(turn, 2.0 * np.pi)
    return np.sin(turn) + 0.5 * np.exp(-(((x - 1.3) / 0.05) ** 2)) - 0.5 * np.exp(-(((x - 4.4) / 0.05) ** 2))


def folded(measured, predicted) -> Waves:
    fold = Fold(np.arange(float(CYCLES)), SAMPLES, None, 1.0)
    for part in np.array_split(np.arange(CYCLES * SAMPLES), 7):
        fold.add(measured[part], predicted[part], CYCLE[part].astype(float), TURN[part])
    waves = fold.waves()
    assert waves is not None
    return waves


def found(wave, gain, noise, seed):
    predicted = wave(TURN)
    measured = predicted / gain + noise * np.random.default_rng(seed).standard_normal(len(TURN))
    peak = wave_peak(folded(measured, predicted))
    assert peak is not None
    return peak, np.max(np.abs(predicted)) / np.max(np.abs(measured)) - 1.0


@pytest.mark.parametrize("wave", [sine, knock])
@pytest.mark.parametrize("noise", quick([0.0025, 0.02, 0.1], [0.02]))
def test_noise_does_not_raise_it_as_it_raises_the_largest_sample(wave, noise):
    all_found = [found(wave, 1.012, noise, seed) for seed in range(60)]
    errors = np.array([peak.error.value for peak, _ in all_found])
    raw = np.array([error for _, error in all_found])

    def off(found):  # standard errors of their mean
        return (np.mean(found) - 0.012) / np.std(found) * np.sqrt(len(found))

    assert abs(off(errors)) <= 4.0
    assert off(raw) < -4.0  # the control: the largest of the samples lies some standard deviations higher


@pytest.mark.long
@pytest.mark.parametrize("wave", [sine, knock])
def test_its_interval_holds_the_truth_95_times_of_100(wave):
    pairs = [found(wave, 1.012, 0.02, seed)[0].error.bounds(0.025) for seed in range(400)]
    assert 0.92 <= np.mean([low <= 0.012 <= high for low, high in pairs]) <= 0.985


def test_without_noise_it_is_the_largest_value():
    peak, _ = found(knock, 1.012, 0.0, 0)
    assert peak.error.value == pytest.approx(0.012, abs=1e-6)
    assert peak.error.std < 1e-9


def test_a_blow_that_predicted_does_not_have_is_seen():
    x = np.mod(TURN, 2.0 * np.pi)
    measured = np.sin(TURN) + 0.5 * np.exp(-(((x - 1.7) / 0.02) ** 2)) + 0.01 * np.random.default_rng(1).standard_normal(len(TURN))
    peak = wave_peak(folded(measured, np.sin(TURN)))
    true = 1.0 / np.max(np.sin(TURN) + 0.5 * np.exp(-(((x - 1.7) / 0.02) ** 2))) - 1.0
    assert peak is not None
    low, high = peak.error.bounds(0.025)
    assert low <= true <= high and high - low < 0.1
    assert peak.error.above > 0.0


def test_cycles_of_a_smaller_amplitude_do_not_lower_it():
    size = np.where(CYCLE < 4, 0.5, 1.0)
    peak = wave_peak(folded(size * np.sin(TURN) / 1.02, size * np.sin(TURN)))
    assert peak is not None and peak.error.value == pytest.approx(0.02, abs=1e-4)


def test_two_cycles_tell_nothing():
    assert wave_peak(Waves(np.ones((2, 16)), np.ones((2, 16)))) is None
