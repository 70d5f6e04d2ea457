"""Processes that stand still: what a reader lost is said exactly, and a bench worker that is short of time brings its test to its end."""

import contextlib
import signal
import threading
import time
from pathlib import Path

import h5py
import numpy as np
import psutil
import pytest
from bench_run import Running

RING = 1.0  # s
STALL = 2.0  # s
MOMENT = 0.05  # s: a quarter of what is filled ahead, which leaves the machine its own


@pytest.mark.real_pace
def test_recorder_stalled_for_two_seconds_reports_exactly_what_was_lost(tmp_path: Path) -> None:
    running = Running(tmp_path, "trajectory.cycles=200", f"acquisition.ring={RING} s")
    running.wait_for_samples(20_000)
    recorder = psutil.Process(running.pids["recorder"])
    recorder.send_signal(signal.SIGSTOP)
    time.sleep(STALL)
    recorder.send_signal(signal.SIGCONT)
    time.sleep(0.5)
    running.interrupt()
    code, data, _ = running.end()
    assert (code, data["outcome"]) == (0, "stopped"), data
    measured = data["streams"]["measured"]
    with h5py.File(data["files"]["record"]) as file:
        volts = file["entry/measured/sample_code"][...]
        rows = [row for row in file["entry/gaps"] if row["stream"] == b"measured" and row["reason"] == b"lost"]
        gaps = [(int(row["first"]), int(row["count"])) for row in rows]
    missing = np.flatnonzero(np.isnan(volts))
    told = np.concatenate([np.arange(first, first + count) for first, count in measured["lost_ranges"]])
    assert np.array_equal(missing, told)
    assert gaps == [tuple(lost) for lost in measured["lost_ranges"]]
    assert measured["lost_samples"] == len(told)
    assert abs(len(told) / data["rate_hz"] - (STALL - RING)) < 0.3, "what the ring could not hold"
    there = np.flatnonzero(~np.isnan(volts))
    assert np.array_equal(np.round((volts[there] + 10.0) * 65536 / 20.0).astype(int), there % 65536), "every sample lies where it belongs"
    assert any(event["kind"] == "lost_samples" for event in data["events"])


@pytest.mark.real_pace
@pytest.mark.soak
def test_a_bench_worker_that_stands_still_every_other_moment_comes_to_its_end(tmp_path: Path) -> None:
    """From its start on, so also while it opens its instruments, and between preparation and test."""
    running = Running(tmp_path, "trajectory.cycles=4")
    bench, over, stalls = running.wait_for_process("bench"), threading.Event(), 0

    def stall() -> None:
        nonlocal stalls
        with contextlib.suppress(psutil.NoSuchProcess):
            while not over.wait(MOMENT):
                bench.send_signal(signal.SIGSTOP)
                time.sleep(MOMENT)
                bench.send_signal(signal.SIGCONT)
                stalls += 1

    stalling = threading.Thread(target=stall)
    stalling.start()
    try:
        code, data, _ = running.end(timeout=100.0)
    finally:
        over.set()
        stalling.join()
    assert (code, data["outcome"]) == (0, "done"), data
    assert stalls > 40 and data["ao"]["underflows"] == 0, data
    assert sum(stream["lost_samples"] for stream in data["streams"].values()) == 0, data
