"""Cycles in which a test was held repeat nothing: they are in no mean wave, and lift no scatter."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison import Settings
from rig.comparison.channels import agreement
from rig.comparison.result import ChannelAgreement
from rig.comparison.uncertainty.folding import Fold

RATE, FREQUENCY = 5000.0, 5.0
PERIOD = RATE / FREQUENCY


def found(holds: list[int], cycles: int = 40, hold: int = 700) -> ChannelAgreement:
    """A sine of 10 kN with noise of 10 N; held in these cycles, at 0.2 of them, where measured comes to rest 300 N below predicted."""
    speed = np.ones(int(cycles * PERIOD))
    at = np.concatenate([np.arange(len(speed)), *(np.full(hold, int((cycle + 0.2) * PERIOD)) for cycle in holds)])
    at.sort()
    phase = 2.0 * np.pi * at / PERIOD
    still = np.concatenate(([False], np.diff(at) == 0))
    predicted = 1e4 * np.sin(phase)
    measured = predicted - 300.0 * still + 10.0 * np.random.default_rng(1).standard_normal(len(at))
    cycle = np.floor(at / PERIOD)
    return agreement(
        measured, predicted, rate=RATE, command=predicted, cycle=cycle, amplitude=1e4, frequency=FREQUENCY, phase=phase,
        settings=Settings(None, 2, delay=False),
    )  # fmt: skip


def test_a_test_that_was_held_is_as_sure_of_its_waves_as_one_that_was_not() -> None:
    plain, held = found([]), found([5, 11, 20, 33])
    of_a_part = 10.0 / np.sqrt(2.0)  # two samples lie in each part of a turn
    assert plain.scatter == pytest.approx(of_a_part, rel=0.1)
    assert held.scatter == pytest.approx(of_a_part, rel=0.1)
    assert held.peak_error == pytest.approx(plain.peak_error, abs=2e-4)
    assert held.intervals["gain"].std < 2.0 * plain.intervals["gain"].std
    assert len(held.cycles) == len(plain.cycles) == 38, "they count in all other figures"
    assert held.rms_difference is not None and plain.rms_difference is not None and held.rms_difference > 2.0 * plain.rms_difference


def test_where_it_was_held_in_every_group_of_cycles_no_wave_is_told() -> None:
    held = found(list(range(40)))
    assert held.scatter is None and held.peak_measured is None and "gain" not in held.intervals


def test_where_groups_of_cycles_have_no_part_of_a_turn_in_common_no_wave_is_told() -> None:
    """As where a channel is cut in each part of the turn now and then: a million cycles at twenty samples each once ended in a fault."""
    fold = Fold(np.arange(40.0), 100.0, None, RATE)
    phase = np.tile(2.0 * np.pi * np.arange(100) / 100.0, 40)
    fold.add(np.sin(phase), np.sin(phase), np.repeat(np.arange(40.0), 100), phase)
    assert fold.waves() is not None
    for _ in range(10):
        fold.cut(phase[:100])
    assert fold.waves() is None
