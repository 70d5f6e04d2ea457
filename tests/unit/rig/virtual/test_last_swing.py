"""Once its parent is gone a virtual bench stays until what it carries has come to rest, also where that rests for moments in between."""

from __future__ import annotations

import contextlib
import io
import json
import threading
from types import SimpleNamespace

import pytest

from rig.virtual.rig_plant import NothingWired
from rig.virtual.virtual_bench import DIES_AWAY, LINGER, LOG_EVERY, VirtualBench

SWINGS_UNTIL = 0.35  # s


class Swinging(NothingWired):
    """A specimen that has been let go at 0 s and moves until `until`, but for moments."""

    heartbeat_timeout = 0.25

    def __init__(self, clock: SimpleNamespace, until: float) -> None:
        self._clock, self._until = clock, until

    @property
    def armed(self) -> bool:
        return self._clock.time < self._until and round(self._clock.time / LOG_EVERY) % 3 != 0


@pytest.fixture
def bench() -> VirtualBench:
    engine = SimpleNamespace(lock=contextlib.nullcontext(), time=0.0, take_events=list)
    engine.advance = lambda to: setattr(engine, "time", to)
    made = VirtualBench.__new__(VirtualBench)
    made.engine, made.plant = engine, Swinging(engine, SWINGS_UNTIL)
    made.clock = SimpleNamespace(lockstep=True, slipped=0.0)
    made._log, made._slipped, made._log_lost = io.StringIO(), 0.0, False
    return made


def test_it_waits_for_the_last_swing(bench):
    bench._linger(threading.Event())
    assert bench.engine.time == pytest.approx(SWINGS_UNTIL + DIES_AWAY, abs=2 * LOG_EVERY)


def test_but_not_for_ever(bench):
    bench.plant = Swinging(bench.engine, 1e9)
    bench._linger(threading.Event())
    assert bench.engine.time == pytest.approx(bench.plant.heartbeat_timeout + LINGER + DIES_AWAY, abs=2 * LOG_EVERY)


def test_what_stands_already_keeps_it_for_a_moment_only(bench):
    bench.plant = Swinging(bench.engine, 0.0)
    bench._linger(threading.Event())
    assert bench.engine.time == pytest.approx(DIES_AWAY, abs=2 * LOG_EVERY)
    assert "still" not in json.loads(bench._log.getvalue().splitlines()[0])["text"]
