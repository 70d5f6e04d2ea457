"""Each fault that comes in mid-test, on twenty benches, at twenty moments of the cycle; and as many tests without one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from campaign_results import Results
from mid_run_faults import FAULTS, assert_found_within_bound, cycled, moment

pytestmark = pytest.mark.campaign

SEEDS = range(1, 21)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [*FAULTS, "none"])
def test_mid_run_fault(results: Results, tmp_path: Path, name: str, seed: int) -> None:
    found = results.once(f"mid-run/{name}/{seed}", lambda: one(tmp_path, name, seed))
    assert not found["wrong"], found["wrong"]


def one(out: Path, name: str, seed: int) -> dict[str, Any]:
    """Latency in s, and what is wrong."""
    fault = FAULTS.get(name)
    try:
        data = cycled(out, fault, seed, moment(seed))
        if fault is None:
            ended = [event["text"] for event in data["events"] if event["kind"] in ("implausible", "limit", "specimen")]
            return {"wrong": f"{data['outcome']}: {ended}" if data["outcome"] != "done" or ended else "", "latency_s": None}
        return {"wrong": "", "latency_s": assert_found_within_bound(data, fault, moment(seed))}
    except AssertionError as error:
        return {"wrong": str(error)[:2000], "latency_s": None}
    finally:
        shutil.rmtree(out, ignore_errors=True)
