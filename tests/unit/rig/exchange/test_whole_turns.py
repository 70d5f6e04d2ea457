"""Cycles of an input that nobody has counted."""

from __future__ import annotations

import numpy as np
import pytest

from rig.exchange import whole_turns
from rig.exchange.whole_turns import turns

RATE, FREQUENCY = 10_000.0, 3.0
PERIOD = RATE / FREQUENCY


def ramped(noise: float = 0.0, mean: float = 0.0, soft: float = 0.5, cycles: int = 8) -> np.ndarray:
    """A sine that grows for `soft` s, stays for `cycles` cycles, and goes for as long."""
    whole = cycles / FREQUENCY
    t = np.arange(int((2 * soft + whole) * RATE)) / RATE
    size = np.interp(t, [0.0, soft, soft + whole, 2 * soft + whole], [0.0, 1.0, 1.0, 0.0])
    return mean + size * np.sin(2.0 * np.pi * FREQUENCY * (t - soft)) + noise * np.random.default_rng(1).normal(size=len(t))


@pytest.mark.parametrize("noise", [0.0, 0.03])
@pytest.mark.parametrize("mean", [0.0, 5.0])
def test_whole_cycles_are_counted_and_those_of_the_ramps_are_not(noise: float, mean: float) -> None:
    given = ramped(noise, mean)
    found = turns(given, PERIOD)
    phase, cycle = found.at(0, len(given))
    counted = cycle >= 0.0
    assert int(cycle.max()) + 1 == 8
    assert abs(np.sum(counted) / RATE - 8 / FREQUENCY) < 0.02
    first = np.argmax(counted)
    assert first / RATE == pytest.approx(0.5, abs=0.004 if noise else 2e-4)
    due = 2.0 * np.pi * FREQUENCY * (np.arange(len(given)) / RATE - 0.5)
    apart = np.angle(np.exp(1j * (phase - due)))[counted]
    assert np.abs(apart).max() < (0.08 if noise else 0.01)


def test_in_pieces_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given = ramped(0.02)
    whole = turns(given, PERIOD)
    monkeypatch.setattr(whole_turns, "BLOCK", 777)
    parts = turns(given, PERIOD)
    assert np.array_equal(parts.begins, whole.begins) and np.array_equal(parts.counted, whole.counted)
    one, two = (
        whole.at(0, len(given)),
        [np.concatenate(part) for part in zip(*(whole.at(n, min(n + 500, len(given))) for n in range(0, len(given), 500)), strict=True)],
    )
    assert np.array_equal(one[0], two[0]) and np.array_equal(one[1], two[1])


def test_of_another_frequency_nothing_is_counted() -> None:
    assert not turns(ramped(), 2.0 * PERIOD).counted.any()


def test_what_is_not_periodic_is_one_cycle() -> None:
    phase, cycle = turns(np.zeros(100), None).at(0, 100)
    assert set(cycle) == {0.0} and phase[50] == pytest.approx(np.pi)


def test_what_stands_still_has_no_cycle() -> None:
    assert set(turns(np.zeros(1000), 100.0).at(0, 1000)[1]) == {-1.0}
