"""Limits on what is made of a channel."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from rig.calculated.rows import Floats, Rows
from rig.checks.derived_limits import DerivedLimits
from rig.checks.limits import Moment, Passed
from rig.config.experiment import Limit

RATE, PERIOD = 1000.0, 100


def found(limit: Limit, x: Floats, size: int = 37, state: str = "running") -> list[Passed]:
    n = np.arange(len(x), dtype=np.float64)
    phase, cycle, command = 2.0 * np.pi * n / PERIOD, n // PERIOD, np.sin(2.0 * np.pi * n / PERIOD)

    def parts() -> Iterator[Passed]:
        check = DerivedLimits([limit], RATE)
        for first in range(0, len(x), size):
            here = slice(first, first + size)
            rows = Rows({"x": x[here], "command": command[here]}, phase[here], cycle[here])
            yield from check.check(first, rows, Moment(state, phase[here]))

    return list(parts())


def wave(cycles: int, noise: float = 0.01) -> Floats:
    n = np.arange(cycles * PERIOD)
    return np.sin(2.0 * np.pi * n / PERIOD) + noise * np.random.default_rng(3).standard_normal(len(n))


def test_rms() -> None:
    assert found(Limit("x", rms=0.72, window=0.8), wave(20)) == []
    passed = found(Limit("x", rms=0.69, window=0.16), wave(20))
    assert passed[0].sample < 200 and passed[0].text("N").startswith("RMS of x 0.69")


def test_following_error() -> None:
    x = wave(5)
    assert found(Limit("x", following_error=0.1), x) == []
    x[333:] += 0.2
    first = found(Limit("x", following_error=0.1), x)[0]
    assert first.sample == 333 and first.text("m").startswith("distance from command of x 0.2")


def growing(cycles: int, by: float, from_: int) -> Floats:
    x = wave(cycles, 0.0)
    for k in range(from_, cycles):
        x[k * PERIOD : (k + 1) * PERIOD] *= 1.0 + by * (k - from_ + 1)
    return x


def test_a_change_per_cycle_is_told_at_the_end_of_its_cycle() -> None:
    x = growing(30, 0.01, 10)
    for limit in (Limit("x", change=0.045, action="stop"), Limit("x", relative_change=0.045), Limit("x", change=0.045, baseline=1.0)):
        assert found(limit, x)[0].sample == 15 * PERIOD, "the fifth cycle that grew"
    assert found(Limit("x", change=0.5), x) == []
    assert "change of peak from 1 of x" in found(Limit("x", change=0.045), x)[0].text("m")


def test_a_baseline_is_learned_behind_those_that_settle() -> None:
    x = growing(30, 0.1, 2)
    x[: 2 * PERIOD] *= 5.0
    assert found(Limit("x", change=0.5, settle=2, learn=2, baseline=None), x)[0].sample == 9 * PERIOD  # 1.15 mean; over 1.65 at 0.7


def test_cycles_in_a_row() -> None:
    x = wave(20, 0.0)
    x[8 * PERIOD : 9 * PERIOD] *= 2.0
    assert found(Limit("x", change=0.5, debounce_cycles=2), x) == []
    assert found(Limit("x", change=0.5), x)[0].sample == 9 * PERIOD
    x[8 * PERIOD : 10 * PERIOD] *= 2.0
    assert found(Limit("x", change=0.5, debounce_cycles=2), x)[0].sample == 10 * PERIOD


def test_a_nan_is_inside_no_limit_per_cycle() -> None:
    x = wave(20, 0.0)
    x[850] = math.nan
    (passed, *_) = found(Limit("x", change=0.5), x)
    assert passed.sample == 9 * PERIOD and math.isnan(passed.value)


@pytest.mark.parametrize("size", [1, 37, 100, 700])
def test_learned_bounds(size: int) -> None:
    x = wave(20)
    assert found(Limit("x", margin=0.1), x, size) == []
    x[1234] = 1.3
    (passed,) = found(Limit("x", margin=0.1), x, size)
    assert passed.sample == 1234 and passed.text("m").startswith("x 1.3 m exceeds learned maximum 1.2")
    early = wave(20)
    early[250] = 1.3  # while it is being learned
    assert found(Limit("x", margin=0.1), early, size) == []


def test_states_arm_derived_limits_too() -> None:
    x = growing(30, 0.1, 10)
    for limit in (
        Limit("x", change=0.3, states=("hold",)),
        Limit("x", rms=0.1, states=("hold",)),
        Limit("x", margin=0.0, states=("hold",)),
    ):
        assert found(limit, x) == [] and found(limit, x, state="hold")


def test_an_indication_is_said_once() -> None:
    x = growing(30, 0.1, 10)
    assert len(found(Limit("x", change=0.3, action="indicate"), x)) == 1
    assert found(Limit("x", change=0.3, action="none"), x) == []
