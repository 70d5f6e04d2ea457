"""Delay: exact on band-limited signals, unbiased under noise and model mismatch, honest about its uncertainty."""

from itertools import product

import numpy as np
import pytest

from rig.comparison import Settings, agreement
from rig.comparison.delays.delay import NoDelay, delay
from rig.comparison.delays.fractional_shift import shifted, weights
from tests.thorough import times
from tests.tiers import quick
from tests.unit.rig.comparison.reference_rig import RATE, Rig, force, perturbed
from tests.unit.rig.comparison.waves import late, noise, program, sine, sweep


def smooth(count: int, seed: int) -> np.ndarray:
    """Noise without content above a fiftieth of the rate."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    spectrum[count // 50 :] = 0.0
    return np.fft.irfft(spectrum, count)


def window(count: int, margin: int = 500) -> np.ndarray:
    inside = np.zeros(count, dtype=bool)
    inside[margin:-margin] = True
    return inside


WAVES = {"sine": sine, "sweep": sweep, "program": program}


@pytest.mark.parametrize(("name", "clearance"), quick(product(WAVES, (0.4e-3, 0.0)), [("sine", 0.4e-3), ("sweep", 0.0)]))
def test_line_delay_is_seen_in_full(name, clearance):
    """37 samples behind the load cell of a rig that differs from its model, with 25 N of noise: +37.0 +- 0.1."""
    wave, rig = WAVES[name](), Rig(clearance_a=clearance, clearance_b=clearance)
    predicted = force(rig, wave.command)
    for seed in range(1, 1 + times(1, thorough=2)):
        true = force(perturbed(rig, seed), wave.command)
        prompt, behind = (agreement(x + noise(wave, seed), predicted, **wave.stream) for x in (true, late(true, 37)))
        assert behind.delay_samples - prompt.delay_samples == pytest.approx(37.0, abs=0.1)


@pytest.mark.parametrize("asked", [-200.3, -0.5, 0.0, 0.25, 37.1, 311.77])
def test_fraction_of_a_sample_is_exact(asked):
    predicted = smooth(1 << 15, 1)
    spectrum = np.fft.rfft(predicted) * np.exp(-2j * np.pi * np.fft.rfftfreq(len(predicted)) * asked)
    found = delay(3.0 * np.fft.irfft(spectrum) + 7.0, predicted, window(len(predicted)), 400)
    assert found.samples == pytest.approx(asked, abs=1e-3)
    assert found.gain == pytest.approx(3.0, rel=1e-4)


def test_plain_correlation_is_biased_and_the_template_is_not():
    """Half a slow sine with an offset: the shrinking overlap draws the largest product sum towards 0, the fixed template stays."""
    n = np.arange(20000)
    true = 300
    predicted = np.sin(2.0 * np.pi * n / 30000.0) + 0.5
    measured = np.sin(2.0 * np.pi * (n - true) / 30000.0) + 0.5
    size = 1 << 16
    products = np.fft.irfft(np.fft.rfft(measured, size) * np.conj(np.fft.rfft(predicted, size)), size)
    plain = int(np.argmax(products[:1000]))
    assert abs(plain - true) > 10
    assert delay(measured, predicted, window(len(n)), 900).samples == pytest.approx(true, abs=0.01)


@pytest.mark.parametrize("colour", quick([0, 200], [200]))
def test_sigma_is_the_scatter(colour):
    """Delays of 20 noises (60 in the campaign) scatter as the mean sigma says, for white noise and for one correlated over 200 samples."""
    predicted = smooth(1 << 14, 3)
    inside = window(len(predicted), 700)
    found = []
    for seed in range(times(20, thorough=60)):
        disturbance = np.random.default_rng(seed).standard_normal(len(predicted))
        if colour:
            disturbance = np.convolve(disturbance, np.hanning(colour), "same")
        disturbance *= 0.05 * np.std(predicted) / np.std(disturbance)
        found.append(delay(predicted + disturbance, predicted, inside, 100))
    scatter = np.std([f.samples for f in found])
    assert np.mean([f.sigma for f in found]) == pytest.approx(scatter, rel=0.4)
    assert abs(np.mean([f.samples for f in found])) < 4.0 * scatter / np.sqrt(len(found))


def test_gaps_on_both_sides_do_not_move_it():
    wave = sweep()
    predicted = force(Rig(), wave.command)
    measured = late(predicted, 12) + noise(wave, 1)
    measured[90000:90700] = np.nan
    predicted[120000:121000] = np.nan
    found = agreement(measured, predicted, **wave.stream)
    assert found.delay_samples == pytest.approx(12.0, abs=0.1)
    assert found.samples < np.count_nonzero(wave.cycle >= 2.0) - 1700


def test_pure_sine_says_what_it_cannot_know():
    wave = sine(frequency=4.0, cycles=6)
    found = agreement(wave.command, wave.command, **wave.stream)
    assert found.delay_ambiguity_samples == RATE / 4.0
    assert any("whole periods" in text for text in found.warnings)
    assert agreement(sweep().command, sweep().command, **sweep().stream).delay_ambiguity_samples is None


def test_known_delay_is_taken_out():
    wave = sweep()
    predicted = force(Rig(), wave.command)
    settings = Settings(remove_delay=37.25 / RATE)
    found = agreement(shifted(predicted, 37.25), predicted, **wave.stream, settings=settings)
    assert found.delay_samples == pytest.approx(0.0, abs=0.01)
    assert found.nrms < 1e-3


SLOW = np.sin(np.arange(40000) / 5000.0)


@pytest.mark.parametrize(
    "measured",
    [np.zeros(40000), np.ones(40000), np.full(40000, np.nan), -SLOW],
    ids=["nothing", "constant", "not known", "the wrong way round"],
)
def test_no_answer_where_there_is_none(measured):
    assert not isinstance(delay(SLOW, SLOW, window(40000), 300), NoDelay)
    assert isinstance(delay(measured, SLOW, window(40000), 300), NoDelay)
    assert isinstance(delay(SLOW, measured, window(40000), 300), NoDelay)


def test_beyond_the_range_is_no_answer():
    measured = np.sin((np.arange(40000) - 900) / 5000.0)
    assert isinstance(delay(measured, SLOW, window(40000, 3000), 500), NoDelay)
    assert delay(measured, SLOW, window(40000, 3000), 1000).samples == pytest.approx(900.0, abs=1e-3)


def test_weights_are_exact_for_polynomials():
    k = np.arange(-4, 5)
    for degree in range(9):
        assert weights(0.37) @ (-k.astype(float)) ** degree == pytest.approx((-0.37) ** degree, abs=1e-12)
