"""Where a counted cycle begins, against a walk through every sample."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from model.paths import trajectory_1
from rig.trajectory import create
from rig.trajectory.following import boundaries
from rig.trajectory.following.boundaries import begin_of_cycle, end_of_cycle
from rig.trajectory.following.skip import smooth
from rig.trajectory.haversine import Config as Haversine
from rig.trajectory.hold import Config as Hold
from rig.trajectory.program import Config as Program
from rig.trajectory.sine import Config as Sine
from rig.trajectory.sweep import Config as Sweep
from rig.trajectory.turning import Config as Turning

RATE = 2000.0
SINE = Sine(amplitude=3.0, frequency=7.0, cycles=20, mean=0.5, soft_start=0.5, soft_stop=0.5)
SLOW = Sine(amplitude=1.0, frequency=4.0, cycles=8, soft_start=0.2, soft_stop=0.2)
KINDS: dict[str, Any] = {
    "sine": SINE,
    "haversine": Haversine(amplitude=2.0, frequency=3.0, cycles=9, soft_start=0.4, soft_stop=0.4),
    "sweep": Sweep(amplitude=2.0, first_frequency=1.0, last_frequency=6.0, duration=3.0, soft_start=0.5, soft_stop=0.5),
    "turning": Turning(speed=20.0, cycles=9, soft_start=0.57, soft_stop=0.5),
    "path": trajectory_1.Config(cycles=6),
    "program": Program(segments=(SINE, Hold(0.0, 0.3), SLOW), repeats=2),
}
PERIODIC = [kind for kind in KINDS if kind not in ("sweep", "program")]
TURNING = ("turning", "path")


@pytest.mark.parametrize("kind", KINDS)
def test_every_cycle_begins_where_it_is_counted_first(kind: str) -> None:
    trajectory = create(KINDS[kind])
    cycle = trajectory.evaluate(np.arange(math.ceil(trajectory.duration * RATE)) / RATE)[2]
    for number in range(trajectory.cycles):
        expected = int(np.flatnonzero(cycle == number)[0])
        assert begin_of_cycle(KINDS[kind], trajectory, number, RATE) == expected / RATE, number


@pytest.mark.parametrize("kind", KINDS)
def test_every_cycle_ends_at_the_phase_at_which_the_next_one_begins(kind: str) -> None:
    trajectory = create(KINDS[kind])
    t = np.arange(math.ceil(trajectory.duration * RATE)) / RATE
    _, phase, cycle = trajectory.evaluate(t)
    for number in range(trajectory.cycles):
        of_it = np.flatnonzero(cycle == number)
        end = end_of_cycle(KINDS[kind], trajectory, number)
        assert phase[of_it[-1]] < end + 1e-6, number
        if cycle[of_it[-1] + 1] == number + 1:
            assert phase[of_it[-1] + 1] >= end - 1e-6, number


@pytest.mark.parametrize("number", [-1, 20, 10_000])
def test_one_that_is_never_counted_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"cycle {number} is not one of the 20"):
        begin_of_cycle(SINE, create(SINE), number, RATE)


@pytest.mark.parametrize("kind", PERIODIC)
def test_where_one_period_is_repeated_it_goes_on_smoothly_with_any_cycle(kind: str) -> None:
    trajectory = create(KINDS[kind])
    for number in (1, 4, trajectory.cycles - 1):
        begin, end = (begin_of_cycle(KINDS[kind], trajectory, one, 1e5) for one in (0, number))
        assert smooth(trajectory, begin, end, 1e5, turns=kind in TURNING) is not None, number


@pytest.mark.parametrize("kind", ["sweep", "program"])
def test_where_it_changes_it_does_not(kind: str) -> None:
    trajectory = create(KINDS[kind])
    begin, end = (begin_of_cycle(KINDS[kind], trajectory, one, RATE) for one in (0, trajectory.cycles - 1))
    assert smooth(trajectory, begin, end, RATE, turns=False) is None


def test_what_turns_goes_on_only_where_it_is_said_to_turn() -> None:
    trajectory = create(KINDS["turning"])
    begin, end = (begin_of_cycle(KINDS["turning"], trajectory, one, RATE) for one in (0, 5))
    assert smooth(trajectory, begin, end, RATE, turns=False) is None


def test_a_test_of_any_length_finds_its_place_by_some_hundred_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A range looks for a float among all that it holds: of a million cycles that took ten seconds of each resume."""
    looks = 0

    class Looked(float):
        def _looked(self, other: float, compare: Callable[[float, float], bool]) -> bool:
            nonlocal looks
            looks += 1
            return compare(float(self), float(other))

        __hash__ = float.__hash__

        def __eq__(self, other: object) -> bool:
            return self._looked(other, operator.eq)  # type: ignore[arg-type]

        def __lt__(self, other: float) -> bool:
            return self._looked(other, operator.lt)

        def __le__(self, other: float) -> bool:
            return self._looked(other, operator.le)

        def __gt__(self, other: float) -> bool:
            return self._looked(other, operator.gt)

        def __ge__(self, other: float) -> bool:
            return self._looked(other, operator.ge)

    found = boundaries._cycle_at
    monkeypatch.setattr(boundaries, "_cycle_at", lambda *given: Looked(found(*given)))
    config = Sine(amplitude=1.0, frequency=100.0, cycles=20_000)
    begin = begin_of_cycle(config, create(config), 15_000, 2e3)
    assert create(config).evaluate(np.array([begin]))[2][0] == 15_000
    assert looks < 400
