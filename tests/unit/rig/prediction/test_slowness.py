"""A slow simulation is heard of, and heard to be interrupted."""

from __future__ import annotations

import itertools
import signal
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from model.ensemble import Ensemble
from model.integrators import dop853, generalized_alpha
from model.integrators import generalized_alpha_kernel as core
from model.integrators.loop import CALL
from model.mechanisms import parallel_3rrpar, parallel_3rrpar_flexible
from model.paths import trajectory_1
from rig.prediction.slowness import said

STAGES = 16  # of dop853, its extension's included


class Slow:
    """A stepper that has come so far by so many steps."""

    slow_since = "it is stiff"

    def __init__(self, reached: float) -> None:
        self.time, self.work = reached, {"accepted": 900, "rejected": 100}


@pytest.mark.parametrize(("mass", "evaluations"), [(1.0, 1), (1e4, 3)])
def test_one_call_does_no_more_than_a_bounded_amount_of_work(mass: float, evaluations: int) -> None:
    """However stiff the mechanism: between two looks there are never more than CALL right-hand sides and those of a step."""
    config = parallel_3rrpar.Config(platform=parallel_3rrpar.config.Platform(mass=mass))
    stepper = config.create(dop853.Config(), 1e3, path=trajectory_1.Config(blend="off").create(), lasting=0.02)
    seen: list[int] = []
    stepper.watch = lambda one: seen.append(one.work["evaluations"])
    stepper.start(np.zeros(stepper.lookahead))
    stepper.advance(np.zeros(15))
    assert len(seen) >= evaluations
    assert np.max(np.diff([0, *seen])) < CALL + 25 * STAGES


def test_an_implicit_run_is_looked_at_by_its_residuals() -> None:
    path, seen = trajectory_1.Config(blend="off").create(), []
    bars = parallel_3rrpar_flexible.config.Bars(formulation="reduced")
    stepper = parallel_3rrpar_flexible.Config(bars=bars).create(
        generalized_alpha.Config(step=1e-4, tolerance=1e-7), 1e4, path=path, lasting=0.2
    )
    stepper.watch = lambda one: seen.append(one.work["evaluations"])
    stepper.start(np.zeros(1))
    stepper.advance(np.zeros(1500))
    assert len(seen) > 2
    assert np.max(np.diff([0, *seen])) < core.CALL + 1000


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is Python's own again, whatever runs the tests has made of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_an_interruption_ends_every_member_of_an_ensemble() -> None:
    """Members that would compute for hours in threads of their own, where no signal is heard."""
    path, heavy = trajectory_1.Config(blend="off").create(), parallel_3rrpar.Config(platform=parallel_3rrpar.config.Platform(mass=1e6))
    steppers = [heavy.create(dop853.Config(), 1e3, path=path, lasting=1.0) for _ in range(2)]
    looks = itertools.count()
    waits = threading.main_thread().ident
    assert waits is not None

    def interrupt_once(_: Any) -> None:
        if next(looks) == 3:
            signal.pthread_kill(waits, signal.SIGINT)  # as the terminal does: the wait for the members itself ends

    steppers[0].watch = interrupt_once
    members = Ensemble(steppers, threads=2)
    members.start(np.zeros(members.lookahead))
    with pytest.raises(KeyboardInterrupt):
        members.advance(np.zeros(900))
    assert max(stepper.time for stepper in steppers) < 0.1


def test_slowness_is_told_with_numbers_and_the_reason() -> None:
    line = said(Slow(1e-3), spent=10.0, lasting=0.05)
    assert "0.001 s of 0.05 s in 10 s" in line
    assert "8.17 minutes to go (real-time factor 1e+04)" in line
    assert line.endswith("1000 steps so far, of 1e-06 s on average, since it is stiff")


@pytest.mark.parametrize(("reached", "lasting"), [(0.04, 0.05), (9.0, 400.0)])
def test_what_ends_soon_or_is_as_fast_as_usual_is_not_slow(reached: float, lasting: float) -> None:
    assert said(Slow(reached), spent=10.0, lasting=lasting) == ""
