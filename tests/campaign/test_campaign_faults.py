"""Every fault of the table on every rig, several times each; and as long without one. `rig campaign faults` is the same by hand.

At real pace the latency counts from the fault to the line by the bench's own clock: one block, and what a computer may keep the program
waiting.
"""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

import pytest
from campaign_results import ROOT, Results

from rig.commands import main
from rig.faults import bounds, table
from rig.faults.campaign import key
from rig.faults.cases import injected
from rig.faults.injecting import Course, clean
from rig.signals.summary_statistics import statistics

pytestmark = pytest.mark.campaign

WHOLE = table.read()
SEEDS = range(1, 5)
CLEAN_SEEDS = range(1, 151)  # tests of 3 to 10 s each: an hour in all
AT_REAL_PACE = ("sensor open", "sensor NaN", "sensor spike", "sensor saturated", "specimen breaks")
REAL_SEEDS = range(1, 12)
LOCKSTEP, REAL = "lockstep", "real"


def run(words: list[str]) -> dict[str, Any]:
    """One `rig` in this process."""
    said, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
        main(words)
    return dict(json.loads(said.getvalue()))


def course(pace: str) -> Course:
    return Course(run, pace, ROOT / "configs/experiments")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("row", WHOLE.rows, ids=lambda row: row.name)
def test_fault(results: Results, row: table.Row, seed: int) -> None:
    rig = WHOLE.rigs[row.rig]
    found = results.once(key(row, row.rig, LOCKSTEP, seed), lambda: injected(course(LOCKSTEP), row, rig, seed))
    assert not found["wrong"], found["wrong"]


@pytest.mark.parametrize("seed", CLEAN_SEEDS)
@pytest.mark.parametrize("rig", WHOLE.rigs)
def test_nothing_is_found_where_nothing_is_wrong(results: Results, rig: str, seed: int) -> None:
    found = results.once(key(None, rig, LOCKSTEP, seed), lambda: clean(course(LOCKSTEP), WHOLE.rigs[rig], seed))
    assert not found["false_trips"] and not found["said"], found


def test_latency_at_real_pace(results: Results) -> None:
    """Range, rate and break faults: 99 of 100 within a block and what a computer may keep the program waiting."""
    late = []
    for row in (row for row in WHOLE.rows if row.fault in AT_REAL_PACE and row.counts_from == "limit"):
        rig = WHOLE.rigs[row.rig]
        for seed in REAL_SEEDS:
            case = key(row, row.rig, REAL, seed)
            found = results.once(case, lambda row=row, rig=rig, seed=seed: injected(course(REAL), row, rig, seed))  # type: ignore[misc]
            assert found["got"] == "trip" and found["safe"], found
            late.append((found["latency"] - found["block_samples"]) / found["rate"])
    p99 = statistics(late)["p99"]
    assert len(late) >= 200 and p99 is not None and p99 <= bounds.WAITING, p99
