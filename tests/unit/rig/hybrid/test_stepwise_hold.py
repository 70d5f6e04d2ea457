"""A pseudo-dynamic test is held between two steps, and loses none."""

from __future__ import annotations

import numpy as np
import pytest

from rig.workers.bench.setpoints.pseudo_dynamic import Stepwise
from tests.tiers import quick
from tests.unit.rig.hybrid.test_stepwise import AHEAD, BLOCK, TEST, made, spring


def run_held(setpoint: Stepwise, moments: list[int], stands: int) -> tuple[np.ndarray, list[str]]:
    """(rows of the command, notes) of a whole test that is held at each of the `moments` (blocks) for so many blocks."""
    answer, pending, notes, out, stroke, n, until = spring(), setpoint.next(AHEAD), list[str](), [], 0.0, 0, -1
    while n < setpoint.end + AHEAD:
        block = n // BLOCK
        if block in moments:
            setpoint.hold(0.5)
            until = block + stands
        if block == until:
            setpoint.resume(0.5)
        command, pending = pending[:BLOCK], pending[BLOCK:]
        measured = np.empty((BLOCK, 2))
        for i, value in enumerate(command[:, 0]):
            stroke, force = answer(float(value), stroke)
            measured[i] = stroke, force
        notes += [note.text for note in setpoint.learn(n, command, measured)]
        pending = np.concatenate([pending, setpoint.next(BLOCK)])
        out.append(command)
        n += BLOCK
    return np.concatenate(out), notes


@pytest.mark.parametrize("seed", quick(range(10), 2))
def test_every_step_is_what_it_is_without_a_hold(seed: int) -> None:
    plain, _ = run_held(made(), [], 0)
    moments = sorted(np.random.default_rng(seed).integers(27, 480, 4).tolist())
    moments = [moment for i, moment in enumerate(moments) if not i or moment - moments[i - 1] > 60]
    test = made()
    rows, notes = run_held(test, moments, 50)
    assert notes == []
    assert test.end > made().end + 300 * len(moments)
    other = made()
    run_held(other, [], 0)
    steps, expected = ([[step["displacement"], step["measured_force"]] for step in one.figures()["steps"]] for one in (test, other))
    assert np.allclose(steps, expected, rtol=1e-12, atol=1e-15)
    # In every part of the hold it stands where the loader stood: no value that is not one of the plain test.
    there = np.unique(plain[:, 0])
    after = np.clip(np.searchsorted(there, rows[:, 0]), 1, len(there) - 1)
    assert np.max(np.minimum(np.abs(there[after] - rows[:, 0]), np.abs(there[after - 1] - rows[:, 0]))) < 1e-15
    assert np.max(np.abs(np.diff(rows[:, 0]))) <= np.max(np.abs(np.diff(plain[:, 0]))) + 1e-15
    assert set(rows[:, 2]) == set(plain[:, 2])


def test_after_its_last_step_it_cannot_be_held() -> None:
    test = made()
    for _ in range(TEST.steps * 10):
        test.next(BLOCK)
        if test.position >= test.end:
            break
    with pytest.raises(ValueError, match="no step is left"):
        test.hold(0.5)
