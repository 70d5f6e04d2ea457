"""A channel that shows nothing while the rig moves: from the start or from some moment on; a steady one that has moved is alive."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.checks.dead_channels import SHORTEST, Dead, DeadCheck, Watched

RATE, PERIOD, CYCLES = 1000.0, 0.25, 8
STEP = 0.001  # of the converter
REST, RUN_UP = 300, 500
COUNT = round(PERIOD * RATE)


def course() -> np.ndarray:
    """Number of the cycle (n,): at rest and running up none is counted, nor is one while it stops."""
    counted = np.repeat(np.arange(CYCLES), COUNT)
    return np.concatenate([np.full(REST + RUN_UP, -1.0), counted, np.full(400, -1.0)])


def wave() -> np.ndarray:
    """A channel that swings by +-1 while it runs, (n,)."""
    n = np.arange(len(course())) - REST
    running = np.clip(n / RUN_UP, 0.0, 1.0) * np.clip((RUN_UP + CYCLES * COUNT + 400 - n) / 400, 0.0, 1.0)
    return running * np.sin(2.0 * np.pi * n / COUNT)


def found(values: np.ndarray, size: int = 10, cycle: np.ndarray | None = None) -> list[Dead]:
    cycle = course() if cycle is None else cycle
    check = DeadCheck([Watched(1, 0.1, STEP)], RATE)
    block = np.column_stack([np.zeros(len(values)), values])
    slices = [(first, slice(first, first + size)) for first in range(0, len(values), size)]
    return [one for first, part in slices for one in check.check(first, cycle[part], block[part])]


@given(st.integers(1, 400))
def test_a_living_channel_is_left_alone_whatever_the_blocks(size: int) -> None:
    assert found(wave(), size) == []


@given(st.integers(1, 60), st.floats(0.0, 0.04))
def test_a_shorted_one_is_found_after_the_first_cycle(size: int, noise: float) -> None:
    values = noise * np.random.default_rng(size).uniform(-1.0, 1.0, len(course()))
    (dead,) = found(values, size)
    assert 0 <= dead.sample - (REST + RUN_UP + COUNT) + size <= 2 * size
    assert dead.change <= 2 * noise


def test_steady_speed_is_no_death() -> None:
    n = np.arange(len(course()))
    assert found(30.0 * np.clip((n - REST) / RUN_UP, 0.0, 1.0)) == []


def steady_speed(noise: float, seed: int) -> np.ndarray:
    """As a 16-bit converter shows a tachometer: a run-up that settles, then noise (steps of the converter, rms), (n,)."""
    n = np.arange(len(course())) - REST
    settled = 30.0 * np.clip(n / RUN_UP, 0.0, 1.0) - 0.05 * np.exp(-np.clip(n - RUN_UP, 0, None) / (0.2 * COUNT)) * (n > 0)
    return np.asarray(np.round(settled / STEP + noise * np.random.default_rng(seed).normal(size=len(n))) * STEP)


@given(st.integers(0, 2**32), st.floats(0.5, 1.0), st.floats(4.0, 5.99))
def test_a_steady_speed_that_freezes_is_found_by_its_noise(seed: int, noise: float, at: float) -> None:
    values, when = steady_speed(noise, seed), REST + RUN_UP + round(at * COUNT)
    assert found(values) == []
    values[when:] = values[when]
    (dead,) = found(values)
    assert COUNT <= dead.sample - when <= 2 * COUNT + 10 and dead.change == 0.0


@given(st.integers(0, 2**32), st.floats(0.0, 0.4))
def test_a_converter_that_hardly_shows_the_noise_is_no_frozen_one(seed: int, noise: float) -> None:
    """It stands on one step for whole cycles once it has settled."""
    assert found(steady_speed(noise, seed)) == []


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_one_that_falls_still_is_found_within_two_cycles(at: float) -> None:
    values, when = wave(), REST + RUN_UP + round((3 + at) * COUNT)
    values[when:] = values[when]
    (dead,) = found(values)
    assert COUNT <= dead.sample - when <= 2 * COUNT + 10


def test_short_cycles_are_taken_together() -> None:
    """At 5000 r/min a cycle is one block."""
    cycle = np.concatenate([np.full(REST, -1.0), np.repeat(np.arange(100.0), 12)])
    (dead,) = found(np.zeros(len(cycle)), 10, cycle)
    assert dead.sample >= REST + SHORTEST * RATE - 10
    assert found(np.sin(np.arange(len(cycle)) / 60.0), 10, cycle) == []


def test_nothing_is_watched() -> None:
    assert DeadCheck([], RATE).check(0, np.zeros(10), np.zeros((10, 3))) == []
