"""Ten minutes in real time with the window: no process of a run grows once it has settled."""

import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from bench_run import Running
from campaign_results import Results

pytestmark = pytest.mark.campaign

CYCLES = 1800  # at 3 Hz
SETTLED = 0.1  # share of the run after which memory is looked at
SHARE, LEAST = 0.02, 4e6  # of its level, bytes: the larger may be gained over the whole run
EVERY = 1.0  # s
COMPARED = 900.0  # s; generous: the comparison of thirty million samples takes half a minute on busy cores


def test_ten_minutes(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    found = results.once("memory/ten minutes", lambda: _run(tmp_path))
    assert found["exit_code"] == 0, found["reason"]
    assert set(found["processes"]) >= {"supervisor", "bench", "predictor", "recorder", "display", "virtual_bench"}
    for name, process in found["processes"].items():
        assert process["gained"] <= max(SHARE * process["level"], LEAST), f"{name}: {process}"


def _run(folder: Path) -> dict[str, Any]:
    run = Running(folder, f"trajectory.cycles={CYCLES}", "bench.pace=real", window=True)
    run.wait_for_samples()
    watched = {name: psutil.Process(pid) for name, pid in run.pids.items()}
    times: list[float] = []
    sizes: dict[str, list[float]] = {name: [] for name in watched}
    begun = time.monotonic()
    while run.process.poll() is None and time.monotonic() - begun < CYCLES / 3.0:
        times.append(time.monotonic() - begun)
        for name, process in watched.items():
            sizes[name].append(process.memory_info().rss)
        time.sleep(EVERY)
    growth = {name: _growth(np.array(times), np.array(size)) for name, size in sizes.items()}
    print(growth)
    code, data, _ = run.end(timeout=COMPARED)
    shutil.rmtree(run.folder)  # gigabytes
    return {
        "exit_code": code,
        "reason": data["reason"],
        "lost_samples": sum(stream["lost_samples"] for stream in data["streams"].values()),
        "underflows": data["ao"]["underflows"],
        "display": data["display"],
        "processes": growth,
    }


def _growth(times: Any, sizes: Any) -> dict[str, float]:
    """Level and what a straight line gains over the whole run, bytes; the first part, in which everything is touched once, left out."""
    settled = times > SETTLED * times[-1]
    slope, _ = np.polyfit(times[settled], sizes[settled], 1)
    return {"level": float(np.median(sizes[settled])), "gained": float(slope * times[-1]), "slope_bytes_per_s": float(slope)}
