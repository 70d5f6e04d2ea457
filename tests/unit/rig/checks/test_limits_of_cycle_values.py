"""Limits on a calculated channel that is itself the value of a cycle: there is none of the first cycle, and that is not taken for NaN."""

from __future__ import annotations

import numpy as np
import pytest

from rig.checks.channel_limits import ChannelLimits
from rig.config.experiment import Calculated, Limit

RATE, PERIOD, CYCLES = 1000.0, 200, 30
PLAY = Calculated("play", "play(stroke, force)", "m")


def passed(limit: Limit, growth: float, size: int) -> list[float]:
    """Cycles at whose beginning a limit is passed; the play of 0.8 mm grows by so much (m) a cycle."""
    n = np.arange((CYCLES + 1) * PERIOD)
    cycle = np.where(n < PERIOD, -1.0, n // PERIOD - 1.0)
    phase = 2.0 * np.pi * n / PERIOD
    force = 1e4 * np.sin(phase)
    stroke = 0.5 * (0.8e-3 + growth * np.maximum(cycle, 0.0)) * np.sign(force) + force / 1e8
    check = ChannelLimits([PLAY], [limit], ["stroke", "force", "command"], RATE, {}, {})
    found = []
    for first in range(0, len(n), size):
        part = slice(first, first + size)
        values = {"stroke": stroke[part], "force": force[part], "command": force[part]}
        _, now = check.check(first, values, phase[part], cycle[part], "running")
        found += [float(cycle[one.sample]) for one in now]
    return found


@pytest.mark.parametrize("size", [40, 37, 1000])
def test_drift_of_a_play_is_found_and_none_where_there_is_none(size: int) -> None:
    limit = Limit("play", per_cycle="mean", drift=2e-6, settle=2, learn=10, action="stop")
    assert passed(limit, 0.0, size) == []
    assert 12 < passed(limit, 1e-6, size)[0] < CYCLES


def test_learned_bounds_of_a_play() -> None:
    limit = Limit("play", per_cycle="mean", change=4e-6, settle=0, learn=5, action="stop")
    assert passed(limit, 0.0, 40) == []
    assert 5 < passed(limit, 1e-6, 40)[0] < 15
