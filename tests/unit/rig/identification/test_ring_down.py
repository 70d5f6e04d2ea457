"""Frequency and damping of decaying sines whose numbers are known: without noise to rounding, with noise within their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import lfilter
from scipy.stats import binom

from rig.identification.ring_down import Floats, Mode, ring_down
from tests.thorough import times
from tests.tiers import quick

RATE = 2000.0
SEEDS = times(40, thorough=300)


def ringing(*modes: tuple[float, float, float], seconds: float = 1.5, offset: float = 0.0) -> Floats:
    """Sum of modes (Hz, damping, amplitude), each with a phase of its own."""
    t = np.arange(round(seconds * RATE)) / RATE
    x = np.full(len(t), offset)
    for k, (frequency, damping, amplitude) in enumerate(modes):
        omega = 2.0 * np.pi * frequency
        x += amplitude * np.exp(-damping / np.sqrt(1.0 - damping**2) * omega * t) * np.cos(omega * t + 0.7 + k)
    return x


def test_without_noise_it_is_exact() -> None:
    found = ring_down(ringing((38.0, 0.012, 3.0), offset=0.4), RATE)
    (mode,) = found.modes
    assert mode.frequency == pytest.approx(38.0, rel=1e-9) and mode.damping == pytest.approx(0.012, rel=1e-7)
    assert mode.amplitude == pytest.approx(3.0, rel=1e-7) and found.offset == pytest.approx(0.4, rel=1e-7)
    assert found.left < 1e-8


def test_modes_that_are_close_are_told_apart() -> None:
    given = ((50.0, 0.01, 2.0), (53.0, 0.02, 1.0), (240.0, 0.005, 0.5))
    found = ring_down(ringing(*given), RATE, modes=3)
    for mode, (frequency, damping, amplitude) in zip(found.modes, given, strict=True):
        assert (mode.frequency, mode.damping, mode.amplitude) == pytest.approx((frequency, damping, amplitude), rel=1e-5)


def coloured(count: int, seed: int, memory: float) -> Floats:
    """Noise of standard deviation 1 that forgets by `memory` a sample."""
    pushed = np.random.default_rng(seed).standard_normal(count + 200) * np.sqrt(1.0 - memory**2)
    return np.asarray(lfilter([1.0], [1.0, -memory], pushed)[200:])


def held(memory: float, clean: Floats, modes: int = 1) -> tuple[float, float, list[Mode]]:
    """Shares of SEEDS benches whose frequency and damping lie in their 95 % intervals, and the modes."""
    found = [ring_down(clean + 0.1 * coloured(len(clean), seed, memory), RATE, modes).modes[0] for seed in range(SEEDS)]
    frequency = np.mean([one.frequency_interval[0] <= 38.0 <= one.frequency_interval[1] for one in found])
    damping = np.mean([one.damping_interval[0] <= 0.02 <= one.damping_interval[1] for one in found])
    return float(frequency), float(damping), found


@pytest.mark.parametrize("memory", quick([0.0, 0.9], [0.9]))
def test_intervals_hold_in_95_of_100_whatever_the_noise(memory: float) -> None:
    """Bounds of a binomial of so many at 95 %, each passed once in 1000 tests."""
    frequency, damping, found = held(memory, ringing((38.0, 0.02, 1.0), seconds=0.6))
    low, high = (count / SEEDS for count in binom.ppf((1e-3, 1.0 - 1e-3), SEEDS, 0.95))
    assert low <= frequency <= high and low <= damping <= high
    scatter = np.std([one.frequency for one in found])
    assert np.mean([one.frequency_std for one in found]) == pytest.approx(float(scatter), rel=0.3)


def test_damping_that_changes_with_the_amplitude_is_told() -> None:
    """Dry friction takes the same from each swing, so the share that it takes grows. The control rings as a sine that dies away."""
    t = np.arange(3000) / RATE
    swings = np.maximum(1.0 - t / 1.2, 0.0) * np.cos(2.0 * np.pi * 38.0 * t)
    noise = 1e-3 * np.random.default_rng(1).standard_normal(len(t))
    found = ring_down(swings + noise, RATE)
    assert found.changes and found.begin is not None and found.rest is not None and found.begin.damping < found.rest.damping
    sine, seeds = ringing((38.0, 0.01, 1.0)), range(times(10, thorough=30))
    changing = sum(ring_down(sine + 10.0 * coloured(3000, seed, 0.5) * 1e-3, RATE).changes for seed in seeds)
    assert changing <= 1


def test_a_mode_that_was_not_asked_for_is_told() -> None:
    x = ringing((38.0, 0.01, 1.0), (120.0, 0.01, 0.3)) + 0.02 * coloured(3000, 1, 0.5)
    assert ring_down(x, RATE, 1).lacks_a_mode and not ring_down(x, RATE, 2).lacks_a_mode


@pytest.mark.parametrize(
    ("x", "modes", "said"),
    [
        (np.zeros(100), 1, "nothing moves"),
        (coloured(3000, 1, 0.0), 1, "nothing rings above the noise"),
        (ringing((38.0, 0.01, 1.0)) + 0.02 * coloured(3000, 1, 0.0), 2, "fewer than 2 modes ring above the noise"),
        (np.full(100, np.nan), 1, "samples are missing"),
        (np.arange(10.0), 1, "too few"),
        (ringing((38.0, 0.01, 1.0)), 0, "expected 1 to 8 modes"),
        (ringing((38.0, 0.01, 1.0))[::-1].copy(), 1, "does not die away"),
        (ringing((1.0, 0.01, 1.0)), 1, "periods of"),
    ],
)
def test_what_does_not_ring_down_is_refused(x: Floats, modes: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ring_down(x, RATE, modes)
