"""Iteration on loops that are linear, where the contraction of every line is known, and on one with a gap, where it is not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import butter, freqz, lfilter

from rig.control import iteration
from rig.control.iteration import Band, Errors, Pass
from rig.control.passes import Target
from rig.control.response import Response
from rig.trajectory import create, random

RATE = 1000.0
BAND = Band(0.5, 20.0)
LOOP = butter(1, 60.0, fs=RATE)
FREQUENCY = np.arange(0.5, 30.5, 0.5)
TRUE = Response(FREQUENCY, np.asarray(freqz(*LOOP, FREQUENCY, fs=RATE)[1]), np.ones(len(FREQUENCY)), 10.0)
ASKED = create(random.Config(duration=4.0, lowest_frequency=0.5, highest_frequency=20.0, rms=4e3, mean=15e3, soft_start=1.0, soft_stop=1.0))


def loop(drive: np.ndarray) -> np.ndarray:
    return np.asarray(lfilter(*LOOP, drive))


def gap(drive: np.ndarray) -> np.ndarray:
    """A loop whose output stays at 0 for small drives."""
    y = lfilter(*LOOP, drive)
    return np.asarray(np.sign(y) * np.maximum(np.abs(y) - 1.5e3, 0.0))


def passes(
    gain: float, used: Response, count: int = 6, mean: float = 15e3, plant: Callable[[np.ndarray], np.ndarray] = loop
) -> tuple[list[Errors], list[float], list[np.ndarray]]:
    """(errors by pass, contraction predicted before each later pass, measured contraction by line)."""
    target = Target.from_trajectory(ASKED, RATE)
    asked = target.value + np.where(target.counted, mean - 15e3, 0.0) if mean != 15e3 else target.value
    drive, before, found, predicted, lines = asked.copy(), None, [], [], []
    c = target.counted
    for _ in range(count):
        measured = plant(drive)
        found.append(iteration.errors(asked[c], measured[c], BAND, RATE))
        now = iteration.spectra(asked[c], drive[c], measured[c], BAND, RATE)
        if before is not None:
            lines.append(np.abs(now.error) / np.abs(before.error))
        each = iteration.line_contraction(iteration.estimate(now, before), used, now.frequency, gain)
        predicted.append(iteration.contraction(each, now.error))
        drive = drive + gain * iteration.correction(asked - measured, target.window, used, BAND, RATE)
        before = now
    return found, predicted, lines


@pytest.mark.parametrize("gain", [0.3, 0.5, 0.8])
def test_with_the_true_response_every_pass_shrinks_the_error_by_one_minus_the_gain(gain: float) -> None:
    found, predicted, lines = passes(gain, TRUE, 4)
    for before, after, said in zip(found, found[1:], predicted, strict=False):
        assert after.in_band / before.in_band == pytest.approx(1.0 - gain, abs=0.01)
        assert said == pytest.approx(1.0 - gain, abs=0.01)
    assert np.quantile(np.abs(lines[0] - (1.0 - gain)), 0.9) < 0.02


@pytest.mark.parametrize("factor", [1.5, 0.7, np.exp(0.4j)])
def test_with_a_wrong_response_the_contraction_is_as_the_passes_predict(factor: complex) -> None:
    wrong = Response(FREQUENCY, TRUE.value * factor, TRUE.coherence, 10.0)
    found, predicted, lines = passes(0.5, wrong, 4)
    for (before, after), said in zip(pairwise(found), predicted, strict=False):
        assert after.in_band / before.in_band == pytest.approx(abs(1.0 - 0.5 / factor), abs=0.02)
        assert said == pytest.approx(after.in_band / before.in_band, abs=0.02)
    assert np.median(lines[0]) == pytest.approx(abs(1.0 - 0.5 / factor), abs=0.02)


def test_poor_coherence_learns_less() -> None:
    poor = Response(FREQUENCY, TRUE.value, np.full(len(FREQUENCY), 0.4), 10.0)
    found, _, _ = passes(0.5, poor, 2)
    assert found[1].in_band / found[0].in_band == pytest.approx(1.0 - 0.5 * 0.4, abs=0.01)


def test_the_whole_error_falls_below_two_percent() -> None:
    found, _, _ = passes(0.5, TRUE, 7)
    assert found[0].full > 0.15
    assert found[6].full < 0.02


def test_a_gain_that_diverges_is_seen_before_and_after() -> None:
    found, predicted, _ = passes(2.3, TRUE, 4)
    assert predicted[0] == pytest.approx(1.3, abs=0.02)
    errors = [one.in_band for one in found]
    assert "grew" in iteration.diverging(errors[:3])
    assert iteration.diverging([0.5, 0.25, 0.2]) == ""
    assert "2 passes" in iteration.diverging([0.5, 0.2, 0.21, 0.22])
    assert iteration.diverging([0.5, 0.2, 0.21]) == ""
    assert iteration.diverging([0.5]) == ""


def test_with_a_gap_what_changed_from_pass_to_pass_predicts_the_next() -> None:
    found, predicted, _ = passes(0.5, TRUE, 4, mean=0.0, plant=gap)
    measured = [after.in_band / before.in_band for before, after in pairwise(found)]
    assert all(was > 0.54 for was in measured)  # not the 0.5 of a loop without
    for said, was in zip(predicted[1:], measured[1:], strict=False):
        assert said == pytest.approx(was, rel=0.06)
    assert all(one.outside > 0.1 for one in found)  # what the gap takes away, no drive in the band brings back
    assert found[-1].full ** 2 == pytest.approx(found[-1].in_band ** 2 + found[-1].outside ** 2)


def test_a_drive_begins_and_ends_as_what_was_asked() -> None:
    target = Target.from_trajectory(ASKED, RATE)
    added = iteration.correction(np.full(len(target.value), 1e3), target.window, TRUE, BAND, RATE)
    quarter = round(0.25 * RATE)
    assert np.all(added[:quarter] == 0.0)
    assert np.all(added[-quarter:] == 0.0)
    assert np.max(np.abs(np.diff(added))) < 50.0


def test_nothing_is_learned_above_the_band() -> None:
    target = Target.from_trajectory(ASKED, RATE)
    t = np.arange(len(target.value)) / RATE
    for frequency, share in ((10.0, 1.0), (31.0, 0.0)):
        added = iteration.correction(np.sin(2 * np.pi * frequency * t), target.window, TRUE, BAND, RATE)
        middle = added[target.counted][500:-500]
        assert np.std(middle) * np.sqrt(2.0) == pytest.approx(share / abs(TRUE.at(np.array([frequency]))[0]), abs=0.02)


@given(scale=st.floats(0.0, 1e5), seed=st.integers(0, 50))
def test_a_step_is_made_as_far_as_the_limits_allow(scale: float, seed: int) -> None:
    drive = Target.from_trajectory(ASKED, RATE).value
    step = scale * np.convolve(np.random.default_rng(seed).standard_normal(len(drive)), np.hanning(50) / 25.0, "same")
    limit = (-1e3, 35e3, 3e6)
    share = iteration.within(drive, step, limit, RATE)
    after = drive + share * step
    assert 0.0 <= share <= 1.0
    assert after.min() >= limit[0] - 1e-6
    assert after.max() <= limit[1] + 1e-6
    assert np.max(np.abs(np.diff(after))) * RATE <= limit[2] * (1 + 1e-9)
    if share < 1.0:
        beyond = drive + min(1.001 * share + 1e-9, 1.0) * step
        assert beyond.min() < limit[0] or beyond.max() > limit[1] or np.max(np.abs(np.diff(beyond))) * RATE > limit[2]


def test_errors_are_parted_at_the_edges_of_the_band() -> None:
    t = np.arange(8000) / RATE
    asked = 15e3 + 4e3 * np.sqrt(2.0) * np.sin(2 * np.pi * 5 * t)
    missed = 40.0 + 400.0 * np.sqrt(2.0) * np.sin(2 * np.pi * 10 * t) + 200.0 * np.sqrt(2.0) * np.sin(2 * np.pi * 50 * t)
    found = iteration.errors(asked, asked - missed, BAND, RATE)
    assert found.in_band == pytest.approx(0.1, rel=1e-6)
    assert found.mean == pytest.approx(0.01, rel=1e-6)
    assert found.outside == pytest.approx(np.hypot(0.05, 0.01), rel=1e-6)


def test_a_pass_shows_its_own_response_and_that_of_its_change() -> None:
    frequency = np.linspace(1.0, 20.0, 60)
    u, du = np.full(60, 2.0 + 0j), np.full(60, 0.1j)
    first = Pass(frequency, u, 0.9 * u, u)
    second = Pass(frequency, u + du, 0.9 * u + 0.5 * du, u)
    assert np.allclose(iteration.estimate(first, None), 0.9)
    assert np.allclose(iteration.estimate(second, first), 0.5)
