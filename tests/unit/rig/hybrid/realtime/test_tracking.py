"""Indicators and criteria of signals whose delay and errors are known."""

from __future__ import annotations

import numpy as np
import pytest

from rig.hybrid.realtime.criteria import as_printed, criteria
from rig.hybrid.realtime.tracking import Tracking, tracking

RATE = 4096.0
N = 40960
T = np.arange(N) / RATE
TARGET = 2e-3 * np.sin(2.0 * np.pi * 3.0 * T)  # whole periods


@pytest.mark.parametrize(("amplitude", "samples"), [(1.0, 20), (0.9, 20), (1.1, -8), (1.0, 0)])
def test_a_known_delay_and_amplitude_are_found(amplitude: float, samples: int) -> None:
    found = tracking(TARGET, amplitude * np.roll(TARGET, samples), RATE)
    assert found.amplitude_index == pytest.approx(amplitude, rel=1e-9)
    assert found.delay_s == pytest.approx(samples / RATE, abs=1e-9)


def test_errors_are_shares_of_the_target() -> None:
    """A sine that is late by an angle p has an error of 2 sin(p/2) of its amplitude."""
    samples = 37
    found = tracking(TARGET, np.roll(TARGET, samples), RATE)
    share = 2.0 * np.sin(0.5 * 2.0 * np.pi * 3.0 * samples / RATE)
    assert found.nrmse == pytest.approx(share, rel=1e-9)
    assert found.peak_error == pytest.approx(share, rel=1e-4)


def test_of_a_target_that_stands_still_nothing_is_said() -> None:
    assert tracking(np.zeros(100), np.ones(100), RATE) == Tracking(None, None, None, None)


def test_each_criterion_sees_its_own_floor() -> None:
    floors = np.column_stack([TARGET, 2.0 * TARGET, 3.0 * TARGET])
    reference = np.column_stack([TARGET / 0.8, 2.0 * TARGET / 0.9, 3.0 * TARGET / 0.95])
    found = criteria(floors, 0.97 * TARGET, reference, RATE)
    shares = [0.03, 0.03, 1.0 - 0.97 * 0.8, 0.1, 0.05, 1.0 - 0.97 * 0.8, 0.1, 0.05]
    assert list(found.values()) == pytest.approx([0.0, *shares])
    assert list(as_printed(found)) == pytest.approx([0.0, 3.0, 3.0, 22.4, 22.4, 10.0, 5.0, 10.0, 5.0])


def test_the_delay_is_a_whole_number_of_samples_within_fifty() -> None:
    floors = np.column_stack([TARGET] * 3)
    found = [criteria(floors, np.roll(TARGET, k), floors, RATE)["J1"] for k in (0, 19, 30, 90)]
    assert found[:3] == [0.0, 19 / RATE, 30 / RATE]
    assert found[3] == 49 / RATE  # as the package: it looks no further


def test_without_a_motion_there_are_no_criteria() -> None:
    floors = np.column_stack([TARGET] * 3)
    with pytest.raises(ValueError, match="stands still"):
        criteria(floors, TARGET, np.zeros((N, 3)), RATE)
