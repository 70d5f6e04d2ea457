"""Faults that are put into a record one by one are named; what is none of them is not."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison.causes import BEYOND, NOISE, likely_cause, own_scatter
from tests.tiers import quick

RATE, WAVE, CYCLES = 5_000.0, 3.0, 3
T = np.arange(int(CYCLES * RATE / WAVE)) / RATE
CYCLE = np.floor(T * WAVE)
PREDICTED = 10.0 * np.sin(2.0 * np.pi * WAVE * T) + 2.0 * np.sin(2.0 * np.pi * 5.0 * WAVE * T + 0.4)
STROKE = np.sign(PREDICTED) * np.sqrt(np.abs(PREDICTED))
SLOPE = np.gradient(PREDICTED, T)
RNG = np.random.default_rng(5)


def prandtl(x: np.ndarray) -> np.ndarray:
    """What lags by elements that yield one after the other, which is another hysteresis than the one that is looked for."""
    lag = np.zeros(len(x))
    for limit in (1.0, 3.0, 5.0):
        borne = 0.0
        for n in range(1, len(x)):
            borne = min(max(borne + x[n] - x[n - 1], -limit), limit)
            lag[n] -= 0.05 * (borne - limit * x[n] / 12.0)
    return lag


FAULTS = {
    "a wrong zero": 0.4 + 0.0 * T,
    "a zero that drifts": 0.5 * T - 0.1,
    "a wrong gain": 0.03 * PREDICTED,
    "a gain that drifts": 0.05 * PREDICTED * T,
    "a line that is late, or early": -1e-3 * SLOPE,
    "a clock that goes wrongly": -1e-3 * T * SLOPE,
    "nonlinearity of the sensor": 0.2 * (PREDICTED / 12.0) ** 3 - 0.01 * PREDICTED,
    "hysteresis of the sensor": prandtl(PREDICTED),
    "cross-talk of stroke, or what moves both": 0.2 * STROKE,
    "mains hum of 50 Hz": 0.3 * np.sin(2.0 * np.pi * 50.0 * T + 1.0) + 0.1 * np.sin(2.0 * np.pi * 150.0 * T),
    "mains hum of 60 Hz": 0.3 * np.sin(2.0 * np.pi * 60.0 * T + 1.0) + 0.1 * np.sin(2.0 * np.pi * 180.0 * T + 2.0),
    "a tone of 197.3 Hz": 0.3 * np.sin(2.0 * np.pi * 197.3 * T + 1.0),
    NOISE: 0.3 * RNG.standard_normal(len(T)),
}


def named(difference: np.ndarray, others: bool = True):
    """With a small difference of the specimen's own, sharp and in each cycle alike, under it."""
    own = 0.02 * np.cumsum(np.sin(2.0 * np.pi * 40.0 * WAVE * T) * (np.abs(np.sin(np.pi * WAVE * T)) > 0.99))
    measured = PREDICTED + difference + 0.2 * own
    return likely_cause(measured, PREDICTED, {"stroke": STROKE} if others else {}, CYCLE, RATE)


@pytest.mark.parametrize("words", FAULTS)
def test_a_fault_is_named(words: str) -> None:
    found = named(FAULTS[words])
    assert found.words == words
    assert words == NOISE or found.share > 0.8


def test_of_what_explains_a_difference_alike_the_simplest_is_named() -> None:
    """A gain that drifts explains a gain as well, and so does a nonlinearity."""
    assert named(0.03 * PREDICTED, others=False).words == "a wrong gain"


def test_another_specimen_is_no_fault_of_a_sensor() -> None:
    """Impacts that come later, and ring otherwise, in each cycle alike."""
    after = (T * 2.0 * WAVE) % 1.0
    ringing = 3.0 * np.exp(-60.0 * after) * np.sin(2.0 * np.pi * 133.0 * after / (2.0 * WAVE)) * np.sign(np.sin(2.0 * np.pi * WAVE * T))
    found = named(ringing)
    assert (found.words, found.share) == (BEYOND, 0.0)


def test_no_difference_has_no_cause() -> None:
    assert likely_cause(PREDICTED, PREDICTED, {}, CYCLE, RATE).share == 0.0


