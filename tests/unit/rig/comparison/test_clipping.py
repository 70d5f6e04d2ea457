"""An input at its end, told from a wave that is merely round, from noise and from the steps of a converter."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison.clipping import Clipping

N = 20000
WAVE = np.sin(2.0 * np.pi * 5.0 * np.arange(N) / N)
NOISE = np.random.default_rng(3).standard_normal(N)


CYCLE = np.floor(5.0 * np.arange(N) / N)


def looked_at(measured, predicted=WAVE, counted=None, length=3000):
    clipping = Clipping(measured, predicted)
    for first in range(0, N, length):
        part = slice(first, min(N, first + length))
        clipping.add(part, np.ones(part.stop - first, bool) if counted is None else counted[part])
    return clipping


def words(*arguments, **more):
    return looked_at(*arguments, **more).words


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


STEP = 6e-5


def rounded(x):
    return np.round(x / STEP) * STEP


def sticking(places):
    """A slider that follows the wave, with some lag, comes to rest near its turning point in every cycle, and is torn off later; its
    converter has steps larger than the noise. places: by how much less than 1 it rests in each cycle."""
    x = np.roll(WAVE, 30) * 1.01
    for cycle, less in enumerate(places):
        crest = np.flatnonzero((cycle == CYCLE) & (x > 1.0 - less))
        x[crest] = 1.0 - less
    return rounded(x + 2e-6 * NOISE)


def test_a_specimen_that_sticks_somewhere_else_each_time_is_not_called_clipped():
    found = looked_at(sticking([0.021, 0.02002, 0.0223, 0.0207, 0.0214]))
    assert found.words == "" and found.ends == (-np.inf, np.inf)
    assert "stand at 0.97998" in found.stood  # told all the same: once, nobody can say which of the two it was


def test_the_same_level_each_time_is_a_clip():  # the control
    found = looked_at(sticking([0.02002] * 5))
    assert "stand at 0.97998" in found.words and found.stood == "" and found.ends[1] == pytest.approx(0.97998)


def test_one_crest_cut_alone_is_told_as_either():
    x = WAVE.copy()
    x[(CYCLE == 2) & (WAVE > 0.5)] *= 1.5
    found = looked_at(np.minimum(x, 1.1), predicted=x)
    assert found.words == "" and "stand at 1.1" in found.stood


def test_rests_at_one_value_count_where_predicted_goes_on_in_each():
    """It lies still at the same value time and again, where predicted lies still, too, but elsewhere each time: nothing was cut."""
    rest = np.minimum(WAVE, 0.5)
    found = looked_at(rest, rest + 0.01 * CYCLE)
    assert found.words == found.stood == ""


@pytest.mark.parametrize("noise", [0.0, 0.02])
@pytest.mark.parametrize("crests", [1, 2, 5])
def test_where_its_pieces_end_is_not_told(noise, crests):
    """Noise takes the samples of one crest apart, and they are one stay all the same."""
    x = np.where(crests > CYCLE, np.minimum(WAVE + noise * NOISE, 0.98), 0.9 * WAVE)
    all_at_once, word = looked_at(x, length=N), "words" if crests > 1 else "stood"
    assert "stand at 0.98" in getattr(all_at_once, word)
    for length in (7, 3000):
        parts = looked_at(x, length=length)
        assert (parts.words, parts.stood, parts.ends) == (all_at_once.words, all_at_once.stood, all_at_once.ends)


def test_more_stays_than_are_kept_are_the_same():
    fast = np.sin(2.0 * np.pi * 500.0 * np.arange(N) / N)
    assert "stand at 0.8" in words(np.minimum(fast, 0.8), predicted=fast)


@pytest.mark.parametrize("step", [0.002, 0.008, 0.02])
@pytest.mark.parametrize("offset", [0.0, 0.3, 0.7])
def test_a_smooth_top_in_few_steps_of_the_converter_is_whole_whatever_the_model_does(step, offset):
    """A model that knocks, beside a specimen that does not: predicted goes on while measured stands at its last step."""
    knocking = WAVE + 0.4 * NOISE
    whole = np.round(WAVE / step + offset) * step
    assert np.count_nonzero(whole == whole.max()) > 100
    assert words(whole, knocking) == ""
    assert "stand at" in words(np.minimum(whole, 0.9), knocking), "the control: cut at 0.9 it is found"


def test_which_pieces_it_is_looked_at_in_changes_nothing():
    x = np.round(np.minimum(WAVE + 0.01 * NOISE, 0.93) / 0.004) * 0.004
    assert {words(x, WAVE + 0.4 * NOISE, length=length) for length in (700, 3000, N)} == {words(x, WAVE + 0.4 * NOISE)} != {""}
