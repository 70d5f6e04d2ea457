"""Runs under an outer loop, in lockstep, and what their summaries say of it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from bench_run import ROOT, UNPREPARED, rig

from rig.recorder.reading import read_run

SETTLED = 10  # cycles after which amplitude and mean must be what was asked
WITHIN = 0.01
EXPERIMENTS = ROOT / "configs/experiments"


def lockstep(experiment: str, *overrides: str) -> tuple[int, dict[str, Any]]:
    """Run once; the run's folder is not kept. Of a corrected command the record's columns are looked at as well."""
    words = ["bench.pace=lockstep", UNPREPARED, *overrides]
    with tempfile.TemporaryDirectory(prefix="rig-control-") as out:
        sets = (part for word in words for part in ("--set", word))
        code, data = rig("run", str(EXPERIMENTS / f"{experiment}.toml"), "--headless", "--out", out, *sets, timeout=600.0)
        if data.get("control", {}).get("kind") == "amplitude":
            data["columns"] = _columns(Path(data["files"]["run"]))
    return code, data


def _columns(run_dir: Path) -> dict[str, np.ndarray]:
    record = read_run(run_dir)
    return {name: record.channel("command", name) for name in record.streams["command"]}


def assert_settled(data: dict[str, Any]) -> None:
    """Behind the first SETTLED cycles amplitude and mean are within WITHIN, each of its own target where that is not 0, and the phase
    within a degree."""
    control = data["control"]
    rows = [row for row in control["cycles"] if row["cycle"] >= SETTLED]
    assert rows, control["cycles"]
    level = abs(control["mean_asked"]) if abs(control["mean_asked"]) > 1.0 else control["amplitude_asked"]
    for row in rows:
        assert abs(row["amplitude"] / control["amplitude_asked"] - 1.0) <= WITHIN, row
        assert abs(row["mean"] - control["mean_asked"]) <= WITHIN * level, row
        assert abs(row["phase_error_deg"]) <= 1.0, row
