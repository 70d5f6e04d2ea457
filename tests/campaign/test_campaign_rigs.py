"""The rigs in real time, five specimens each: every sample there, nothing lost, model and specimen agree; a wrong clearance does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from bench_run import ROOT, rig
from campaign_results import Results

pytestmark = pytest.mark.campaign

SEEDS = range(1, 6)
RIGS = ("linkage", "linkage_instron", "four_bar_rig", "slider_crank_rig", "slider_bar_rig", "parallel_3rrpar_rig")
PLAYS = {  # keys of the model's clearance, and values that are wrong, in mm
    "linkage": (("clearance",), ("0", "0.2", "0.3", "0.8")),
    "linkage_instron": (("clearance",), ("0", "0.2", "0.3", "0.8")),
    "linkage_amplitude": (("clearance",), ("0", "0.2", "0.3", "0.8")),
    "pseudo_dynamic": (("clearance",), ("0.4",)),
    "four_bar_rig": (("clearance",), ("0", "0.1", "0.4")),
    "slider_crank_rig": (("clearance", "guide_clearance"), ("0", "0.025", "0.1")),
    "slider_bar_rig": (("total_clearance",), ("0", "0.05", "0.2")),
    "parallel_3rrpar_rig": (("clearance",), ("0", "0.05", "0.2", "0.5")),
}
CODE_STEP = 20.0 / 65536  # V a sample


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGS)
def test_a_rig_in_real_time(results: Results, tmp_path: Path, name: str, seed: int) -> None:
    def find() -> dict[str, Any]:
        words = (str(ROOT / f"configs/experiments/{name}.toml"), "--headless", "--out", str(tmp_path), "--set", f"bench.seed={seed}")
        code, data = rig("run", *words, timeout=300.0)
        return {"code": code, "outcome": data["outcome"], "reason": data["reason"], **_figures(data)}

    found = results.once(f"real time/{name}/{seed}", find)
    assert (found["code"], found["outcome"]) == (0, "done"), found
    assert found["in_order"] and found["lost_samples"] == 0 and found["underflows"] == 0, found


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (_, values) in PLAYS.items() for value in values])
def test_a_wrong_clearance_fails(results: Results, tmp_path: Path, name: str, value: str) -> None:
    def find() -> dict[str, Any]:
        sets = [f"mechanism.{key}={value} mm" for key in PLAYS[name][0]] + ["bench.pace=lockstep"]
        words = (str(ROOT / f"configs/experiments/{name}.toml"), "--headless", "--out", str(tmp_path))
        code, data = rig("run", *words, *[word for one in sets for word in ("--set", one)], timeout=300.0)
        return {"code": code, "outcome": data["outcome"], "lines": [line["text"] for line in data["verdict"]["lines"]]}

    found = results.once(f"wrong clearance/{name}/{value}", find)
    assert (found["code"], found["outcome"]) == (1, "verdict_failed"), found


def _figures(data: dict[str, Any]) -> dict[str, Any]:
    with h5py.File(data["files"]["record"]) as file:
        code = np.round((file["entry/measured/sample_code"][...] + 10.0) / CODE_STEP).astype(np.int64)
    return {
        "in_order": bool(np.array_equal(code, np.arange(len(code)) % 65536)),
        "duration_s": data["duration_s"],
        "lost_samples": sum(stream["lost_samples"] for stream in data["streams"].values()),
        "underflows": data["ao"]["underflows"],
        "lag_p99_s": data["predictor"]["lag_s"]["p99"],
        "nrms": {channel: found["nrms"] for channel, found in data["agreement"].items()},
    }
