"""A hold and a change of pace stay on the trajectory, keep its rate, and lose nothing of it."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.trajectory.following.progress import STEEPEST, Progress, acceleration

ACTS = st.lists(st.tuples(st.integers(1, 3000), st.sampled_from(["hold", "go on", "slower", "faster"]), st.floats(2.0, 900.0)), max_size=6)


def _come(acts: list[tuple[int, str, float]], samples: int = 12_000) -> tuple[Progress, np.ndarray]:
    """(progress, where it has come to at each sample), asked for in blocks as the acts come."""
    progress, n, parts = Progress(), 0, []
    for after, what, length in acts:
        parts.append(progress.at(np.arange(n, n + after)))
        n += after
        if what == "hold":
            progress.hold(n, length)
        elif what == "go on":
            progress.go_on(n, length)
        else:
            progress.change_pace(n, 0.5 if what == "slower" else 2.0, length)
    parts.append(progress.at(np.arange(n, n + samples)))
    return progress, np.concatenate(parts)


def test_by_itself_it_is_the_sample_to_the_last_bit() -> None:
    n = np.arange(100_000)
    assert np.array_equal(Progress().at(n), n.astype(float))


@given(ACTS)
def test_it_never_goes_back_nor_faster_than_its_fastest_pace(acts: list[tuple[int, str, float]]) -> None:
    _, come = _come(acts)
    step = np.diff(come)
    fastest = max([1.0, *(2.0 for _, what, _ in acts if what == "faster")])
    assert np.all(step >= -1e-9) and np.all(step <= fastest + 1e-9)


@given(ACTS)
def test_its_pace_changes_no_faster_than_was_asked(acts: list[tuple[int, str, float]]) -> None:
    _, come = _come(acts)
    shortest = min([length for _, _, length in acts], default=1e9)
    assert np.max(np.abs(np.diff(come, 2))) <= STEEPEST * 2.0 / shortest + 1e-9


@given(st.integers(1, 5000), st.floats(1.0, 2000.0))
def test_a_hold_goes_on_for_half_its_time_and_then_stands(n: int, length: float) -> None:
    progress = Progress()
    progress.hold(n, length)
    stands = progress.at(np.array([math.ceil(progress.settled), math.ceil(progress.settled) + 10_000]))
    assert progress.stands and stands[0] == stands[1]
    assert math.isclose(stands[0], n + 0.5 * length, rel_tol=1e-12)


@given(st.integers(1, 5000), st.floats(1.0, 500.0), st.floats(0.0, 900.0))
def test_a_hold_at_a_sample_stands_there_exactly_and_takes_hardly_longer(n: int, length: float, spare: float) -> None:
    progress, at = Progress(), n + 0.5 * length + spare
    progress.hold(n, length, at)
    assert abs(float(progress.at(np.array([math.ceil(progress.settled) + 5]))[0]) - at) < 1e-9 * at
    assert progress.settled <= n + spare + length + 2.0


@given(ACTS)
def test_when_it_reaches_a_sample_it_has_come_to_it_and_not_before(acts: list[tuple[int, str, float]]) -> None:
    progress, come = _come(acts)
    for at in (0.0, 0.5 * come[-1], come[-1] - 1.0, come[-1]):
        when = math.ceil(progress.reaches(at) - 1e-6)
        assert when < len(come) and come[when] >= at - 1e-6
        assert when == 0 or come[when - 1] < at + 1e-9


def test_one_that_stands_for_ever_never_reaches_what_lies_beyond() -> None:
    progress = Progress()
    progress.hold(10, 10.0)
    assert math.isinf(progress.reaches(16.0)) and progress.reaches(15.0) == 20.0


@given(st.floats(0.02, 2.0), st.floats(0.5, 8.0), st.sampled_from([0.0, 0.5, 2.0]))
def test_the_bound_of_the_acceleration_holds_for_a_sine(time: float, frequency: float, after: float) -> None:
    rate, omega = 5000.0, 2.0 * math.pi * frequency
    progress = Progress()
    progress.change_pace(1000, after, time * rate) if after else progress.hold(1000, time * rate)
    value = np.sin(omega * progress.at(np.arange(20_000)) / rate)
    found = np.max(np.abs(np.diff(value, 2))) * rate**2
    assert found <= acceleration(omega, omega**2, 1.0, after, time) * (1.0 + 1e-3)
