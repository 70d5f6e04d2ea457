"""The experiment without clearance: criteria so tight that a delay left in the measurement fails them."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_run import HEADLESS, ROOT, UNPREPARED, rig

EXPERIMENT = ROOT / "configs/experiments/linkage_no_clearance.toml"
SHORT = ["--set", "bench.pace=lockstep", "--set", "trajectory.cycles=4", "--set", UNPREPARED]
FORCE = "transmitted_force"


@pytest.mark.long
def test_a_healthy_bench_passes_and_37_samples_of_delay_fail(tmp_path: Path) -> None:
    code, straight = rig("run", str(EXPERIMENT), *HEADLESS, "--out", str(tmp_path), *SHORT)
    assert (code, straight["verdict"]["result"]) == (0, "pass"), straight["verdict"]
    delayed = ["--set", "bench.plant.force_delay=722.65625 us"]
    code, late = rig("run", str(EXPERIMENT), *HEADLESS, "--out", str(tmp_path), *SHORT, *delayed)
    assert (code, late["verdict"]["result"]) == (1, "fail")
    assert {line["metric"] for line in late["verdict"]["lines"] if not line["passed"]} == {"phase", "nrms", "delay"}
    shift = late["agreement"][FORCE]["delay_samples"] - straight["agreement"][FORCE]["delay_samples"]
    assert abs(shift - 37.0) <= 0.1
