"""The states of a test as whoever follows it sees them."""

from pathlib import Path
from typing import Any

import pytest
from bench_run import HEADLESS, LINKAGE, Running, first_words, rig

OVERRIDES = ("bench.pace=lockstep", "bench.loader.preparation.enabled=false", "trajectory.cycles=2", "trajectory.frequency=5 Hz")


def states(data: dict[str, Any]) -> list[str]:
    return [event["text"] for event in data["events"] if event["kind"] == "state"]


def test_the_end_of_a_program_is_stopping_from_the_soft_stop_on(tmp_path: Path) -> None:
    sets = [word for text in (*OVERRIDES, "trajectory.soft_stop=0.3 s") for word in ("--set", text)]
    code, data = rig("run", str(LINKAGE), *HEADLESS, "--out", str(tmp_path), *sets)
    assert (code, data["outcome"]) == (0, "done"), data
    assert states(data) == ["starting", "running", "stopping: end of the program", "stopped"]
    stopping, stopped = [event["time_s"] for event in data["events"] if event["kind"] == "state"][2:]
    assert abs(stopped - stopping - 0.4) < 0.03, "the soft stop, and what is recorded after it"


@pytest.mark.long
def test_the_soft_stop_can_be_cut_short(tmp_path: Path) -> None:
    run = Running(tmp_path, *OVERRIDES, "trajectory.soft_stop=200 s")
    run.wait_for_samples(round(51.2e3 * 1.45))
    run.interrupt()
    data = run.ended_as(0, "stopped")
    assert first_words(data) == ["starting", "running", "stopping", "stopping", "stopped"]
    assert data["duration_s"] < 60.0
