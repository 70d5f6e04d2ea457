"""What limits have learned, and damage has come to, goes on in another session of the same test."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rig.calculated.damage import PART
from rig.calculated.rows import Floats
from rig.checks.channel_limits import ChannelLimits
from rig.checks.limits import Passed
from rig.config.experiment import Limit

RATE, PERIOD, SIZE = 1000.0, 128, 64
CYCLES = PART * 3 // PERIOD
"""Of one session: whole parts of what is counted at once."""


def made(limits: Sequence[Limit]) -> ChannelLimits:
    definitions: Any = [SimpleNamespace(name="damage", expression="2 * damage(x, 5, 2.0)")]
    return ChannelLimits(definitions, limits, ["x", "command"], RATE, {}, {})


def run(check: ChannelLimits, x: Floats, first_cycle: int = 0) -> tuple[float, list[Passed]]:
    """(damage at the end, limits passed) of one session, whose samples begin at 0."""
    n = np.arange(len(x), dtype=np.float64)
    phase, cycle = 2.0 * np.pi * n / PERIOD, n // PERIOD + first_cycle
    passed = list[Passed]()
    damage = np.nan
    for first in range(0, len(x), SIZE):
        here = slice(first, first + SIZE)
        values = {"x": x[here], "command": np.sin(phase[here])}
        calculated, found = check.check(first, values, phase[here], cycle[here], "running")
        passed, damage = passed + found, float(calculated[-1, 0])
    return damage, passed


def wave(amplitude: float, cycles: int = CYCLES) -> Floats:
    return amplitude * np.sin(2.0 * np.pi * np.arange(cycles * PERIOD) / PERIOD)


def through_a_file(check: ChannelLimits) -> Any:
    return json.loads(json.dumps(check.memory(), allow_nan=False))


def test_damage_goes_on_where_it_was() -> None:
    whole, first, second = made([]), made([]), made([])
    together = np.concatenate([wave(1.0), wave(1.3)])
    expected = run(whole, together)[0]
    run(first, wave(1.0))
    second.recall(through_a_file(first))
    assert run(second, wave(1.3), CYCLES)[0] == pytest.approx(expected, rel=1e-12)
    assert run(made([]), wave(1.3), CYCLES)[0] < 0.9 * expected, "without it, it would have begun at nothing"


def test_damage_that_nobody_knows_stays_unknown() -> None:
    first, second = made([]), made([])
    run(first, np.full(CYCLES * PERIOD, np.nan))
    second.recall(through_a_file(first))
    assert np.isnan(run(second, wave(1.0))[0])


@pytest.mark.parametrize(
    "limit",
    [
        Limit("x", per_cycle="amplitude", change=0.1, settle=2, learn=5, action="hold"),
        Limit("x", margin=0.05, settle=2, learn=5, action="hold"),
        Limit("x", per_cycle="amplitude", drift=0.1, settle=2, learn=30, action="hold"),
    ],
)
def test_what_grew_is_measured_against_the_beginning(limit: Limit) -> None:
    first, second, forgetful = made([limit]), made([limit]), made([limit])
    assert run(first, wave(1.0))[1] == []
    second.recall(through_a_file(first))
    assert run(second, wave(1.2), CYCLES)[1], "it has grown by 0.2 while nobody looked"
    assert run(forgetful, wave(1.2), CYCLES)[1] == [], "learned anew it is what it always was"


def test_a_baseline_that_was_being_learned_is_learned_on() -> None:
    limit = Limit("x", per_cycle="amplitude", change=0.1, settle=2, learn=40, action="hold")
    first, second = made([limit]), made([limit])
    run(first, wave(1.0, 20))
    (learned,) = first.memory()["learned"].values()
    assert learned[4] == pytest.approx(17.0), "19 have ended, 2 of them to settle"
    second.recall(through_a_file(first))
    run(second, wave(1.0, 10), 20)
    assert second.memory()["learned"].popitem()[1][4] == pytest.approx(17.0 + 8.0), "its own first cycle was not seen from its begin"
