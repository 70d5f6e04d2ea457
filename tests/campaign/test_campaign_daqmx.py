"""The simulated DAQmx server for long: 200 sequences of 1000 random calls, and half an hour of clients that are killed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import plugin_runs
import pytest
from campaign_results import Results
from churn import AT_ONCE, churn, gained, working
from random_calls import RandomCalls

from drivers.simulated import serve_devices

pytestmark = pytest.mark.campaign

DEVICES = {"Dev1": "PCIe-6363", "Mod1": "PXIe-4466"}
STEPS = 1000
HALF_AN_HOUR = 1800.0
CALMED = 60.0
MEMORY = 10e6  # bytes that may be gained over half an hour and two thousand clients
THREADS = 4  # more at the end than when it had settled


@pytest.mark.parametrize("seed", range(200))
def test_random_calls_are_answered(results: Results, seed: int) -> None:
    found = results.once(f"daqmx/random calls/seed {seed}", lambda: _random_calls(seed))
    assert found["left"] == 0
    assert found["fault"] == ""


def _random_calls(seed: int) -> dict[str, Any]:
    with serve_devices(DEVICES, pace=("lockstep", "real")[seed % 2]) as bench:
        calls = RandomCalls(bench, 1000 + seed)
        calls.run(STEPS)
        calls.close()
        return {"answers": calls.answers, "left": len(bench.engine.tasks), "fault": str(bench.engine.fault or "")}


def test_half_an_hour_of_killed_clients(results: Results) -> None:
    found = results.once("daqmx/churn", _churn)
    assert found["failed"] == []
    assert found["tasks"] == [] and found["working"] == []
    assert found["gained"] < MEMORY, found
    assert found["threads"][-1] - found["threads"][len(found["threads"]) // 3] <= THREADS, found["threads"]


def _churn() -> dict[str, Any]:
    with serve_devices({f"Dev{lane}": "PCIe-6363" for lane in range(AT_ONCE)}) as bench:
        found = churn(bench, HALF_AN_HOUR, sample_every=10.0)
        deadline = time.monotonic() + CALMED
        while (bench.engine.tasks or working()) and time.monotonic() < deadline:
            time.sleep(1.0)
        return {
            "killed": found.killed, "failed": found.failed, "gained": gained(found), "threads": found.threads,
            "tasks": list(bench.engine.tasks), "working": working(),
        }  # fmt: skip


@pytest.mark.parametrize("number", range(10))
def test_two_hundred_tests_of_the_plugin_at_four_workers(results: Results, tmp_path: Path, number: int) -> None:
    found = results.once(f"daqmx/plugin/{number}", lambda: plugin_runs.run(tmp_path, ("-p", "drivers.simulated.pytest_plugin")))
    assert {key: count for key, count in found.items() if key != "seconds"} == {"passed": plugin_runs.TESTS}, found
