"""From the start to the first sample: what the bench worker tells actuation and watchdog, and how a preparation ends."""

from __future__ import annotations

from typing import Any

import pytest

from rig.errors import BenchRefused
from rig.workers.bench.watchdog_feeding import CalledOff
from tests.unit.rig.workers.bench.noted_bench import Noted, finding


class Preparing:
    """A preparation: one block, and what a test makes of it."""

    behind, sample, duration, largest = 0, 0, 1.0, 2.0

    def __init__(self, noted: Noted) -> None:
        self._noted, self.ready, self.done, self.fails = noted, False, False, False
        noted.session = self

    def begin(self) -> None:
        self._noted.does("preparation begins")

    def take(self, measured: Any) -> None:
        self._noted.does("preparation goes on")
        if self.fails:
            raise BenchRefused("seating", "no contact within 2 mm")

    def call_off(self) -> None:
        self._noted.does("preparation called off")

    def refuse(self) -> None:
        self._noted.does("preparation refused")

    def conclude(self) -> None:
        self._noted.does("preparation concluded")
        self.done = True


# -- start -----------------------------------------------------------------------------------------------------------------------------


def test_the_watchdog_runs_before_anything_has_power_and_is_reset_between_long_steps(noted: Noted) -> None:
    noted.bench.command("start", {})
    assert noted.order == [
        "signs of life", "daq start_watchdog", "prepare", "daq reset_watchdog", "daq reset_watchdog", "course begin", "instruments start",
        "daq reset_watchdog", "signs end",
    ]  # fmt: skip
    assert noted.bench.course.state == "starting" and noted.bench.report()["sample"] == 0
    noted.order.clear()
    noted.bench.step()
    assert noted.order == ["course command", "refill", "attend", "record", "passed", "actuation enable"]
    assert noted.bench.course.state == "running"


def test_it_follows_the_command_once_one_block_has_been_read_and_no_more_than_once(noted: Noted) -> None:
    noted.run().step()
    assert "actuation enable" not in noted.order


def test_before_the_start_nothing_happens_and_a_stop_ends_it(noted: Noted) -> None:
    assert noted.bench.step() == pytest.approx(0.01) and noted.order == []
    noted.bench.command("trip", {"reason": "nothing yet"})
    assert not noted.bench.done and noted.order == []
    noted.bench.command("stop", {"reason": "Ctrl-C"})
    assert noted.bench.done and (noted.bench.course.outcome, noted.bench.course.reason) == ("stopped", "Ctrl-C")
    noted.bench.command("start", {})
    assert noted.order == [], "a start that comes after it starts nothing"
    assert noted.bench.close()["samples"] == 0 and noted.order == ["closed, safe"]


def test_waiting_is_a_sign_of_life_and_ends_when_somebody_wants_something(noted: Noted) -> None:
    noted.bench._before.alive()
    assert noted.order == ["beat", "daq reset_watchdog"]
    for name in ("asked", "abandoned"):
        noted.order.clear()
        noted.asked, noted.links.abandoned = name == "asked", name == "abandoned"
        with pytest.raises(CalledOff):
            noted.bench._before.alive()
        assert noted.order == ["beat"]


def test_a_start_that_is_called_off_trips_and_has_begun_nothing(noted: Noted) -> None:
    preparing = Preparing(noted)

    def begin() -> None:
        raise CalledOff

    preparing.begin = begin  # type: ignore[method-assign]
    noted.bench.command("start", {})
    assert noted.order[-1] == "actuation trip" and noted.bench.course.preparing is None
    noted.bench.command("stop", {"reason": "Ctrl-C"})
    assert noted.bench.done and noted.bench.close()["outcome"] == "stopped" and noted.order[-1] == "closed, not safe"


# -- preparation -----------------------------------------------------------------------------------------------------------------------


def prepared(noted: Noted) -> Preparing:
    preparing = Preparing(noted)
    noted.bench.command("start", {})
    assert noted.order[-4:] == ["daq start_watchdog", "preparation begins", "daq reset_watchdog", "signs end"]
    noted.order.clear()
    return preparing


