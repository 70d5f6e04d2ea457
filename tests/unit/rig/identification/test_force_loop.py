"""Play and stiffness of a loop that is known: a spring behind a dead zone."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison import Settings
from rig.identification.cycle_figures import CycleFigures
from rig.identification.force_loop import loop
from tests.unit.rig.identification.test_cycle_figures import RATE, command

PLAY, PULLED, PUSHED = 0.8e-3, 110e6, 130e6  # m, N/m


def displaced(force):
    """Half of the play to either side, then by a spring; between them the specimen jumps."""
    return 0.5 * PLAY * np.sign(force) + np.where(force > 0.0, force / PULLED, force / PUSHED)


def test_lines_through_the_branches_give_play_and_compliances():
    force = 1e4 * np.sin(np.linspace(0.0, 2.0 * np.pi, 2000, endpoint=False))
    found = loop(displaced(force), force)
    assert found == pytest.approx((PLAY, 1.0 / PULLED, 1.0 / PUSHED), rel=1e-9)


def test_a_load_to_one_side_only_has_no_play():
    force = 1e4 * (1.0 + np.sin(np.linspace(0.0, 2.0 * np.pi, 2000)))
    with pytest.raises(ValueError, match="loaded to either side"):
        loop(displaced(force), force)


def test_every_cycle_has_its_loop_and_the_harmonics_stay_what_they_are():
    given, phase = command()
    force = 1e4 * np.sin(phase)
    series = {"force": force, "stroke": displaced(force)}
    settings = Settings(lowpass=None, discard_cycles=1)
    alone, with_loop = (CycleFigures(given, RATE, settings, ("force",), 40, (), both) for both in (None, ("stroke", "force")))
    rows, more = alone.of(series), with_loop.of(series)
    its = with_loop.rows
    assert its.needed == ("force", "stroke") and more.shape[1] == len(its) == len(alone.rows) + 3 and its.smooth[-3:].all()
    assert np.array_equal(more[:, :-3], rows)
    assert np.array(its.loop_of(more[0])) == pytest.approx((PLAY, 1.0 / PULLED, 1.0 / PUSHED), rel=1e-6)
    assert np.array_equal(its.curves(more[0], 90)["force"], alone.rows.curves(rows[0], 90)["force"])
