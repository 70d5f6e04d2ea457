"""What counts as found, by whom, and from which sample a latency counts: on tests made up, whose latencies are known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rig.faults import evidence, judgement
from rig.faults.table import Rig, Row

RIG = Rig("linkage", "linkage_frame", (), 1.0, 0.1, {})
ROW = Row("sensor frozen", "linkage", "stroke_monitor", "trip", "stop", ("noise",), ("noise", "block"), inject=({"what": "frozen"},))
RATE, BLOCK = 1000.0, 10
FROZEN = "DAQ: channel stroke on Dev1/ai2 shows nothing: its noise is 0 m rms; action: stop"
BEYOND = "stroke 0.006 m exceeds maximum 0.005 m at sample 2003"


def event(sample: int, kind: str, text: str) -> dict[str, Any]:
    return {"sample": sample, "time_s": sample / RATE, "source": "bench", "kind": kind, "text": text}


def data_of(out: Path, events: list[dict[str, Any]], log: list[tuple[float, str, str]], outcome: str = "tripped") -> dict[str, Any]:
    lines = [json.dumps({"wall": 0.0, "bench": at, "source": source, "text": text}) for at, source, text in log]
    (out / evidence.LOG).write_text("\n".join(lines))
    return {"events": [event(10, "state", "running"), *events], "outcome": outcome, "rate_hz": RATE, "block_samples": BLOCK, "reason": ""}


CAME = (2.0, "injection", "sensor frozen: frozen of stroke_monitor, from sample 2000 on")
ON, OFF = (0.1, "controller", "program runs, force mode"), (2.2, "controller", "program off")


@pytest.fixture(autouse=True)
def whole_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgement, "losses", lambda run: evidence.Losses())


def test_a_stop_counts_from_the_fault_to_the_end_of_the_block(tmp_path: Path) -> None:
    data = data_of(tmp_path, [event(2000, "implausible", FROZEN), event(2050, "state", f"stopping: {FROZEN[:80]}")], [ON, CAME, OFF])
    found = judgement.judge(ROW, RIG, data, tmp_path, 0.060)
    assert (found.got, found.action, found.detected_by, found.latency, found.bound) == ("trip", "stop", "noise", 60, 60.0)
    assert found.safe and not found.wrong
    late = judgement.judge(ROW, RIG, data, tmp_path, 0.059)
    assert "latency 60 samples, bound 59" in late.wrong


def test_a_limit_counts_from_the_first_sample_beyond_it(tmp_path: Path) -> None:
    row = replace(ROW, action="interlock", found_by=("limit",), counts_from="limit")
    data = data_of(tmp_path, [event(2003, "limit", f"{BEYOND}; action: interlock"), event(2000, "state", f"tripped: {BEYOND}")], [CAME])
    found = judgement.judge(row, RIG, data, tmp_path, 0.010)
    assert (found.latency_from_fault, found.latency, found.wrong) == (10, 7, "")


@pytest.mark.parametrize(("fell_at", "latency"), [(1.9994, 0.0), (2.0, 0.0), (2.004, 4.0), (1.997, None)])
def test_a_line_that_falls_with_the_fault_carries_the_time_of_a_look_before(tmp_path: Path, fell_at: float, latency: float | None) -> None:
    """A look a millisecond; what fell further before the fault fell for another reason, and is none of its latency."""
    row = replace(ROW, action="interlock", found_by=("daq",), bound=("block",))
    fell = (fell_at, "bar", "enable input low")
    data = data_of(tmp_path, [event(1990, "failure", "DAQ: reading 10 samples of Dev1: gone")], [CAME, fell], "failed")
    data["events"] = data["events"][1:]
    found = judgement.judge(row, RIG, data, tmp_path, 0.010)
    assert found.latency == (None if latency is None else pytest.approx(latency, abs=1e-6))


def test_a_test_that_failed_is_judged_by_what_the_hardware_saw(tmp_path: Path) -> None:
    row = replace(ROW, action="interlock", found_by=("daq",), bound=("block",))
    fell = (2.008, "controller", "interlock: the client's line fell; valve shut, pressure off")
    data = data_of(tmp_path, [event(1990, "failure", "DAQ: reading 10 samples of Dev1: gone")], [ON, CAME, fell], "failed")
    found = judgement.judge(row, RIG, data, tmp_path, 0.010)
    assert (found.got, found.action, found.detected_by, found.wrong) == ("trip", "interlock", "daq", "")
    assert found.latency == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"expected": "none", "why": "w"}, "expected none, got trip"),
        ({"action": "interlock"}, "expected the action interlock, got stop"),
        ({"found_by": ("forces",)}, "expected to be found by forces, got noise"),
    ],
)
def test_what_is_not_as_declared_is_said(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    data = data_of(tmp_path, [event(2000, "implausible", FROZEN), event(2050, "state", f"stopping: {FROZEN[:80]}")], [ON, CAME, OFF])
    assert said in judgement.judge(replace(ROW, **changed), RIG, data, tmp_path, 0.060).wrong


def test_nobody_finds_and_a_mark(tmp_path: Path) -> None:
    nobody = data_of(tmp_path, [event(5000, "state", "stopping: end of the program")], [ON, CAME, OFF], "done")
    assert judgement.judge(replace(ROW, expected="none", action="none", found_by=(), why="w"), RIG, nobody, tmp_path, 0.0).wrong == ""
    assert "got none" in judgement.judge(ROW, RIG, nobody, tmp_path, 0.060).wrong
    marked = data_of(
        tmp_path, [event(2040, "index_correction", "its index has put the angle right; action: indicate")], [ON, CAME, OFF], "done"
    )
    found = judgement.judge(replace(ROW, expected="mark", action="indicate", found_by=("index",)), RIG, marked, tmp_path, 0.060)
    assert (found.got, found.latency, found.wrong) == ("mark", 40, "")


def test_power_that_is_left_is_not_safe_and_a_fault_that_never_came_is_no_test(tmp_path: Path) -> None:
    ends = [event(2000, "implausible", FROZEN), event(2050, "state", f"stopping: {FROZEN[:80]}")]
    powered = judgement.judge(ROW, RIG, data_of(tmp_path, ends, [ON, CAME]), tmp_path, 0.060)
    assert not powered.safe and "controller still has power" in powered.wrong
    assert "the fault has not come" in judgement.judge(ROW, RIG, data_of(tmp_path, ends, [ON, OFF]), tmp_path, 0.060).wrong
    turning = (9.0, "crank", "still turns at 23 rad/s when the bench ends")
    data = data_of(tmp_path, ends, [ON, CAME, OFF, turning])
    assert not judgement.judge(ROW, RIG, data, tmp_path, 0.060).safe
    assert judgement.judge(ROW, replace(RIG, coasts="a flywheel"), data, tmp_path, 0.060).safe


def test_a_drive_whose_line_is_bridged_can_only_stand(tmp_path: Path) -> None:
    stands = [(0.1, "drive", "enable high"), CAME, (3.0, "drive", "at rest")]
    data = data_of(tmp_path, [], stands, "done")
    nobody = replace(ROW, expected="none", action="none", found_by=(), why="w")
    assert "drive still has power" in judgement.judge(nobody, RIG, data, tmp_path, 0.0).wrong
    bridged = replace(nobody, inject=({"what": "constant", "target": "crank_enable", "value": 1},))
    assert judgement.judge(bridged, RIG, data, tmp_path, 0.0).wrong == ""
