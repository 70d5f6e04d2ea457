"""The spectral estimator: tones where they are, with their amplitude; what it cannot do is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import ModelError
from model.spectrum import of_revolutions, spectrum

RATE, SPEED = 50e3, 5000.0 * math.pi / 30.0
TURNS = 7
TIME = np.arange(round(TURNS * 60.0 / 5000.0 * RATE) + 1) / RATE


@given(st.floats(500.0, 4800.0), st.floats(0.1, 100.0))
def test_a_tone_is_found_where_it_is(frequency: float, amplitude: float) -> None:
    found = of_revolutions(amplitude * np.sin(2.0 * np.pi * frequency * TIME) + 40.0, RATE, SPEED)
    assert found.peak() == pytest.approx(frequency, abs=75.0 + found.frequency[1])
    assert 0.84 * amplitude <= np.max(found.amplitude) <= 1.001 * amplitude


def test_a_band_beats_a_single_line() -> None:
    """Nine lines of height 1 beside each other against one of height 2 far off."""
    spacing = SPEED / (2.0 * np.pi) / 5.0
    band = sum(np.sin(2.0 * np.pi * spacing * k * TIME + k * k) for k in range(60, 69))
    signal = band + 2.0 * np.sin(2.0 * np.pi * spacing * 200 * TIME)
    found = of_revolutions(np.asarray(signal), RATE, SPEED)
    assert found.frequency[np.argmax(found.amplitude)] == pytest.approx(200 * spacing, abs=1.0)
    assert 60 * spacing <= found.peak() <= 68 * spacing


def test_what_lies_outside_of_the_range_does_not_count() -> None:
    signal = 100.0 * np.sin(2.0 * np.pi * 83.3 * TIME) + np.sin(2.0 * np.pi * 1500.0 * TIME) + 50.0 * np.sin(2.0 * np.pi * 9000.0 * TIME)
    assert of_revolutions(signal, RATE, SPEED).peak() == pytest.approx(1500.0, abs=80.0)


def test_the_power_of_noise_is_conserved() -> None:
    noise = np.random.default_rng(3).normal(size=20_000)
    found = spectrum(noise, RATE)
    assert 0.5 * np.sum(found.power) / 1.5 == pytest.approx(1.0, rel=0.05)


def test_too_little_is_refused() -> None:
    with pytest.raises(ModelError, match="7 revolutions"):
        of_revolutions(TIME[:-1000], RATE, SPEED)
    with pytest.raises(ModelError, match="at least 8 finite"):
        spectrum(np.full(100, np.nan), RATE)
    with pytest.raises(ModelError, match="no line"):
        spectrum(TIME, RATE).peak(30e3, 40e3)
