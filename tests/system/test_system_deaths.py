"""What happens when a process dies: the table of the README, each row three times at random moments."""

import json
import random
import time
from pathlib import Path

import pytest
from bench_run import Running, rig

from rig.recorder.reading import read_run

LONG = "trajectory.cycles=400"
FLUSH = 0.1
KILLS = 3
PACES = ("real", "lockstep")


def started(tmp_path: Path, seed: int, *overrides: str, window: bool = False) -> Running:
    """A run that has been going for a random while."""
    running = Running(tmp_path, LONG, *overrides, window=window)
    running.wait_for_samples()
    time.sleep(random.Random(seed).uniform(0.0, 1.5))
    return running


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("pace", PACES)
def test_predictor_mark_goes_on(tmp_path: Path, pace: str, seed: int) -> None:
    running = started(tmp_path, seed, f"bench.pace={pace}")
    running.kill("predictor")
    time.sleep(0.5)
    assert running.process.poll() is None
    running.interrupt()
    code, data, _ = running.end()
    assert (code, data["outcome"]) == (0, "stopped"), data
    assert any("predictor died" in warning for warning in data["warnings"])
    assert data["streams"]["measured"]["samples"] > data["streams"]["predicted"]["samples"]


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("pace", PACES)
def test_predictor_stop_is_a_ramped_stop(tmp_path: Path, pace: str, seed: int) -> None:
    running = started(tmp_path, seed, f"bench.pace={pace}", "predictor.on_death=stop")
    running.kill("predictor")
    code, data, _ = running.end()
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert "predictor died" in data["reason"]
    assert "stopping" in [event["text"].split(":")[0] for event in data["events"]]


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("pace", PACES)
def test_recorder_is_a_ramped_stop_and_the_record_is_recoverable(tmp_path: Path, pace: str, seed: int) -> None:
    running = started(tmp_path, seed, f"bench.pace={pace}")
    running.kill("recorder")
    code, data, _ = running.end()
    assert (code, data["outcome"]) == (3, "failed"), data
    assert "recorder died" in data["error"]
    code, _ = rig("recover", str(running.folder))
    assert code == 0
    recovered = read_run(running.folder)
    assert len(recovered.streams["measured"]["transmitted_force"]) > 0


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("pace", PACES)
def test_virtual_bench_ends_everything_within_two_seconds(tmp_path: Path, pace: str, seed: int) -> None:
    running = started(tmp_path, seed, f"bench.pace={pace}")
    killed = running.kill("virtual_bench")
    code, data, _ = running.end()
    took = time.time() - killed
    assert (code, data["outcome"]) == (3, "failed"), data
    assert "virtual_bench" in data["error"] or "server" in data["error"].lower(), data["error"]
    assert took < 2.0 + 3.0, f"took {took:.2f} s (comparison and summary included)"


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("name", ["bench", "supervisor"])
def test_bench_or_supervisor_makes_the_controller_interlock(tmp_path: Path, name: str, seed: int) -> None:
    running = started(tmp_path, seed)
    killed = running.kill(name)
    if name == "supervisor":
        running.process.wait()
        running.assert_nothing_left(5.0)
    else:
        code, data, _ = running.end()
        assert (code, data["outcome"]) == (3, "failed"), data
        assert "bench died" in data["error"]
    plan = json.loads((running.folder / "plan.json").read_text())
    timeout = plan["bench"]["plant"]["heartbeat_timeout"]
    interlocks = [entry for entry in running.controller_log() if "interlock" in entry["text"]]
    assert interlocks, running.controller_log()
    assert interlocks[0]["wall"] - killed < timeout + 0.05 + 0.05, "time-out + 50 ms, and one heartbeat before the kill"


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("name", ["bench", "supervisor"])
def test_bench_or_supervisor_in_lockstep_leaves_nothing_running(tmp_path: Path, name: str, seed: int) -> None:
    running = started(tmp_path, seed, "bench.pace=lockstep")
    running.kill(name)
    if name == "supervisor":
        running.process.wait()
        running.assert_nothing_left(5.0)
    else:
        code, _, _ = running.end()
        assert code == 3
