"""A drive whose clock is off by 50 ppm is found out within 5 ppm over a minute, by whole processes at each pace."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_run import ROOT, rig
from campaign_results import Results
from deaths import BOTH

pytestmark = pytest.mark.campaign

RIG = ROOT / "configs/experiments/slider_bar_rig.toml"
TURNS = 8  # of 8 s


@pytest.mark.parametrize("pace", BOTH)
@pytest.mark.parametrize("ppm", [-50, 0, 50])
def test_skew(results: Results, tmp_path: Path, ppm: int, pace: str) -> None:
    sets = (f"trajectory.cycles={TURNS}", f"bench.pace={pace}", f"bench.serial.bar.skew_ppm={ppm}", "comparison.criteria=[]")

    def find() -> dict[str, float]:
        words = [word for override in sets for word in ("--set", override)]
        code, data = rig("run", str(RIG), "--headless", "--out", str(tmp_path), *words, timeout=900.0)
        assert (code, data["outcome"]) == (0, "done"), data
        return dict(data["clocks"]["bar"])

    found = results.once(f"skew/{ppm} ppm/{pace}", find)
    assert abs(found["skew_ppm"] - ppm) < 5.0, found
