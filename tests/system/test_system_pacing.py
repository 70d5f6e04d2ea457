"""Null pacing in whole tests: a virtual frame whose valve is too small for the play at the asked frequency."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench_run import HEADLESS, LINKAGE, UNPREPARED, rig

from rig.recorder.reading import read_run

SMALL_VALVE = (
    "bench.pace=lockstep", UNPREPARED, "acquisition.rate=5 kHz", "bench.plant.hydraulics.full_speed=12 mm/s", "trajectory.cycles=4",
)  # fmt: skip


def run(out: Path, *more: str, shown: tuple[str, ...] = HEADLESS) -> tuple[int, dict]:
    sets = [word for text in (*SMALL_VALVE, *more) for word in ("--set", text)]
    return rig("run", str(LINKAGE), *shown, "--out", str(out), *sets, timeout=300.0)


def reached(data: dict, cycle: int) -> float:
    """Share of the commanded amplitude that peak and valley of a cycle came to, the worse of both."""
    record = read_run(Path(data["files"]["record"]))
    at = record.channel("command", "cycle") == cycle
    asked, got = record.channel("command", "value")[at], record.channel("measured", "transmitted_force")[at]
    return float(min(got.max() / asked.max(), got.min() / asked.min()))


def test_as_many_cycles_as_asked_reach_their_peaks_at_a_slower_pace(tmp_path: Path) -> None:
    code, data = run(tmp_path, "pacing.action=slower", shown=("--headless",))
    assert code in (0, 1) and data["outcome"] in ("done", "verdict_failed"), data
    figures = data["pacing"]
    assert figures["reached"] == 4 and figures["missed"] == figures["repeated"] == figures["run"] - 4 > 0
    assert 0.1 < figures["pace"] < 1.0
    record = read_run(Path(data["files"]["record"]))
    cycle, repeated = (record.channel("command", name) for name in ("cycle", "repeated"))
    assert cycle.max() == figures["run"] - 1 and repeated[-1] == figures["repeated"]
    assert np.all(np.isin(np.diff(cycle[cycle >= 0.0]), (0.0, 1.0)))
    assert sum(reached(data, number) >= 0.95 for number in range(figures["run"])) == 4
    missed = [event for event in data["events"] if event["kind"] == "pacing" and "missing" in event["text"]]
    assert len(missed) == figures["missed"] and all("run again" in event["text"] for event in missed)


@pytest.mark.long
def test_at_its_own_pace_it_reaches_none_of_them(tmp_path: Path) -> None:
    """The control."""
    code, plain = run(tmp_path)
    assert code in (0, 1) and plain["pacing"] is None
    assert max(reached(plain, cycle) for cycle in range(4)) < 0.5


@pytest.mark.long
def test_what_is_missed_is_held_with_its_reason(tmp_path: Path) -> None:
    code, data = run(tmp_path, "pacing.action=hold", "hold.longest=0.2 s")
    assert (code, data["outcome"]) == (0, "stopped") and "hold.longest" in data["reason"]
    states = [event["text"] for event in data["events"] if event["kind"] == "state"]
    assert states[2].startswith("holding: cycle 0: reached ") and states[3] == "hold"
