import numpy as np
import pytest
from scipy.signal import butter, freqz, lfilter

from rig.control.response import Response, identify

RATE, HIGHEST = 500.0, 30.0
B, A = butter(1, 40.0, fs=RATE)


def noise(seed: int, seconds: float = 64.0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(round(seconds * RATE))


def true(frequency: np.ndarray) -> np.ndarray:
    return np.asarray(freqz(B, A, frequency, fs=RATE)[1])


def test_a_known_filter_is_found() -> None:
    u = noise(1)
    found = identify(u, lfilter(B, A, u), RATE, 2.0, HIGHEST)
    assert found.frequency[0] == 0.5
    assert found.frequency[-1] == HIGHEST
    assert np.max(np.abs(found.value / true(found.frequency) - 1.0)) < 0.01
    assert np.min(found.coherence) > 0.999


def test_the_stated_deviation_is_the_scatter_of_many() -> None:
    errors, stated = [], []
    for seed in range(20):
        u = noise(seed)
        found = identify(u, lfilter(B, A, u) + 0.5 * noise(1000 + seed), RATE, 2.0, HIGHEST)
        errors.append(np.abs(found.value) / np.abs(true(found.frequency)) - 1.0)
        stated.append(found.deviation)
    assert float(np.std(errors)) == pytest.approx(float(np.mean(stated)), rel=0.2)


def test_what_is_not_linear_or_noise_shows_in_the_coherence() -> None:
    u = noise(3)
    y = lfilter(B, A, u)
    clean, noisy, dead = (identify(u, x, RATE, 2.0, HIGHEST) for x in (y, y + noise(4), np.where(np.abs(y) > 1.0, y, 0.0)))
    assert float(np.mean(noisy.coherence)) == pytest.approx(0.5, abs=0.15)
    assert float(np.mean(dead.coherence)) < 0.95 < float(np.min(clean.coherence))


def test_between_the_lines_and_beyond_them() -> None:
    frequency = np.array([1.0, 2.0, 3.0])
    delay = Response(frequency, np.exp(-2j * np.pi * frequency * 0.3), np.array([1.0, 0.9, 0.8]), 10.0)
    assert np.allclose(delay.at(np.array([0.0, 0.5, 1.5, 2.25])), np.exp(-2j * np.pi * np.array([0.0, 0.5, 1.5, 2.25]) * 0.3))
    assert delay.at(np.array([9.0]))[0] == pytest.approx(delay.value[-1])
    assert np.allclose(delay.coherence_at(np.array([0.0, 1.5, 9.0])), [1.0, 0.95, 0.8])


@pytest.mark.parametrize(
    ("u", "y", "word"),
    [
        (np.ones(500), np.ones(500), "two half-overlapping segments"),
        (np.ones(5000), np.full(5000, np.nan), "missing"),
        (np.ones(5000), np.ones(5000), "stands still"),
    ],
)
def test_what_cannot_be_identified_is_said(u: np.ndarray, y: np.ndarray, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        identify(u, y, RATE, 2.0, HIGHEST)
