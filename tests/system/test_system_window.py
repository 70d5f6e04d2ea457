"""The window beside a test on the virtual bench, and on its record afterwards."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from bench_run import LINKAGE, UNPREPARED, rig

MEDIAN = 0.1  # s a frame; some 5 ms on a free machine


def test_the_window_draws_beside_a_test_and_shows_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    runs = tmp_path / "runs"
    code, run = rig("run", str(LINKAGE), "--out", str(runs), "--set", "bench.pace=lockstep", "--set", "trajectory.cycles=12")
    assert (code, run["outcome"]) == (0, "done"), run
    display = run["display"]
    print(f"display: {display}")
    record_property("display", display)
    assert display["frames"] == display["draw_s"]["n"] >= 5
    assert set(display["draw_s"]) == {"median", "p95", "p99", "p999", "max", "n"}
    assert 0.0 < display["draw_s"]["median"] < MEDIAN
    assert display["redraws_per_s"] > 1.0
    assert all(stream["lost_samples"] == 0 for stream in run["streams"].values())
    assert (tmp_path / "configuration/clearance-rig/window.ini").is_file()

    picture = tmp_path / "window.png"
    code, view = rig("view", run["files"]["run"], "--picture", str(picture), "--at", "3", "--span", "1", "--motion")
    assert code == 0, view
    assert picture.stat().st_size > 20_000
    assert view["samples"] == run["streams"]["measured"]["samples"]
    assert view["at_s"] == pytest.approx(3.0, abs=1e-3)


SHORT = ("--set", "bench.pace=lockstep", "--set", "trajectory.cycles=3", "--set", UNPREPARED)


def _is_last(summary: Path) -> bool:
    """It is written once more behind the picture: Ctrl-C before that stops the drawing, and is told so."""
    picture = summary.parent / "overlay.png"
    return picture.exists() and summary.stat().st_mtime_ns >= picture.stat().st_mtime_ns


def _ctrl_c_when_all_is_written(runs: Path, seen: dict[str, Any]) -> None:
    """What there is while the window waits; then Ctrl-C."""
    deadline = time.monotonic() + 60.0
    while not (written := [summary for summary in runs.glob("*/summary.json") if _is_last(summary)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    if written:
        time.sleep(1.0)  # longer than anything that would end it takes
        folder = written[0].parent
        processes = json.loads((folder / "processes.json").read_text())
        seen["display"] = psutil.Process(processes["display"])
        seen["others"] = [name for name, pid in processes.items() if name not in ("supervisor", "display") and psutil.pid_exists(pid)]
        seen["runs"] = seen["display"].is_running()
        seen["summary"] = json.loads(written[0].read_text())
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.long
def test_the_window_stays_with_everything_written_until_it_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if somebody saw it: the exit code is the test's own, whoever closes the window."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    monkeypatch.setattr("rig.commands.running.run.unseen", lambda: False)
    runs, seen = tmp_path / "runs", dict[str, Any]()
    closing = threading.Thread(target=_ctrl_c_when_all_is_written, args=(runs, seen))
    closing.start()
    code, run = rig("run", str(LINKAGE), "--out", str(runs), *SHORT)
    closing.join()
    assert (seen["runs"], seen["others"]) == (True, [])
    assert not seen["display"].is_running()
    assert (code, run["outcome"], run["verdict"]) == (seen["summary"]["exit_code"], seen["summary"]["outcome"], seen["summary"]["verdict"])
    assert run["outcome"] in ("done", "verdict_failed") and run["display"]["frames"] >= 1


@pytest.mark.long
def test_it_closes_by_itself_where_it_is_asked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    monkeypatch.setattr("rig.commands.running.run.unseen", lambda: False)
    code, run = rig("run", str(LINKAGE), "--close", "--out", str(tmp_path / "runs"), *SHORT)
    assert code in (0, 1) and run["display"]["frames"] >= 1
