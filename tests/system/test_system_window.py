"""The window beside a test on the virtual bench, and on its record afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from bench_run import LINKAGE, rig

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
    code, view = rig("view", run["files"]["run"], "--picture", str(picture), "--at", "3", "--span", "1")
    assert code == 0, view
    assert picture.stat().st_size > 20_000
    assert view["samples"] == run["streams"]["measured"]["samples"]
    assert view["at_s"] == pytest.approx(3.0, abs=1e-3)
