"""Figures of cycles: known waves give their own harmonics, whatever the speed at which the phase is gone through."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison import Settings
from rig.comparison.whole_cycles import WholeCycles
from rig.errors import ConfigError
from rig.identification.cycle_figures import CycleFigures
from rig.report.signals import Command

RATE, CYCLES = 2000.0, 7


def command(speed=lambda t: 4.0 + 0.0 * t):
    """Cycles from phase 0 on, at a speed (Hz) that may change."""
    t = np.arange(int(8.0 * RATE)) / RATE
    turns = np.concatenate(([0.0], np.cumsum(speed(t))[:-1])) / RATE
    cycle = np.where(turns < CYCLES, np.floor(turns), -1.0)
    phase = 2.0 * np.pi * turns
    return Command(np.sin(phase), phase, WholeCycles(cycle, phase, ()), "N", 1.0, 4.0), phase


def figures(command, **settings):
    return CycleFigures(command, RATE, Settings(**{"lowpass": None, "discard_cycles": 1, **settings}), ("force",), 40)


@pytest.mark.parametrize("speed", [lambda t: 4.0 + 0.0 * t, lambda t: 4.0 + 0.8 * np.sin(2.0 * t)])
def test_a_wave_of_the_phase_has_its_own_harmonics(speed):
    """3 + 2 cos(phase) + 0.5 sin(3 phase), cosine parts and minus the sine parts halved, as of a Fourier series."""
    given, phase = command(speed)
    its = figures(given)
    rows = its.of({"force": 3.0 + 2.0 * np.cos(phase) + 0.5 * np.sin(3.0 * phase)})
    assert rows.shape == (CYCLES - 1, len(its.rows))
    expected = np.zeros(len(its.rows))
    expected[0], expected[1], expected[its.rows.harmonics + 3] = 3.0, 1.0, -0.25
    assert np.abs(rows - expected).max() < 2e-3
    assert np.abs(rows - rows[0]).max() < 4e-3


def test_harmonics_end_where_the_low_pass_does():
    given, _ = command()
    assert figures(given, lowpass=40.0).rows.harmonics == 10


def test_cycles_that_are_not_known_throughout_are_left_out_and_counted():
    """Cycle 3 has a sample that is not known: of 1 to 6, which count, 1, 2, 4, 5 and 6 are taken."""
    given, _ = command()
    known = np.full(len(given.value), True)
    known[np.flatnonzero(given.cycle[:] == 3.0)[40]] = False
    its = CycleFigures(given, RATE, Settings(lowpass=None, discard_cycles=1), ("force",), 40, [known])
    assert [int(given.cycle[span.first : span.first + 1][0]) for span in its.spans] == [1, 2, 4, 5, 6] and its.left_out == 1
    known[: np.flatnonzero(given.cycle[:] == 5.0)[0]] = False
    with pytest.raises(ConfigError, match="2 whole cycles count in this record beside 4 in which samples are missing or clipped"):
        CycleFigures(given, RATE, Settings(lowpass=None, discard_cycles=1), ("force",), 40, [known])


def test_the_level_in_the_band_is_a_logarithm():
    given, phase = command()
    its = figures(given, band=(50.0, 200.0), lowpass=40.0)
    one, two = (its.of({"force": size * np.sin(25.0 * phase)})[:, -1] for size in (1.0, 2.0))
    assert two - one == pytest.approx(np.log(2.0)) and its.of({"force": phase}).shape[1] == len(its.rows)


def test_too_few_cycles_are_told():
    given, _ = command()
    with pytest.raises(ConfigError, match="expected 3 at least"):
        figures(given, discard_cycles=5)


def test_no_more_cycles_than_asked_for():
    given, phase = command()
    assert len(CycleFigures(given, RATE, Settings(None, 1), ("force",), 4).of({"force": phase})) == 4
