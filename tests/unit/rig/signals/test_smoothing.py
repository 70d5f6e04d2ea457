"""An encoder's angle made smooth: lines stay lines, blocks do not matter, and steps of counts become an acceleration one can use."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from rig.signals.smoothing import Smoothing

RATE, CORNER = 51200.0, 100.0


def smoothed(samples: np.ndarray, block: int) -> np.ndarray:
    smoothing = Smoothing(CORNER, RATE)
    parts = [smoothing.take(samples[i : i + block]) for i in range(0, len(samples), block)]
    return np.concatenate(parts)


@pytest.mark.parametrize("block", [1, 7, 512, 100_000])
def test_any_block_gives_the_same(block: int) -> None:
    x = np.random.default_rng(1).standard_normal(4000)
    whole = smoothed(x, len(x))
    assert len(whole) == len(x) - Smoothing(CORNER, RATE).lookahead
    assert smoothed(x, block) == pytest.approx(whole, abs=1e-12)


def test_a_line_passes_and_the_start_is_at_rest() -> None:
    line = 240.0 + 1e-3 * np.arange(6000)
    out = smoothed(line, 512)
    reach = Smoothing(CORNER, RATE).lookahead
    assert np.max(np.abs(out[reach:] - line[reach : len(out)])) < 1e-9
    still = smoothed(np.full(6000, 3.7), 512)
    assert np.max(np.abs(still - 3.7)) < 1e-12


@pytest.mark.parametrize(("frequency", "least", "most"), [(40.0, 0.99, 1.01), (200.0, 0.0, 0.01)])
def test_what_passes(frequency: float, least: float, most: float) -> None:
    t = np.arange(40_000) / RATE
    out = smoothed(np.sin(2.0 * np.pi * frequency * t), 512)[5000:-5000]
    assert least <= np.max(np.abs(out)) <= most


def test_counts_of_an_encoder_give_a_usable_acceleration() -> None:
    """4096 counts a turn at 300 r/min with 1 % ripple: the noise of the second derivative is far below the square of the speed."""
    t = np.arange(100_000) / RATE
    angle = 10.0 * np.pi * t + 0.01 * np.sin(10.0 * np.pi * t)
    count = 2.0 * np.pi / 4096
    out = smoothed(np.floor(angle / count) * count + 0.5 * count, 512)
    second = np.diff(out, 2) * RATE**2
    true = -0.01 * (10.0 * np.pi) ** 2 * np.sin(10.0 * np.pi * t)[1 : len(second) + 1]
    assert np.sqrt(np.mean((second - true)[5000:-5000] ** 2)) < 0.02 * (10.0 * np.pi) ** 2


@pytest.mark.parametrize(("corner", "rate"), [(100.0, 51200.0), (50.0, 1000.0), (300.0, 1000.0)])
def test_its_weights_are_those_of_the_window_method(corner: float, rate: float) -> None:
    """To the bit those of scipy's design; an impulse shows them."""
    smoothing = Smoothing(corner, rate)
    impulse = np.zeros(4 * smoothing.lookahead + 1)
    impulse[2 * smoothing.lookahead] = 1.0
    expected = scipy.signal.firwin(2 * smoothing.lookahead + 1, corner, fs=rate)
    assert np.array_equal(smoothing.take(impulse)[smoothing.lookahead :][: len(expected)], expected)
