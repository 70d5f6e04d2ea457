"""A long test that is killed again and again: its cycles are counted exactly, its place is never older than a second, its memory does not
grow."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bench_run import UNPREPARED, rig
from campaign_results import Results
from resumed_runs import killed_and_resumed, record_of, whole_cycles

from rig.recorder.description import BROKEN_OFF

pytestmark = pytest.mark.campaign

CYCLES, KILLS, AT_ONCE = 1000, 100, 10
SETTINGS = (
    "bench.pace=lockstep", "bench.seed=7", f"trajectory.cycles={CYCLES}", UNPREPARED,
    'acquisition.rate="2 kHz"', 'trajectory.frequency="20 Hz"', 'trajectory.amplitude="2 kN"', 'comparison.lowpass="200 Hz"',
    'record.part="20 s"', "record.cycles=true",
)  # fmt: skip
"""2 kS/s, cycles of 50 ms: short ones, so that a kill falls anywhere in them."""


AGE = re.compile(r"state was ([0-9.]+) s old")


@pytest.mark.parametrize("number", range(KILLS // AT_ONCE))
def test_killed_ten_times_in_a_thousand_cycles(results: Results, tmp_path: Path, number: int) -> None:
    found = results.once(f"resume/{number}", lambda: _resumed(tmp_path, number))
    assert found["kills"] == AT_ONCE, found
    assert found["missing"] == [] and found["again"] == [], found
    assert len(found["in_doubt"]) <= AT_ONCE and all("1 more cycle may" in text for text in found["in_doubt"]), found
    assert max(found["age_s"]) <= 1.0, found
    assert found["lost"] == 0 and found["breaks"] == AT_ONCE and found["verified"], found


def _resumed(folder: Path, number: int) -> dict[str, Any]:
    result = killed_and_resumed(folder, AT_ONCE, *SETTINGS, seed=100 + number)
    record = record_of(result)
    counted = Counter(cycle for cycle, _ in whole_cycles(record))
    code, said = rig("verify", str(result.folder))
    texts = [event.text for event in record.events if event.kind == "resumed"]
    of_measured = [gap for gap in record.gaps if gap.stream == "measured"]
    broken = {gap.first for gap in of_measured if gap.reason == BROKEN_OFF}
    return {
        "kills": result.kills,
        "missing": sorted(set(range(CYCLES)) - set(counted)),
        "again": sorted(cycle for cycle, times in counted.items() if times > 1),
        "in_doubt": [text for text in texts if "may have been run" in text],
        "age_s": [float(found[1]) for text in texts if (found := AGE.search(text))],
        # A kill that takes the recorder between two streams leaves the one a block shorter: that block is at the break, and of it.
        "lost": sum(gap.count for gap in of_measured if gap.reason != BROKEN_OFF and gap.first + gap.count not in broken),
        "breaks": sum(gap.reason == BROKEN_OFF for gap in of_measured),
        "sessions": len(texts) + 1,
        "verified": code == 0 and bool(said["ok"]),
        "outcome": result.data["outcome"],
    }