def test_a_preparation_goes_over_into_the_test(noted: Noted) -> None:
    preparing = prepared(noted)
    noted.bench.step()
    assert noted.order == ["preparation goes on", "attend"] and noted.bench.course.state == "starting"
    preparing.ready = True
    noted.bench.step()
    assert noted.order[2:] == ["preparation goes on", "attend", "asks begin"]
    noted.order.clear()
    noted.bench.command("begin", {})
    assert noted.order[0] == "preparation concluded" and "prepare" in noted.order and "course begin" in noted.order
    noted.order.clear()
    noted.bench.command("begin", {})
    assert noted.order == [], "it has begun"
    noted.bench.step()
    assert "preparation goes on" not in noted.order and noted.bench.course.state == "running"
    preparing.duration = 99.0  # type: ignore[misc]
    assert noted.bench.close()["preparation"] == {"duration_s": 1.0, "largest_force": 2.0, "refused": None}


def waiting(noted: Noted, pace: str) -> Preparing:
    """Ready, until the test may begin."""
    preparing = prepared(noted)
    noted.bench._waits_for_readers = pace == "lockstep"
    preparing.ready = True
    noted.bench.step()
    return preparing


@pytest.mark.parametrize("pace", ["real", "lockstep"])
def test_until_the_test_may_begin_blocks_are_taken_only_where_the_device_waits_for_nobody(noted: Noted, pace: str) -> None:
    waiting(noted, pace)
    noted.order.clear()
    pause = noted.bench.step()
    assert (noted.order, pause > 0.0) == ((["preparation goes on", "attend"], False) if pace == "real" else ([], True))


@pytest.mark.parametrize("pace", ["real", "lockstep"])
def test_a_test_that_may_not_begin_any_more_lets_go(noted: Noted, pace: str) -> None:
    preparing = waiting(noted, pace)
    noted.bench.command("stop", {"reason": "predictor died", "outcome": "tripped"})
    noted.bench.command("begin", {})
    preparing.done = True  # as one that is called off is by its next block
    noted.bench.step()
    assert "course begin" not in noted.order and "preparation concluded" not in noted.order
    assert "actuation release" in noted.order and noted.bench.done
    assert (noted.bench.course.outcome, noted.bench.course.reason) == ("tripped", "predictor died")


def test_one_that_is_refused_trips(noted: Noted) -> None:
    preparing = prepared(noted)
    preparing.fails = True
    noted.bench.step()
    assert noted.order == ["preparation goes on", "actuation trip", "preparation refused", "attending keep"]
    assert (noted.bench.course.state, noted.bench.course.outcome) == ("tripped", "failed")
    preparing.fails, preparing.done = False, True
    noted.bench.step()
    assert noted.bench.done and "actuation release" not in noted.order and "course begin" not in noted.order
    assert noted.bench.close()["preparation"]["refused"] == "seating" and noted.order[-1] == "closed, safe"


def test_one_that_is_stopped_is_called_off_and_lets_go(noted: Noted) -> None:
    preparing = prepared(noted)
    noted.bench.command("stop", {"reason": "Ctrl-C"})
    noted.bench.command("stop", {"reason": "again"})
    assert noted.order == ["preparation called off"] and noted.bench.course.reason == "Ctrl-C"
    preparing.done = True
    noted.bench.step()
    assert noted.order[-3:] == ["signs of life", "actuation release", "signs end"] and noted.bench.done
    assert "course begin" not in noted.order


@pytest.mark.parametrize("action", ["stop", "interlock"])
def test_during_a_preparation_every_limit_opens_the_interlock(noted: Noted, action: str) -> None:
    """There is no trajectory that could be ramped down; the samples are not the test's."""
    prepared(noted)
    noted.findings = [finding(action)]
    noted.bench.step()
    assert noted.order[:2] == ["actuation trip", "preparation refused"] and noted.bench.course.state == "tripped"
    assert [event for event in noted.events if event[1] == "limit"] == [(None, "limit", noted.findings[0].message)]
