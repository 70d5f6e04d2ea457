"""The fault campaign on one rig in lockstep, and a fault that is injected into a running test from another terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench_run import UNPREPARED, Running, rig

from rig.faults import table

KINDS = "sensor spike,DAQ overrun"  # a stuck valve: test_system_limits.py


@pytest.mark.long
def test_faults_of_the_linkage_are_found_as_declared() -> None:
    code, data = rig("campaign", "faults", "--rigs", "linkage", "--kinds", KINDS, "--clean", "1", timeout=400.0)
    assert (code, data["outcome"]) == (0, "done"), data["rows"]
    assert data["injections"] == len(data["rows"]) == 2 and data["fault_kinds"] == 2 and data["rigs"] == ["linkage"]
    assert data["totals"]["safe_share"] == 1.0 and data["totals"]["lost_undeclared"] == 0
    assert data["clean"]["false_trips"] == 0 and data["clean"]["simulated_s"] > 2.0
    spike = next(row for row in data["rows"] if row["fault"] == "sensor spike")
    assert 0 < spike["latency_samples"]["max"] <= spike["block_samples"], "from the sample to the line: within its block"


@pytest.mark.long
def test_a_declaration_that_is_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the same fault, said to be found by nobody."""
    whole = table.read()
    rows = tuple(replace(row, expected="none", action="none", found_by=(), why="it is not so") for row in whole.rows)
    monkeypatch.setattr(table, "read", lambda: replace(whole, rows=rows))
    code, data = rig("campaign", "faults", "--rigs", "linkage", "--kinds", "sensor spike", "--clean", "0", timeout=200.0)
    assert (code, data["outcome"]) == (1, "verdict_failed")
    assert data["rows"][0]["wrong"] == ["expected none, got trip"], data["rows"]


def test_a_fault_from_another_terminal_is_found_and_the_record_says_so(tmp_path: Path) -> None:
    run = Running(tmp_path, "bench.pace=lockstep", UNPREPARED, "trajectory.cycles=400")
    run.wait_for_samples(60_000)
    code, listed = rig("inject", str(run.folder), "--list")
    assert code == 0 and {"fault", "target", "expected"} <= set(listed["faults"][0])
    code, refused = rig("inject", str(run.folder), "sabotage")
    assert code == 2 and "sabotage: expected one of sensor open" in refused["error"], refused
    code, done = rig("inject", str(run.folder), "sensor NaN", "--operator", "somebody", "--reason", "to see it found")
    assert code == 0 and done["injected"]["expected"] == "trip", done
    data = run.ended_as(1, "tripped", "stroke nan mm exceeds")
    (said,) = [event["text"] for event in data["events"] if event["kind"] == "injected"]
    assert said == "injected: sensor NaN, stroke_monitor by somebody in another terminal: to see it found"
    assert said in data["verdict"]["reason"] and data["verdict"]["result"] == "none" and said in data["warnings"]
    (comes,) = [event for event in data["events"] if event["kind"] == "injection"]
    (found,) = [event for event in data["events"] if event["kind"] == "limit"]
    assert comes["sample"] == found["sample"], "the reading is none from the very sample on with which the fault comes"
    code, again = rig("inject", str(run.folder), "sensor NaN")
    assert code == 2 and "no test runs there" in again["error"], again
    code, verified = rig("verify", str(run.folder))
    assert code == 0 and verified["verdict_recomputed_equal"], verified
