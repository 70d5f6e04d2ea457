"""A million cycles of the linkage in one test, killed a hundred times in the first fifth of them: none is lost, none counted twice, and in
the rest of them no process grows. An hour or two in lockstep; what breaks it off is one of the kills, and it goes on.

2 kS/s and 100 Hz: twenty samples a cycle, small forces. What the linkage does there is nobody's business, only that it is counted. Samples
are kept around events, so that the record fits on a disk; that none is lost between parts is shown by `test_campaign_resume.py`.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import psutil
import pytest
from bench_run import UNPREPARED, rig
from campaign_results import FOLDER, Results
from resumed_runs import killed_and_resumed, state_of

from rig.recorder.reading import read_run

pytestmark = pytest.mark.campaign

CYCLES, KILLS, AMONG = 1_000_000, 100, 200_000
SETTINGS = (
    "bench.pace=lockstep", "bench.seed=7", f"trajectory.cycles={CYCLES}", UNPREPARED,
    'acquisition.rate="2 kHz"', 'acquisition.block="20 ms"', 'trajectory.frequency="100 Hz"', 'trajectory.amplitude="2 kN"',
    'comparison.lowpass="200 Hz"',
    'record.samples="snapshots"', 'record.part="30 min"',
)  # fmt: skip
AGE = re.compile(r"state was ([0-9.]+) s old")
SETTLED, SHARE = 400_000, 0.02
"""Cycle from which memory is looked at, and of its level what may be gained over all the rest of the test. By then the last session, which
begins behind a fifth of it, has closed its first part: what the recorder takes for that (6 MB) it keeps, and takes once."""
EVERY, PATIENCE = 10.0, 6 * 3600.0  # s


def test_a_million_cycles(results: Results) -> None:
    found = results.once("million/linkage", lambda: _run(FOLDER / "million"))
    assert found["cycles"] == CYCLES and found["missing"] == 0 and found["again"] == 0, found
    assert found["kills"] >= KILLS and found["in_doubt"] <= found["kills"], found
    assert found["age_s"] <= 1.0, found
    assert found["verified"], found
    for name, one in found["memory"].items():
        assert abs(one["gained"]) <= SHARE * one["level"], f"{name}: {one}"


def _run(folder: Path) -> dict[str, Any]:
    folder.mkdir(parents=True, exist_ok=True)
    memory = _Memory(folder / "memory.jsonl")
    result = killed_and_resumed(folder, KILLS, *SETTINGS, seed=1, among=AMONG, look=memory.look, patience=PATIENCE)
    with h5py.File(result.folder / "run.h5") as file:
        rows = file["entry/cycles/measured"][:]
    code, said = rig("verify", str(result.folder), timeout=PATIENCE)  # it judges all of them once more: minutes
    texts = [event.text for event in read_run(result.folder).events if event.kind == "resumed"]
    counted, times = np.unique(rows["cycle"], return_counts=True)
    return {
        "outcome": result.data["outcome"], "kills": len(texts), "cycles": len(counted),
        "missing": CYCLES - int(np.isin(np.arange(CYCLES), counted).sum()), "again": int((times > 1).sum()),
        "in_doubt": sum("1 more cycle may" in text for text in texts),
        "age_s": max(float(found[1]) for text in texts if (found := AGE.search(text))),
        "verified": code == 0 and bool(said["ok"]), "memory": memory.growth(),
    }  # fmt: skip


class _Memory:
    """Of each process, every EVERY s: a line of JSON with the cycle."""

    def __init__(self, path: Path) -> None:
        self._path, self._next = path, 0.0

    def look(self, folder: Path) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + EVERY
        state = state_of(folder)
        sizes = {name: _size(pid) for name, pid in json.loads((folder / "processes.json").read_text()).items() if isinstance(pid, int)}
        with self._path.open("a") as file:
            file.write(json.dumps({"session": state.get("session"), "cycle": state.get("cycle") or 0, "bytes": sizes}) + "\n")

    def growth(self) -> dict[str, dict[str, float]]:
        """Level, and what a straight line gains from SETTLED to the end, bytes; of the last session."""
        lines = [json.loads(line) for line in self._path.read_text().splitlines()]
        kept = [one for one in lines if one["session"] == lines[-1]["session"] and one["cycle"] > SETTLED and all(one["bytes"].values())]
        cycles, found = np.array([one["cycle"] for one in kept]), {}
        for name in kept[-1]["bytes"]:
            sizes = np.array([one["bytes"][name] for one in kept], dtype=float)
            slope, _ = np.polyfit(cycles, sizes, 1)
            found[name] = {"level": float(np.median(sizes)), "gained": float(slope * (CYCLES - SETTLED)), "looks": len(kept)}
        return found


def _size(pid: int) -> int:
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