def test_mains_without_multiples_are_mains() -> None:
    assert named(0.3 * np.sin(2.0 * np.pi * 50.1 * T)).words == "mains hum of 50 Hz"


def test_a_wave_of_the_commands_own_frequency_is_no_tone() -> None:
    found = named(0.3 * np.cos(2.0 * np.pi * 3.0 * WAVE * T), others=False)
    assert "tone" not in found.words


def test_a_signal_that_is_cut_off_is_at_the_end_of_its_range() -> None:
    highest = 0.96 * float(PREDICTED.max())
    assert named(np.clip(PREDICTED, -highest, highest) - PREDICTED).words.startswith("the end of a range")


@pytest.mark.parametrize(("odd", "words"), [(1, BEYOND), (10, NOISE)])
def test_knocks_that_come_again_are_no_noise_though_one_cycle_has_them_elsewhere(odd: int, words: str) -> None:
    """Ten cycles with a knock at one angle, but for `odd` of them, each of which has it at another."""
    t = np.arange(int(10 * RATE / WAVE)) / RATE
    cycle, phase = np.floor(t * WAVE), t * WAVE % 1.0
    at = np.where(np.arange(11) < odd, np.linspace(0.4, 0.9, 11), 0.2)[cycle.astype(int)]
    knock = np.exp(-0.5 * ((phase - at) / 0.01) ** 2) - 0.7 * np.exp(-0.5 * ((phase - at - 0.05) / 0.02) ** 2)
    predicted = 10.0 * np.sin(2.0 * np.pi * phase)
    assert likely_cause(predicted + 2.0 * knock, predicted, {}, cycle, RATE).words == words


MANY = np.arange(int(30 * RATE / WAVE)) / RATE
TURN = np.floor(MANY * WAVE)
SMOOTH = 10.0 * np.sin(2.0 * np.pi * WAVE * MANY)


def rattling(seed: int) -> np.ndarray:
    """A wave with two impacts a cycle, each time at another phase."""
    at = np.random.default_rng(seed).uniform(0.1, 0.9, (30, 2))[TURN.astype(int)]
    return SMOOTH + sum(0.8 * np.exp(-0.5 * (((MANY * WAVE % 1.0) - at[:, k]) / 0.03) ** 2) for k in range(2))


RATTLING_FAULTS = {
    "a wrong gain": 0.12 * SMOOTH,
    "a wrong zero": 0.8 + 0.0 * MANY,
    "a clock that goes wrongly": 0.012 * np.gradient(SMOOTH, MANY) * MANY / MANY[-1],
    "a tone of 31.6 Hz": 1.2 * np.sin(2.0 * np.pi * 31.6 * MANY),
    NOISE: np.convolve(np.random.default_rng(3).standard_normal(len(MANY)), np.hanning(400) / 10.0, "same"),
}


@pytest.mark.parametrize("words", quick(RATTLING_FAULTS, 2))
def test_impacts_of_specimen_and_model_that_scatter_hide_no_fault(words: str) -> None:
    """A model that knows of the scatter has as much of it itself; unless that is said, it is taken for noise, as noise alone must be."""
    predicted, measured = rattling(1), rattling(2) + RATTLING_FAULTS[words]
    said, unsaid = (likely_cause(measured, predicted, {}, TURN, RATE, scatter=known).words for known in (own_scatter(predicted, TURN), 0.0))
    assert said == words
    assert (unsaid == words) is (words == NOISE)


def test_a_periodic_model_has_no_scatter_wherever_its_cycles_begin() -> None:
    turn = np.floor(MANY * 3.0123)
    wave = np.sin(2.0 * np.pi * 3.0123 * MANY) + 0.3 * np.sin(2.0 * np.pi * 9.0 * 3.0123 * MANY)
    assert own_scatter(wave, turn) < 1e-6 * float(wave @ wave)


def test_cycles_of_unlike_lengths_tell_of_no_scatter() -> None:
    assert own_scatter(rattling(1), np.floor((MANY / MANY[-1]) ** 2 * 30.0)) == 0.0


def test_scatter_alone_is_the_specimens() -> None:
    predicted = rattling(1)
    assert likely_cause(rattling(2), predicted, {}, TURN, RATE, scatter=own_scatter(predicted, TURN)).words == BEYOND
