"""What the bench worker gives as the reason when a limit ends a test: what its outer loop cannot reach, or what stopped its drive, too."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rig.workers.bench import worker as bench
from rig.workers.bench.block_checks import Finding

LIMIT = "actuator_force 31292 N exceeds maximum 31288 N at sample 35257"
CAUSE = "unreachable amplitude: 30000 about 0 N asked, 21000 about 0 N reached in cycle 0; cap of the correction 15%"


STOPPED = "crank: stopped by its watchdog, 0.1 s without a setpoint"


def running(monkeypatch: pytest.MonkeyPatch, cause: str, stopped: str = "") -> tuple[bench.Bench, list[str]]:
    """A worker in the middle of a test, on nothing; and what has been done. `cause`: of the outer loop; `stopped`: of the drive."""
    done: list[str] = []
    actuation = SimpleNamespace(trip=lambda: done.append("interlock"), cause=lambda: stopped)
    monkeypatch.setattr(bench, "Equipment", lambda plan, alive, gone: SimpleNamespace(actuation=actuation, grid=None))
    links: Any = SimpleNamespace(event=lambda *told, **more: None, gone=lambda name: False)
    plan: Any = SimpleNamespace(
        bench=SimpleNamespace(pace="real"), experiment=SimpleNamespace(hold=SimpleNamespace(longest=None), estimate=None)
    )
    worker = bench.Bench(plan, links)
    course: Any = SimpleNamespace(
        n=0, unloading=False, out_of_reach=lambda: cause, stop=lambda: done.append("ramp"), abort=lambda: done.append("abort")
    )
    worker.course.begun, worker.course.state, worker.course.test = True, "running", course
    return worker, done


@pytest.mark.parametrize(("action", "state", "means"), [("stop", "stopping", ["ramp"]), ("interlock", "tripped", ["interlock", "abort"])])
@pytest.mark.parametrize("cause", ["", CAUSE])
def test_a_limit_names_the_outer_loop_that_led_to_it(
    monkeypatch: pytest.MonkeyPatch, action: str, state: str, means: list[str], cause: str
) -> None:
    worker, done = running(monkeypatch, cause)
    worker._exchange.react([Finding(35257, "limit", LIMIT, action)])
    assert (worker.course.state, worker.course.outcome, done) == (state, "tripped", means)
    assert worker.course.reason == (f"{LIMIT}; {cause}" if cause else LIMIT)


def test_a_limit_names_the_drive_that_had_stopped_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, done = running(monkeypatch, CAUSE, STOPPED)
    worker._exchange.react([Finding(35257, "limit", LIMIT, "interlock")])
    assert (worker.course.outcome, done) == ("tripped", ["interlock", "abort"])
    assert worker.course.reason == f"{STOPPED}; then {LIMIT}"


def test_the_end_of_a_program_is_cut_short_by_a_limit_and_once_only(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, done = running(monkeypatch, "")
    worker.course.enter("stopping", "end of the program")
    for _ in range(2):
        worker._exchange.react([Finding(35257, "limit", LIMIT, "stop")])
    assert (worker.course.state, worker.course.outcome, done) == ("stopping", "tripped", ["ramp"])
    worker._exchange.react([Finding(35257, "limit", LIMIT, "interlock")])
    assert (worker.course.state, done) == ("tripped", ["ramp", "interlock", "abort"])
