"""Pairs of signals with a known gain, offset, delay, drift and noise, clipped and missing parts: no bias, and intervals that hold.

The expected values are those that the pairs were made with. Shares of intervals that hold are over all figures of a kind of pair together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from rig.comparison import Settings, agreement
from tests.thorough import times
from tests.tiers import quick

RATE, FREQUENCY, A, CYCLES = 2560.0, 5.0, 10e3, 10
GAIN, OFFSET, LATE, DRIFT, NOISE = 1.02, 150.0, 2.3, 20.0, 0.01
PAIRS = times(25, 1000)
KINDS = ("plain", "drifting", "clipped", "gap", "both noisy")


def pair(kind: str, seed: int) -> tuple[dict[str, tuple[float, float, float]], dict[str, float]]:
    """(metric -> (value, low, high) at 95 %, metric -> truth)."""
    n = np.arange(int(RATE / FREQUENCY * (CYCLES + 2)))
    rng = np.random.default_rng(seed)
    turn = 2.0 * np.pi * FREQUENCY * n / RATE
    cycle = np.floor(n * FREQUENCY / RATE) - 1.0
    cycle[(cycle < 0.0) | (cycle >= CYCLES)] = -1.0
    predicted = A * np.sin(turn)
    measured = GAIN * A * np.sin(turn - 2.0 * np.pi * FREQUENCY * LATE / RATE) + OFFSET + NOISE * A * rng.standard_normal(len(n))
    if kind == "drifting":
        measured += DRIFT * (cycle - 0.5 * (CYCLES + 1)) * (cycle >= 0.0)
    if kind == "clipped":
        measured = np.minimum(measured, 0.98 * GAIN * A)
    if kind == "gap":
        measured[4500:4850] = np.nan
    if kind == "both noisy":
        predicted = predicted + NOISE * A * rng.standard_normal(len(n))
    found = agreement(
        measured, predicted, rate=RATE, command=A * np.sin(turn), cycle=cycle, amplitude=A, frequency=FREQUENCY, phase=turn, unit="N",
        settings=Settings(lowpass=500.0),
    )  # fmt: skip
    true = {
        "gain": GAIN, "offset": OFFSET, "delay": LATE / RATE, "fundamental": 1.0 / GAIN - 1.0, "phase": 360.0 * FREQUENCY * LATE / RATE,
        "max": 1.0 / (GAIN + OFFSET / A) - 1.0, "gain_drift": 0.0, "offset_drift": DRIFT if kind == "drifting" else 0.0,
    }  # fmt: skip
    known = {name: one for name, one in found.intervals.items() if name in true}
    return {name: (one.value, *one.bounds(0.025)) for name, one in known.items()}, true


@pytest.fixture(scope="module", params=quick(KINDS, 1))
def pairs(request: pytest.FixtureRequest) -> Iterator[tuple[str, list[tuple[dict[str, tuple[float, float, float]], dict[str, float]]]]]:
    yield request.param, [pair(request.param, seed) for seed in range(PAIRS)]


def test_estimates_have_no_bias(pairs):
    kind, all_found = pairs
    for name in ("gain", "offset", "delay", "fundamental", "phase", "max", "offset_drift", "gain_drift"):
        off = np.array([found[name][0] - true[name] for found, true in all_found if name in found])
        if kind == "clipped" and name in ("fundamental", "phase", "max"):
            assert not len(off), "of a wave without its crest nothing is said"
            continue
        assert len(off) == PAIRS
        assert abs(np.mean(off)) <= 4.5 * np.std(off) / np.sqrt(len(off)), (kind, name, np.mean(off), np.std(off))


def test_intervals_hold_as_often_as_they_say(pairs):
    kind, all_found = pairs
    held = [
        low <= true[name] <= high
        for found, true in all_found
        for name, (_, low, high) in found.items()
        if not (kind == "drifting" and name == "delay")  # what drifts widens it, as it should
    ]
    spread = 4.0 * np.sqrt(0.95 * 0.05 / PAIRS)  # figures of one pair hang together
    assert 0.95 - spread <= np.mean(held) <= min(0.999, 0.95 + spread), (kind, np.mean(held))
