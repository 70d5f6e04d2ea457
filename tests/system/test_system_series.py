"""The series of tests on the virtual bench in lockstep: each passes, and a specimen with another clearance does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_run import ROOT, UNPREPARED, rig

FILE = ROOT / "configs/series/hu2016.toml"


@pytest.mark.soak
def test_the_series_over_clearance_passes_and_a_bush_that_was_not_changed_fails(tmp_path: Path) -> None:
    short = ["--series", "clearance", "--out", str(tmp_path), "--set", "trajectory.cycles=4", "--set", UNPREPARED]
    code, found = rig("series", str(FILE), *short, timeout=300.0)
    (series,) = found["series"]
    assert code == 0, found
    assert [test["verdict"] for test in series["tests"]] == ["pass", "pass", "pass"]
    assert all(series["grows"][metric] == {"measured": True, "predicted": True} for metric in ("max", "impact_peak", "overshoot"))
    assert max(series["largest_error"].values()) <= series["printed_error"]
    code, found = rig("series", str(FILE), *short, "--set", "bench.plant.clearance=0.4 mm", timeout=300.0)
    assert code == 1
    assert [test["verdict"] for test in found["series"][0]["tests"]] == ["fail", "fail", "pass"]
