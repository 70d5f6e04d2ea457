"""Where a test is when nobody runs it: ended, still being summed up, or broken off at any moment."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from rig.config.bench import Bench
from rig.config.experiment import Experiment, Limit
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.description import Event, StreamShape
from rig.recorder.recording import Recording
from rig.resumption.state_file import State, write
from rig.supervision.operation_client import NotRunning
from rig.supervision.run_status import in_order, look
from rig.trajectory import sine
from tests.unit.rig.recorder.recorder_rig import RATE, description

FIELDS = {
    "run", "state", "sample", "time_s", "cycle", "cycles_total", "block", "phase", "held_s", "operator", "channels", "lag_s", "disk",
    "events", "outcome_of", "test_outcome", "test_verdict", "test_reason",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a run that has a plan and nothing else."""
    run = tmp_path / "0001-test"
    run.mkdir()
    trajectory = sine.Config(amplitude=1.0, frequency=1.0, cycles=7)
    limits = (Limit(channel="force", minimum=-5.0, maximum=5.0), Limit(channel="force", maximum=4.0, action="indicate"))
    experiment = Experiment(title="", mechanism=None, trajectory=trajectory, integrator=None, limits=limits)
    Plan("0001-test", run, run, experiment, Bench(title="", daq=None, loader=None, channels=()), "", "").write()
    return run


def test_a_folder_that_is_none_of_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such run"):
        look(tmp_path / "none")
    with pytest.raises(NotRunning, match="no test runs there"):
        look(tmp_path)


def test_without_a_process_it_was_broken_off(folder: Path) -> None:
    found = look(folder)
    assert {*found} >= FIELDS and (found["state"], found["ended"]) == ("stopped", "broken_off")
    assert found["cycles_total"] == 7 and found["sample"] is None and found["channels"] == {} and found["events"] == []
    assert (found["test_outcome"], found["test_verdict"]) == ("broken_off", None)
    assert found["test_reason"] == "its processes were ended from outside; rig resume lets it go on"


def test_while_its_program_is_there_it_is_still_summed_up(folder: Path) -> None:
    (folder / "processes.json").write_text(json.dumps({"supervisor": os.getpid()}))
    assert look(folder)["ended"] is None and look(folder)["test_outcome"] is None
    gone = subprocess.Popen(["/bin/true"])
    gone.wait()
    (folder / "processes.json").write_text(json.dumps({"supervisor": gone.pid}))
    assert look(folder)["ended"] == "broken_off"


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"supervisor": "x"}'])
def test_a_file_that_tells_no_process_is_no_fault_of_the_program(folder: Path, damage: str) -> None:
    (folder / "processes.json").write_text(damage)
    assert look(folder)["ended"] == "broken_off"


@pytest.mark.parametrize(
    ("outcome", "state"), [("done", "stopped"), ("verdict_failed", "stopped"), ("tripped", "tripped"), ("failed", "stopped")]
)
def test_an_end_is_told_as_the_summary_has_it(folder: Path, outcome: str, state: str) -> None:
    lag = {"median": 0.01, "p99": 0.02, "p999": 0.02, "max": 0.02, "n": 9}
    event = {"sample": 3, "time_s": 0.003, "source": "bench", "kind": "state", "text": "stopped"}
    summary = {
        "run": "0001-test", "outcome": outcome, "duration_s": 2.5, "events": [event], "verdict": {"result": "pass"}, "reason": "why",
        "predictor": {"lag_s": lag},
    }  # fmt: skip
    (folder / "summary.json").write_text(json.dumps(summary))
    found = look(folder)
    assert {*found} >= FIELDS and (found["state"], found["ended"], found["time_s"]) == (state, outcome, 2.5)
    assert found["lag_s"] == lag and found["events"] == [event] and found["reason"] == "why"
    told = {"outcome_of": "command", "test_outcome": outcome, "test_verdict": "pass", "test_reason": "why"}
    assert {name: found[name] for name in told} == told
    (folder / "summary.json").write_text("{")
    with pytest.raises(ConfigError, match="cannot be read"):
        look(folder)


def test_while_it_runs_nothing_is_told_of_its_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.supervision.run_status.ask", lambda *_: {"status": {"state": "running"}})
    found = look(folder)
    assert {name: value for name, value in found.items() if name.startswith("test_")} == dict.fromkeys(
        ("test_outcome", "test_verdict", "test_reason")
    )
    assert (found["state"], found["outcome_of"], found["place_from"]) == ("running", "command", "test")


