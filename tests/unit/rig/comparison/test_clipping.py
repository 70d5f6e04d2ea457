"""An input at its end, told from a wave that is merely round, from noise and from the steps of a converter."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison.clipping import Clipping

N = 20000
WAVE = np.sin(2.0 * np.pi * 5.0 * np.arange(N) / N)
NOISE = np.random.default_rng(3).standard_normal(N)


def words(measured, predicted=WAVE, counted=None):
    clipping = Clipping(measured, predicted)
    for first in range(0, N, 3000):
        part = slice(first, min(N, first + 3000))
        clipping.add(part, np.ones(part.stop - first, bool) if counted is None else counted[part])
    return clipping.words


@pytest.mark.parametrize("noise", [0.0, 0.002, 0.02])
@pytest.mark.parametrize("end", [0.98, 0.9])
def test_a_wave_that_is_cut_is_found(noise, end):
    assert "stand at 0.9" in words(np.minimum(WAVE + noise * NOISE, end))


def test_so_it_is_at_the_lower_end():
    assert "stand at -0.98" in words(np.maximum(WAVE + 0.002 * NOISE, -0.98))


@pytest.mark.parametrize("noise", [0.0, 1e-4, 0.02])
@pytest.mark.parametrize("step", [0.0, 2.0**-15, 2.0**-11])
def test_a_wave_that_is_whole_is_not(noise, step):
    x = WAVE + noise * NOISE
    assert words(np.round(x / step) * step if step else x) == ""


def test_a_specimen_that_rests_where_predicted_does_too_is_not_cut():
    rest = np.minimum(WAVE, 0.5)
    assert words(rest, rest) == ""


def test_what_does_not_count_is_not_looked_at():
    counted = WAVE < 0.9
    assert words(np.minimum(WAVE, 0.95), counted=counted) == ""


def test_missing_samples_are_not_looked_at():
    x = np.minimum(WAVE, 0.98)
    x[::7] = np.nan
    assert "stand at 0.98" in words(x)
