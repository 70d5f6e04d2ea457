"""Every reason why there is no delay, by signals of some thousand samples whose answer is known, and what is nearly one of them."""

import numpy as np
import pytest

from rig.comparison.delays import certainty
from rig.comparison.delays.delay import Delay, NoDelay, delay
from rig.comparison.delays.fractional_shift import shifted
from tests.tiers import quick

N, REACH = 4096, 64
n = np.arange(N)
INSIDE = (n >= 100) & (n < N - 100)
SWEEP = np.sin(2.0 * np.pi * (n / 800.0 + n**2 / 1.5e6))
"""A period of 800 samples, of 150 at the end."""


def noise(seed: int, size: float = 1.0) -> np.ndarray:
    return size * np.random.default_rng(seed).standard_normal(N)


def wave(period: float, late: float = 0.0) -> np.ndarray:
    return np.sin(2.0 * np.pi * (n - late) / period)


def found(measured: np.ndarray, predicted: np.ndarray) -> Delay | NoDelay:
    return delay(measured, predicted, INSIDE, REACH)


LINE = n / 1000.0
STEP = 0.5 + 0.5 * np.tanh((n - 2000.0) / 4.0)
REASONS = {
    "no noise, a line": (certainty.STRAIGHT, 50.0 + LINE, LINE),
    "a line": (certainty.STRAIGHT, LINE + noise(1, 1e-3), LINE),
    "an exponential": (certainty.STRAIGHT, np.exp(-(n - 20.0) / 2e3) + noise(2, 1e-3), np.exp(-n / 2e3)),
    "an inverted sweep": (certainty.OPPOSED, -shifted(SWEEP, 10.0) + noise(3, 0.01), SWEEP),
    "an inverted line": (certainty.OPPOSED, -LINE + noise(4, 1e-3), LINE),
    "a wave inverted": (certainty.OPPOSED, -wave(140.0, 10.0) + noise(5, 0.01), wave(140.0)),
    "a wave inverted, half a sample": (certainty.OPPOSED, -wave(140.0, 10.5) + noise(5, 1e-3), wave(140.0)),
    "noise": (certainty.UNRELATED, noise(6), noise(7)),
    "noise for a sweep": (certainty.UNRELATED, noise(8), SWEEP),
    "another wave": (certainty.UNRELATED, wave(71.0) + noise(9, 0.01), wave(900.0)),
    "later than is looked for": (certainty.AT_END, shifted(SWEEP, 70.0) + noise(10, 0.01), SWEEP),
    "earlier than is looked for": (certainty.AT_END, shifted(SWEEP, -70.0) + noise(11, 0.01), SWEEP),
    "nearly later than is looked for": (certainty.AT_END, shifted(SWEEP, 62.9) + noise(10, 1.0), SWEEP),
    "nearly earlier": (certainty.AT_END, shifted(SWEEP, -62.9) + noise(11, 1.0), SWEEP),
    "a step": (certainty.SINGLE, shifted(STEP, 7.0) + noise(12, 1e-3), STEP),
    "a pulse of 200 samples": (certainty.SINGLE, wave(400.0) * ((n >= 2000) & (n < 2200)) + noise(13, 1e-3),
                               wave(400.0) * ((n >= 2000) & (n < 2200))),
    "what stands still at its top": (certainty.SATURATED, np.minimum(shifted(SWEEP, 10.0), 0.7) + noise(14, 1e-3), SWEEP),
}  # fmt: skip


@pytest.mark.parametrize("name", REASONS)
def test_the_reason_is_told_with_its_numbers(name: str) -> None:
    said, measured, predicted = REASONS[name]
    denied = said in (certainty.OPPOSED, certainty.UNRELATED, certainty.AT_END)
    assert found(3.0 * measured + 7.0, predicted) == NoDelay(said.format(reach=REACH), contradicted=denied)


@pytest.mark.parametrize("late", [3.4, -20.0])
def test_what_repeats_itself_within_the_range_is_told_with_both_shifts(late: float) -> None:
    told = found(wave(50.0, late) + noise(1, 0.01), wave(50.0))
    assert isinstance(told, NoDelay)
    best, other = (float(told.reason.split()[k]) for k in (2, 5))
    assert told.reason == certainty.REPEATED.format(best=best, other=other)
    assert (best - other) % 50.0 == pytest.approx(0.0, abs=0.15) or (best - other) % 50.0 == pytest.approx(50.0, abs=0.15)
    assert (best - late + 25.0) % 50.0 == pytest.approx(25.0, abs=0.15)


SOME = {
    "a sweep": (SWEEP, 0.02),
    "a sweep with much noise": (SWEEP, 0.5),
    "a slow wave": (wave(900.0), 0.01),
    "a wave whose half period is in the range": (wave(110.0), 0.01),
    "a line and a little sweep": (LINE + 0.05 * SWEEP, 0.001),
    "a pulse of 400 samples": (wave(800.0) * ((n >= 2000) & (n < 2400)), 1e-3),
}


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("late", quick([0.0, 12.3, -12.3], [12.3]))
def test_what_is_nearly_one_of_them_has_a_delay(name: str, late: float) -> None:
    signal, size = SOME[name]
    told = found(3.0 * (shifted(signal, late) + noise(1, size)) + 7.0, signal)
    assert isinstance(told, Delay), told
    assert abs(told.samples - late) < 4.0 * told.sigma
    assert told.sigma < 2.0
