"""Where a limit stands that has learned, and that learns anew when somebody accepts what has grown."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rig.calculated.rows import Floats, Rows
from rig.checks.derived_limits import DerivedLimits
from rig.checks.learned_state import LearnedState, nearest_first
from rig.checks.limits import Moment, Passed
from rig.config.experiment import Limit

RATE, PERIOD = 1000.0, 100
CHANGE = Limit("x", per_cycle="amplitude", change=0.1, settle=2, learn=4, action="hold")
KINDS = [
    CHANGE,
    Limit("x", per_cycle="amplitude", change=0.1, baseline=1.0, settle=2, learn=4, action="hold"),
    Limit("x", margin=0.05, settle=2, learn=4, action="hold"),
    Limit("x", per_cycle="amplitude", drift=0.1, settle=2, learn=20, action="hold"),
]


class Run:
    """Blocks of one test, one after the other; cycles as they are asked for."""

    def __init__(self, *limits: Limit) -> None:
        self.check, self.n = DerivedLimits(limits, RATE), 0

    def cycles(self, amplitude: float, count: int) -> list[Passed]:
        found: list[Passed] = []
        for _ in range(count * PERIOD // 50):
            n = np.arange(self.n, self.n + 50, dtype=np.float64)
            phase = 2.0 * np.pi * n / PERIOD
            x: Floats = amplitude * np.sin(phase)
            found += self.check.check(self.n, Rows({"x": x, "command": x}, phase, n // PERIOD), Moment("running", phase))
            self.n += 50
        return found

    @property
    def state(self) -> LearnedState:
        return self.check.states()[0][1]


def test_what_it_learned_and_where_it_is() -> None:
    run = Run(CHANGE)
    run.cycles(1.0, 4)  # the last of them has not ended
    assert (run.state.settling, run.state.learned, run.state.since, run.state.armed) == (0, 1, None, False)
    run.cycles(1.0, 3)
    assert (run.state.learned, run.state.since, run.state.armed) == (4, 6, True)
    run.cycles(1.04, 2)
    state = run.state
    assert state.baseline == pytest.approx(1.0) and (state.low, state.high) == (pytest.approx(0.9), pytest.approx(1.1))
    assert state.value == pytest.approx(1.04) and state.cycle == 7 and state.share == pytest.approx(0.4) and not state.outside
    assert run.cycles(1.2, 2) and run.state.outside


@pytest.mark.parametrize("limit", KINDS)
def test_what_has_grown_is_accepted_and_further_growth_is_found(limit: Limit) -> None:
    run = Run(limit)
    assert run.cycles(1.0, 40) == [] and run.state.since is not None
    assert run.cycles(1.3, 4), "it has grown"
    run.check.learn_anew([limit], run.n)
    assert run.state.since is None and not run.state.armed
    assert run.cycles(1.3, 40) == [] and run.state.since is not None
    assert run.cycles(1.6, 4), "and again"


@pytest.mark.parametrize("limit", KINDS)
def test_nobody_else_learns_anew(limit: Limit) -> None:
    other = Limit("x", per_cycle="peak", change=0.2, settle=2, learn=4, action="hold")
    run = Run(limit, other)
    run.cycles(1.0, 40)
    run.check.learn_anew([other], run.n)
    assert run.cycles(1.3, 8), "it judges by what it had learned"


def test_it_learns_behind_a_change_that_comes_in_first() -> None:
    run = Run(CHANGE)
    run.cycles(1.0, 10)
    run.check.learn_anew([CHANGE], run.n + 5 * PERIOD)
    assert run.cycles(3.0, 5) == [], "while it comes in nothing is judged or learned"
    run.cycles(2.0, 9)
    assert run.state.baseline == pytest.approx(2.0)


@pytest.mark.parametrize("limit", KINDS)
def test_a_new_baseline_survives_the_end_of_a_session(limit: Limit) -> None:
    run, again = Run(limit), Run(limit)
    run.cycles(1.0, 40)
    run.check.learn_anew([limit], run.n)
    run.cycles(1.3, 40)
    again.check.recall(run.check.memory())
    assert again.cycles(1.3, 6) == [] and again.state.since == run.state.since
    assert again.cycles(1.6, 6), "and it judges by it"


def test_a_stated_baseline_that_is_changed_in_the_file_holds_again() -> None:
    stated: dict[str, Any] = {"per_cycle": "amplitude", "change": 0.1, "settle": 2, "learn": 4, "action": "hold"}
    run, again = Run(Limit("x", baseline=1.0, **stated)), Run(Limit("x", baseline=1.1, **stated))
    run.check.learn_anew([Limit("x", baseline=1.0, **stated)], run.n)
    run.cycles(1.5, 20)
    again.check.recall(run.check.memory())
    assert again.cycles(1.5, 3) and again.state.baseline == 1.1


def test_those_nearest_to_their_bounds_come_first() -> None:
    def at(value: float | None, outside: bool = False) -> LearnedState:
        return LearnedState("x", 1, 1, 0, None if value is None else 3, True, 0.0, -1.0, 1.0, value, 5, outside)

    states = [at(None), at(0.1), at(1.5, True), at(-0.9)]
    assert [one.value for one in nearest_first(states)] == [1.5, -0.9, 0.1, None]
    assert at(0.0).share == 0.0 and LearnedState("x", 1, 1, 0, low=1.0, high=1.0, value=2.0).share == math.inf
