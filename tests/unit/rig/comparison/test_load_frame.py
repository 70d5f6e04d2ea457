"""A load frame's channels tell what does otherwise: on a frame with equations of its own, with seeds that nothing was chosen by."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest

from rig.comparison import load_frame
from rig.comparison.causes import NOISE
from rig.comparison.load_frame import FrameChannels, cause_in_frame
from rig.comparison.shapes import CLOCK, END_OF_RANGE, GAIN, GAIN_DRIFT, HYSTERESIS, LATE, NONLINEAR, ZERO, ZERO_DRIFT
from tests.tiers import quick
from tests.unit.rig.comparison.frame_bench import RATE, Frame, individual, run_of, seen

CHANNELS = FrameChannels("force", "actuator", "stroke", ("acceleration",))
SEED = 11
LARGEST = 11e3
MACHINE = {
    f"{load_frame.FRICTION}, or hysteresis of actuator": {"friction": 2e3},
    load_frame.DEADBAND: {"deadband": 1.5e-3},
    load_frame.VALVE_HYSTERESIS: {"hysteresis": 1.5e-3},
    load_frame.PUMP: {"ripple": 0.1},
    load_frame.OIL: {"column": 6.5e-9, "leakage": 1.2e-7},
    load_frame.FIXTURE: {"stiffness": 0.8e8},
    load_frame.GROWS: {"grows": 5e-5},
    load_frame.PLAY: {"play": 0.95e-3},
    load_frame.SWINGS: {"swinging": 25.0},
}


@functools.cache
def predicted() -> dict[str, np.ndarray]:
    return run_of(Frame(), 0, noisy=False)


@functools.cache
def healthy(seed: int) -> dict[str, np.ndarray]:
    return run_of(individual(seed), seed)


def yielding(x: np.ndarray) -> np.ndarray:
    """Elements that yield at other forces than any that is looked for."""
    lag = np.zeros(len(x))
    for limit in (1.7e3, 4.1e3):
        borne = 0.0
        for n in range(1, len(x)):
            borne = min(max(borne + x[n] - x[n - 1], -limit), limit)
            lag[n] -= borne
    return lag


def correlated(count: int, seed: int) -> np.ndarray:
    """Noise with a memory of 20 ms."""
    rng, out = np.random.default_rng(seed), np.zeros(count)
    for n in range(1, count):
        out[n] = out[n - 1] * np.exp(-1.0 / (0.02 * RATE)) + rng.standard_normal()
    return out / np.std(out)


CELL = {
    ZERO: lambda f, t, x: f + 170.0,
    ZERO_DRIFT: lambda f, t, x: f + 110.0 * t,
    GAIN: lambda f, t, x: 1.016 * f,
    GAIN_DRIFT: lambda f, t, x: f * (1.0 + 0.012 * t),
    LATE: lambda f, t, x: np.interp(t - 1.2e-3, t, f),
    CLOCK: lambda f, t, x: np.interp(t - 8e-4 * t, t, f),
    NONLINEAR: lambda f, t, x: f + 180.0 * 2.598 * (f / LARGEST - (f / LARGEST) ** 3),
    HYSTERESIS: lambda f, t, x: f + 0.025 * yielding(f),
    END_OF_RANGE: lambda f, t, x: np.clip(f, -0.982 * np.max(np.abs(f)), 0.982 * np.max(np.abs(f))),
    "cross-talk of stroke, or what moves both": lambda f, t, x: f + 4e5 * x,
    "mains hum of 50 Hz": lambda f, t, x: f + 150.0 * np.sin(2.0 * np.pi * 50.0 * t + 0.7) + 45.0 * np.sin(2.0 * np.pi * 150.0 * t),
    "mains hum of 60 Hz": lambda f, t, x: f + 150.0 * np.sin(2.0 * np.pi * 60.0 * t + 0.7) + 45.0 * np.sin(2.0 * np.pi * 180.0 * t),
    "a tone of 143.7 Hz": lambda f, t, x: f + 150.0 * np.sin(2.0 * np.pi * 143.7 * t + 0.7),
    NOISE: lambda f, t, x: f + 170.0 * correlated(len(f), SEED),
}


@pytest.mark.parametrize("words", quick(MACHINE, 2))
def test_what_the_machine_does_otherwise_is_named(words: str) -> None:
    found = cause_in_frame(seen(run_of(individual(SEED, **MACHINE[words]), SEED), predicted()), CHANNELS, in_force=True)
    assert found.words == words, found


@pytest.mark.parametrize("seed", quick([12, 13], 1))
def test_a_frame_within_its_drawing_has_nothing_of_it(seed: int) -> None:
    """The control of all the others: nothing is named that is not there."""
    found = cause_in_frame(seen(healthy(seed), predicted()), CHANNELS, in_force=True)
    assert (found.words, found.share) == (load_frame.ORDERLY, 0.0)


@pytest.mark.parametrize("words", quick(CELL, 5))
def test_a_fault_of_the_load_cell_is_named(words: str) -> None:
    """The loop closes on its own reading, so the others show what the machine did."""
    shown = dict(healthy(SEED))
    shown["force"] = CELL[words](shown["force"], np.arange(len(shown["force"])) / RATE, shown["stroke"])
    found = cause_in_frame(seen(shown, predicted()), CHANNELS, in_force=True)
    assert found.words == words, found


def test_a_fault_of_the_witness_is_not_put_on_the_load_cell() -> None:
    shown = dict(healthy(SEED))
    shown["actuator"] = 1.04 * shown["actuator"]
    assert cause_in_frame(seen(shown, predicted()), CHANNELS, in_force=True).words.endswith("of actuator or of an accelerometer")


def test_figures_are_those_of_the_fault() -> None:
    """A column of 6.5 over 5, 2.4 times the leakage, by a flow known to 2 %; a play that grows by 50 um/s, in thirds of a second."""
    dead = cause_in_frame(seen(run_of(individual(SEED, deadband=1.5e-3), SEED), predicted()), CHANNELS, in_force=True)
    assert dead.figures == "1.5 mm/s to either side"
    oil = cause_in_frame(seen(run_of(individual(SEED, column=6.5e-9, leakage=1.2e-7), SEED), predicted()), CHANNELS, in_force=True)
    softer, more = (float(number) for number in re.findall(r"([+-][0-9]+) %", oil.figures))
    assert abs(softer - 100.0 * (5.0 / 6.5 - 1.0)) <= 3.0 and abs(more - 140.0) <= 10.0
    grows = cause_in_frame(seen(run_of(individual(SEED, grows=5e-5), SEED), predicted()), CHANNELS, in_force=True)
    assert abs(float(grows.figures.split()[1]) - 50.0 / 3.0) < 0.2


def test_where_the_command_is_no_force_the_valve_is_not_asked() -> None:
    found = cause_in_frame(seen(run_of(individual(SEED, deadband=1.5e-3), SEED), predicted()), CHANNELS, in_force=False)
    assert found.words == load_frame.ORDERLY
