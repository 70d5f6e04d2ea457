"""Each part of a signal's chain against its closed form, and the whole cut into pieces."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rig.config.disturbance import CrossTalk, Disturbance
from rig.virtual.signal_chain.chain import Chain
from tests.tiers import quick

RATE = 51_200.0
SECOND = np.arange(1, int(RATE) + 1) / RATE
SINE = 3.0 * np.sin(2.0 * np.pi * 3.0 * SECOND)
ALL = Disturbance(
    "x", crosstalk=(CrossTalk("y", 0.1),), hysteresis=0.01, nonlinearity=0.01, gain_error=0.02, gain_drift=0.01, zero=0.1, zero_drift=0.2,
    hum=0.1, hum_harmonics=(0.5, 0.3), coloured_noise=0.05, interference=0.1, delay=1e-3, skew_ppm=50.0, saturation=2.9,
)  # fmt: skip


def passed(disturbance: Disturbance, values: np.ndarray = SINE, times: np.ndarray = SECOND, seed: int = 1, pieces: int = 1) -> np.ndarray:
    chain = Chain(disturbance, np.random.default_rng(seed), np.random.default_rng([seed, 2]))
    others = np.cos(7.0 * times)[:, None] if disturbance.crosstalk else np.empty((len(times), 0))
    cut = [np.array_split(array, pieces) for array in (times, values, others)]
    return np.concatenate([chain.pass_on(*one) for one in zip(*cut, strict=True)])


def harmonics(values: np.ndarray) -> np.ndarray:
    """Amplitudes at 0, 1, 2 ... Hz of one second."""
    return 2.0 * np.abs(np.fft.rfft(values)) / len(values)


def test_nothing_leaves_every_bit() -> None:
    assert passed(Disturbance("x")).tobytes() == SINE.tobytes()
    assert passed(Disturbance("x", crosstalk=(CrossTalk("y", 0.0),)), -SINE).tobytes() == (-SINE).tobytes()


@pytest.mark.parametrize("pieces", [7, 999])
def test_it_does_not_depend_on_how_time_is_cut(pieces: int) -> None:
    np.testing.assert_allclose(passed(ALL, pieces=pieces), passed(ALL), rtol=0.0, atol=1e-13)


def test_hum_has_the_mains_frequency_and_its_harmonics() -> None:
    added = harmonics(passed(Disturbance("x", hum=0.2, hum_frequency=60.0, hum_harmonics=(0.0, 0.25))) - SINE)
    assert added[60] == pytest.approx(0.2, rel=1e-9) and added[180] == pytest.approx(0.05, rel=1e-9)
    added[[60, 180]] = 0.0
    assert added.max() < 1e-12


def test_a_tone_above_half_the_sample_rate_comes_out_folded() -> None:
    added = harmonics(passed(Disturbance("x", interference=0.1, interference_frequency=51_100.0)) - SINE)
    assert np.argmax(added) == 100 and added[100] == pytest.approx(0.1, rel=1e-9)


def test_zero_and_gain_drift_with_time() -> None:
    out = passed(Disturbance("x", zero=0.1, zero_drift=-0.3, gain_error=0.02, gain_drift=0.5))
    np.testing.assert_allclose(out, SINE * (1.02 + 0.5 * SECOND) + 0.1 - 0.3 * SECOND, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("exponent", quick([0.0, 1.0, 2.0], [1.0]))
def test_coloured_noise_has_its_power_where_it_should(exponent: float) -> None:
    """Of twenty seeds, octave by octave: the integral of 1/f^a over each, to four standard errors of some six tones each."""
    disturbance = Disturbance("x", coloured_noise=0.5, noise_exponent=exponent, noise_lowest=16.0, noise_highest=1024.0)
    nothing = np.zeros_like(SINE)
    power = np.mean([0.5 * harmonics(passed(disturbance, nothing, seed=seed)) ** 2 for seed in range(20)], axis=0)
    edges = 2.0 ** np.arange(4, 11)
    wanted = np.log(edges[1:] / edges[:-1]) if exponent == 1.0 else np.diff(edges ** (1.0 - exponent)) / (1.0 - exponent)
    found = [power[int(low) : int(high)].sum() for low, high in itertools.pairwise(edges)]
    np.testing.assert_allclose(found, 0.25 * wanted / wanted.sum(), rtol=0.15)
    assert power.sum() == pytest.approx(0.25, rel=0.03)


def test_a_loop_is_as_wide_as_said_and_its_ends_are_right() -> None:
    once = np.concatenate([np.linspace(0, 10, 1001), np.linspace(10, -10, 2001)[1:], np.linspace(-10, 10, 2001)[1:]])
    out = passed(Disturbance("x", hysteresis=0.02), once, np.arange(1, len(once) + 1) / RATE)
    down, up = out[1000:3001], out[3000:5001][::-1]
    gap = down - up
    assert gap[1000] == pytest.approx(0.02 * 10.0, rel=1e-12) and gap.max() == pytest.approx(0.2, rel=1e-12)
    assert out[3000] == pytest.approx(-10.0, rel=1e-12) and out[5000] == pytest.approx(10.0, rel=1e-12)
    assert gap[0] == pytest.approx(0.0, abs=1e-12)


def test_a_small_loop_is_narrower_by_more_than_its_size() -> None:
    def width(size: float) -> float:
        loop = size * np.concatenate([np.linspace(0, 1, 1001), np.linspace(1, -1, 2001)[1:], np.linspace(-1, 1, 2001)[1:]])
        out = passed(Disturbance("x", hysteresis=0.02), loop, np.arange(1, len(loop) + 1) / RATE)
        return float(out[2000] - out[4000])

    assert 0.0 < width(2.0) < 0.5 * width(4.0)


def test_a_bent_line_is_off_by_what_is_said_at_the_worst_and_right_at_its_ends() -> None:
    line = np.linspace(-5.0, 5.0, 10_001)
    off = passed(Disturbance("x", nonlinearity=0.004, full_scale=5.0), line, np.arange(1, len(line) + 1) / RATE) - line
    assert off.max() == pytest.approx(0.02, rel=1e-6) and off.min() == pytest.approx(-0.02, rel=1e-6)
    np.testing.assert_allclose(off[[0, 5000, -1]], 0.0, atol=1e-14)


def test_another_signal_talks_into_it() -> None:
    np.testing.assert_allclose(passed(Disturbance("x", crosstalk=(CrossTalk("y", -0.2),))), SINE - 0.2 * np.cos(7.0 * SECOND), rtol=1e-12)


def test_a_slow_clock_is_later_and_later() -> None:
    out = passed(Disturbance("x", delay=2e-3, skew_ppm=1000.0))
    settled = SECOND > 0.01
    expected = 3.0 * np.sin(2.0 * np.pi * 3.0 * (SECOND * (1.0 - 1e-3) - 2e-3))
    bend = 3.0 * (2.0 * np.pi * 3.0 / RATE) ** 2 / 8.0  # of a straight line between two samples
    np.testing.assert_allclose(out[settled], expected[settled], atol=1.01 * bend)


def test_what_is_beyond_the_range_is_cut_off() -> None:
    np.testing.assert_array_equal(passed(Disturbance("x", saturation=2.0)), np.clip(SINE, -2.0, 2.0))


def test_a_signal_that_talks_into_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="gain_error"):
        Disturbance("x", crosstalk=(CrossTalk("x", 0.1),))
    with pytest.raises(ValueError, match="noise_lowest"):
        Disturbance("x", noise_lowest=10.0, noise_highest=10.0)


@pytest.mark.parametrize("pieces", [1, 7, 999])
@pytest.mark.parametrize(("fault", "left"), [("frozen", "last"), ("open", "nothing")])
def test_a_fault_comes_at_its_time_and_stays(fault: str, left: str, pieces: int) -> None:
    found = passed(Disturbance("x", hum=0.1, fault=fault, fault_begin=0.5), pieces=pieces)
    before, rest = SECOND < 0.5, passed(Disturbance("x", hum=0.1))
    assert np.array_equal(found[before], rest[before])
    assert np.all(found[~before] == (rest[~before][0] if left == "last" else 0.0))