def recording(folder: Path) -> Recording:
    """Of 300 samples at 10 kHz: cycles 0 and 1, then a ramp that is not counted."""
    made = Recording(folder, description())
    made.stream(StreamShape("command", ("value", "phase", "cycle"), ("N", "rad", "1"), RATE))
    made.stream(StreamShape("measured", ("force",), ("N",), RATE))
    n = np.arange(300.0)
    cycle = np.repeat([0.0, 1.0, -1.0], 100)
    made.append("command", 0, np.column_stack((n, 0.1 * n, cycle)))
    made.append("measured", 0, (n / 100.0)[:, None])
    made.event(Event(5, 0.0005, "bench", "state", "running"))
    return made


def test_what_was_recorded_and_closed_is_told_with_its_limits(folder: Path) -> None:
    recording(folder).close()
    found = look(folder)
    assert (found["sample"], found["time_s"], found["cycle"], found["phase"]) == (299, 299 / RATE, 1, pytest.approx(29.9))
    assert found["channels"]["force"] == {"unit": "N", "value": 2.99, "low": -5.0, "high": 4.0}  # type: ignore[index, call-overload]
    assert found["events"] == [{"sample": 5, "time_s": 0.0005, "source": "bench", "kind": "state", "text": "running"}]


def test_of_a_record_that_was_not_closed_the_journal_tells_the_events(folder: Path) -> None:
    recording(folder).abandon()
    found = look(folder)
    assert found["ended"] == "broken_off" and found["channels"] == {} and found["sample"] is None
    assert [event["text"] for event in found["events"]] == ["running"]  # type: ignore[union-attr, index, call-overload]


def test_where_the_record_was_not_closed_the_state_that_was_kept_tells_the_place(folder: Path) -> None:
    recording(folder).abandon()
    state = State(
        "0001-test", 1, "running", "", "", 0.0, "", sample=4200, rate=RATE, cycle=3, cycles_total=7, phase=21.5, block="b", pace=1.0,
        changes={}, correction=None, operator="me",
    )  # fmt: skip
    write(folder, state)
    found = look(folder)
    told = {name: found[name] for name in ("sample", "time_s", "cycle", "phase", "block", "operator", "ended")}
    expected = {"sample": 4200, "time_s": 4200 / RATE, "cycle": 3, "phase": 21.5, "block": "b", "operator": "me", "ended": "broken_off"}
    assert told == expected
    (folder / "state.json").write_text("{")  # cut by a power cut: unknown, and no fault of the program
    assert look(folder)["sample"] is None


def test_the_newest_that_is_known_is_told_and_from_where(folder: Path) -> None:
    """A closed part is older than what was kept at the kill; a closed record is not."""
    made = recording(folder)
    made.close()
    state = State(
        "0001-test", 2, "running", "", "", 0.0, "", sample=4200, rate=RATE, cycle=3, cycles_total=7, phase=21.5, block=None, pace=1.0,
        changes={}, correction=None,
    )  # fmt: skip
    write(folder, state)
    assert (look(folder)["sample"], look(folder)["place_from"]) == (299, "run.h5"), "a control: all of the test is in it"
    (folder / "parts").mkdir()
    (folder / "run.h5").rename(folder / "parts/00001.h5")
    found = look(folder)
    assert (found["sample"], found["cycle"], found["place_from"]) == (4200, 3, "state.json")
    assert (found["values_from"], found["values_time_s"]) == ("parts/00001.h5", 299 / RATE)
    write(folder, dataclasses.replace(state, sample=100))
    assert (look(folder)["sample"], look(folder)["place_from"]) == (299, "parts/00001.h5"), "a control: the part is newer"


def test_events_are_told_in_the_order_of_their_times() -> None:
    events = [{"time_s": at, "text": text} for at, text in ((None, "a"), (2.0, "c"), (None, "d"), (1.0, "b"))]
    told = in_order({"events": events})["events"]
    assert [one["text"] for one in told] == ["a", "b", "c", "d"]  # type: ignore[union-attr, index, call-overload]


def test_a_record_cut_at_any_byte_breaks_nothing(folder: Path) -> None:
    recording(folder).close()
    whole = (folder / "run.h5").read_bytes()
    for end in range(0, len(whole), len(whole) // 23):
        (folder / "run.h5").write_bytes(whole[:end])
        assert look(folder)["ended"] == "broken_off"


def test_the_time_of_a_resumed_test_is_that_of_all_its_sessions(folder: Path) -> None:
    """Samples count on through the record; the summary is that of the last session."""
    recording(folder).close()
    for session, time in ((100 / RATE, 299 / RATE), (300 / RATE, 300 / RATE)):
        summary = {"run": "0001-test", "outcome": "done", "duration_s": session, "events": [], "verdict": {"result": "pass"}, "reason": ""}
        (folder / "summary.json").write_text(json.dumps(summary))
        assert look(folder)["time_s"] == time
