"""The device as a plan sees it, without a test behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bluesky
import pytest
from bluesky import protocols
from bluesky.run_engine import RunEngine

from rig.bluesky import RigTest, device
from rig.bluesky.process import NotDone
from rig.bluesky.status import Status
from rig.errors import ConfigError
from rig.supervision.operation_client import NotRunning, Refused
from tests.documented_commands import ROOT
from tests.documented_files import shown

LINKAGE = ROOT / "configs/experiments/linkage.toml"
ROW = {"peak_measured": 10.4e3, "peak_predicted": 10.3e3, "error": -0.01, "rms_difference": 50.0, "nrms": 0.01, "gain": 1.0, "offset": 0.1}
RESULT = {
    "run": "0001-linkage", "outcome": "done",
    "agreement": {
        "force": {"unit": "N", "cycles": [{"cycle": 2, **ROW}, {"cycle": 3, **ROW}]},
        "stroke": {"unit": "m", "cycles": [{"cycle": 3, **ROW}]},
        "band": {"unit": "N", "cycles": []},
    },
}  # fmt: skip


class Played:
    """In place of a test: it is where it is put."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words, self.folder, self.result = words, Path("runs/0001-linkage"), RESULT
        self.started, self.ended, self.over = Status(), Status(), Status()
        self.asked: list[str] = []
        self.state = "running"
        self.refuses = False

    def stop(self) -> None:
        self.asked.append("stop")
        self.end()

    def ask(self, verb: str, **data: Any) -> None:
        if self.over.done:
            raise NotRunning("no test runs")
        if self.refuses:
            raise Refused("not now")
        self.asked.append(verb)
        self.state = {"hold": "hold", "resume": "running"}[verb]

    def end(self, error: Exception | None = None) -> None:
        self.state = "stopped"
        self.over.finish()
        self.started.finish(error)
        self.ended.finish(error)


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> RigTest:
    monkeypatch.setattr(device, "RunningTest", Played)
    test = RigTest(LINKAGE, "linkage", ["bench.pace=lockstep"])
    assert test.stage() == [test]
    return test


def played(test: RigTest) -> Played:
    assert isinstance(test._test, Played)
    return test._test


def test_it_is_what_bluesky_asks_for(staged: RigTest) -> None:
    for protocol in (protocols.Flyable, protocols.Stageable, protocols.Pausable, protocols.Stoppable, protocols.EventCollectable):
        assert isinstance(staged, protocol)
    assert isinstance(staged.samples, protocols.WritesStreamAssets) and isinstance(staged.samples, protocols.Collectable)
    assert isinstance(staged.kickoff(), protocols.Status)
    assert not isinstance(object(), protocols.Flyable)


def test_a_wrong_experiment_is_refused_when_it_is_staged() -> None:
    with pytest.raises(ConfigError, match="expected a length such as"):
        RigTest(LINKAGE, overrides=['mechanism.clearance="0.2 kg"']).stage()


def test_it_is_not_started_where_an_abort_would_not_stop_it(staged: RigTest) -> None:
    staged.unstage()
    with pytest.raises(ConfigError, match="stage it first"):
        staged.kickoff()


def test_started_again_before_it_is_collected_it_is_the_same_test(staged: RigTest) -> None:
    first = staged.kickoff()
    assert staged.kickoff() is first, "a plan that is taken up again starts no second test"
    played(staged).end()
    list(staged.collect())
    assert staged.kickoff() is not first


def test_unstaged_it_is_stopped(staged: RigTest) -> None:
    staged.kickoff()
    ended = staged.complete()
    assert not ended.done
    assert staged.unstage().done and played(staged).asked == ["stop"] and ended.success
    assert staged.unstage().success, "again it is nothing"


def test_a_pause_holds_it_and_is_over_when_it_stands(staged: RigTest) -> None:
    asyncio.run(staged.pause())  # none is under way
    staged.kickoff()
    asyncio.run(staged.pause())
    assert played(staged).state == "hold"
    asyncio.run(staged.resume())
    assert played(staged).asked == ["hold", "resume"]
    played(staged).refuses = True
    with pytest.raises(Refused):
        asyncio.run(staged.pause())
    played(staged).end()
    asyncio.run(staged.pause())
    asyncio.run(staged.resume())


def test_a_test_that_trips_fails_its_plan(staged: RigTest) -> None:
    staged.kickoff()
    played(staged).end(NotDone("0001-linkage: tripped: force 31.2 kN"))
    status = staged.complete()
    assert status.done and not status.success and "31.2 kN" in str(status.exception())


def test_cycles_are_events_of_the_keys_that_are_described(staged: RigTest) -> None:
    with pytest.raises(NotDone, match="no test was kicked off"):
        staged.describe_collect()
    staged.kickoff()
    with pytest.raises(NotDone, match="has not ended"):
        staged.describe_collect()
    with pytest.raises(NotDone, match="has not ended"):
        staged.samples.describe_collect()
    played(staged).end()
    keys = staged.describe_collect()["linkage_cycles"]
    events = list(staged.collect())
    assert [event["data"]["linkage-cycle"] for event in events] == [2, 3]
    assert all(set(event["data"]) == set(keys) == set(event["timestamps"]) for event in events)
    assert keys["linkage-force-peak_measured"]["units"] == "N" and "units" not in keys["linkage-force-nrms"]
    assert [event["data"]["linkage-stroke-gain"] for event in events] == [None, 1.0], "not every channel has every cycle"


def test_a_status_is_done_once() -> None:
    status, told = Status(), []
    with pytest.raises(TimeoutError):
        status.exception(0.0)
    status.add_callback(told.append)
    status.finish(NotDone("first"))
    status.finish()
    status.add_callback(told.append)
    assert told == [status, status] and str(status.exception()) == "first" and not status.success


def test_the_plan_of_the_manual(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it stands, with a RunEngine that only counts messages up to the kickoff."""
    monkeypatch.setattr(device, "RunningTest", Played)
    monkeypatch.chdir(ROOT / "configs")
    seen: list[str] = []

    class Counting:
        def __call__(self, plan: Any) -> None:
            for message in plan:
                seen.append(message.command)
                if message.command == "stage":
                    message.obj.stage()
                if message.command == "kickoff":
                    message.obj.kickoff()
                    played(message.obj).end()
                    break

    monkeypatch.setattr(bluesky, "RunEngine", Counting)
    text = shown("bluesky.md")["A test in a plan"].replace('["verdict"]', "").replace('["result"]', "")
    exec(text, {})
    assert seen == ["stage", "open_run", "checkpoint", "kickoff"]


def test_the_run_engine_does_not_stop_what_was_only_kicked_off() -> None:
    """Why the device insists on being staged: this would fail if bluesky began to do so by itself."""
    engine = RunEngine({}, context_managers=[])
    try:
        assert "_movable_objs_touched" not in engine._kickoff.__code__.co_names
    finally:
        engine.loop.call_soon_threadsafe(engine.loop.stop)
