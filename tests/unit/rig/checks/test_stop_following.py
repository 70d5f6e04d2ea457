"""A stop that the force follows, late and with its impacts, and one that a stuck valve does not."""

from __future__ import annotations

import numpy as np
import pytest

from rig.checks.stop_following import LAG, LASTS, Left, StopCheck
from tests.each_row import each_row

RATE, BLOCK = 5000.0, 50
AHEAD, RAMP, LAST = 0.2, 0.5, 0.5  # s: the trajectory that is filled ahead, the ramp, what is looked at behind it
LEAST = 1e3


def commanded(phase: float, frequency: float, amplitude: float) -> tuple[np.ndarray, np.ndarray]:
    """(command, (k,)) from the stop on; the loop is late by 25 ms."""
    t = np.arange(round((AHEAD + RAMP + LAST) * RATE)) / RATE

    def at(t: np.ndarray) -> np.ndarray:
        stand = amplitude * np.sin(2.0 * np.pi * frequency * np.minimum(t, AHEAD) + phase)
        return stand * 0.5 * (1.0 + np.cos(np.pi * np.clip((t - AHEAD) / RAMP, 0.0, 1.0)))

    return at(t), at(t - 0.025)


def found(command: np.ndarray, force: np.ndarray) -> Left | None:
    check = StopCheck(LEAST, RATE)
    told = [check.check(first, command[first : first + BLOCK], force[first : first + BLOCK]) for first in range(0, len(command), BLOCK)]
    told = [one for one in told if one is not None]
    assert len(told) <= 1, "told once"
    return told[0] if told else None


@each_row("seed", range(50))
def test_a_loop_that_lags_rings_and_strikes_follows(seed: int) -> None:
    random = np.random.default_rng(seed)
    command, force = commanded(random.uniform(0.0, 6.3), random.uniform(0.5, 7.0), random.uniform(1e3, 30e3))
    since = np.mod(np.arange(len(force)) / RATE, 0.17)
    force = 1.1 * force + 6e3 * np.exp(-since / 0.01) + 25.0 * random.standard_normal(len(force))
    assert found(command, force) is None


@each_row("seed", range(50))
def test_a_valve_that_sticks_is_found_within_its_bound(seed: int) -> None:
    random = np.random.default_rng(seed)
    command, force = commanded(random.uniform(0.0, 6.3), random.uniform(0.5, 7.0), random.uniform(5e3, 30e3))
    stuck = np.full_like(force, force[0]) + 25.0 * random.standard_normal(len(force))
    left = found(command, stuck)
    if abs(force[0]) < LEAST + 200.0:
        return  # nothing to speak of is left
    assert left is not None and left.force == pytest.approx(force[0], abs=150.0)
    assert left.sample / RATE <= AHEAD + RAMP + LAG + LASTS + BLOCK / RATE


def test_what_never_had_a_force_has_none_to_lose() -> None:
    command, _ = commanded(1.0, 3.0, 10e3)
    assert found(command, np.zeros_like(command)) is None


def test_a_reading_that_is_no_number_is_left() -> None:
    command, force = commanded(1.0, 3.0, 10e3)
    force[2000:] = np.nan
    left = found(command, force)
    assert left is not None and left.sample / RATE <= 0.4 + LASTS + BLOCK / RATE
