"""Play that grows by 5 um over 1000 cycles, found by the change of a cycle's amplitude; clean cycles pass for a hundred times as long.

A stroke of 1 mm of play with a sensor's noise of 0.5 um, at 200 samples a cycle. The hundred thousand cycles are of the campaign.
"""

from __future__ import annotations

import numpy as np

from rig.calculated.rows import Rows
from rig.checks.derived_limits import DerivedLimits
from rig.checks.limits import Moment
from rig.config.experiment import Limit
from tests.each_row import each_row
from tests.thorough import times

PERIOD, TOGETHER = 200, 100
PLAY, NOISE, GROWTH = 1e-3, 0.5e-6, 5e-6 / 1000.0  # m; m; m a cycle
LIMIT = Limit("stroke", per_cycle="amplitude", change=1.5e-6, settle=2, learn=20, debounce_cycles=3, action="stop")
CLEAN = times(5_000, thorough=100_000)


def found(cycles: int, growth: float, seed: int) -> list[int]:
    """Cycles at whose end the limit is passed; growth m a cycle."""
    check, random = DerivedLimits([LIMIT], 1000.0), np.random.default_rng(seed)
    passed = []
    for first in range(0, cycles, TOGETHER):
        n = np.arange(first * PERIOD, (first + TOGETHER) * PERIOD)
        cycle = (n // PERIOD).astype(np.float64)
        wave = np.tanh(5.0 * np.sin(2.0 * np.pi * n / PERIOD))  # the play is crossed fast
        stroke = 0.5 * (PLAY + growth * cycle) * wave + NOISE * random.standard_normal(len(n))
        rows = Rows({"stroke": stroke}, 2.0 * np.pi * n / PERIOD, cycle)
        passed += [one.sample // PERIOD for one in check.check(int(n[0]), rows, Moment("running", rows.phase))]
    return passed


@each_row("seed", range(10))
def test_growing_play_is_found_in_time(seed: int) -> None:
    cycles = found(1000, GROWTH, seed)
    assert cycles and 400 < cycles[0] < 1000


def test_clean_cycles_pass() -> None:
    assert len(found(CLEAN, 0.0, 99)) <= 1
