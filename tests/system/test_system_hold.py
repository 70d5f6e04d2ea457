"""Hold, resume, change and stop of a running test from outside; every rig, at 200 moments each: tests/campaign/test_campaign_holds.py."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from bench_run import LINKAGE, ROOT, UNPREPARED, Running, rig
from held_runs import (
    Held,
    assert_agreement_is_that_of_a_test_without_a_hold,
    assert_command_keeps_its_bounds,
    assert_prediction_is_that_along_the_record,
    run_held,
)

from rig.recorder.reading import read_run
from rig.supervision.operation_client import ask

LONG = ("trajectory.cycles=12", UNPREPARED, "acquisition.rate=10 kHz")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Held:
    return run_held(tmp_path_factory.mktemp("plain"), LINKAGE, LONG, 0, 1, (0.0, 0.0))


def test_a_test_that_is_held_agrees_as_one_that_is_not(tmp_path: Path, plain: Held) -> None:
    held = run_held(tmp_path, LINKAGE, LONG, 2, 1, (0.2, 0.8))
    assert held.result["exit_code"] == 0 and len(held.moments) == 2
    assert_command_keeps_its_bounds(held)
    assert_prediction_is_that_along_the_record(held)
    assert_agreement_is_that_of_a_test_without_a_hold(held, plain, "transmitted_force")
    with pytest.raises(AssertionError):
        assert_agreement_is_that_of_a_test_without_a_hold(held, plain, "transmitted_force", late=0.05)
    states = [event["text"].split(":")[0] for event in held.result["events"] if event["kind"] == "state"]
    assert states == ["starting", "running", *(["holding", "hold", "resuming", "running"] * 2), "stopping", "stopped"]
    assert read_run(held.folder / "run.h5").gaps == []
    said = next(event["text"] for event in held.result["events"] if event["text"].startswith("holding"))
    assert said == "holding: hold by test in another terminal: a random moment"


@pytest.mark.real_pace
@pytest.mark.soak
def test_a_change_a_refusal_and_a_stop_at_real_pace(tmp_path: Path) -> None:
    running = Running(tmp_path, "trajectory.cycles=40", UNPREPARED)
    running.wait_for_samples()
    folder = str(running.folder)
    while ask(running.folder, "status")["status"]["cycle"] is None:  # type: ignore[index, call-overload]
        time.sleep(0.05)
    assert rig("set", folder, "trajectory.amplitude=8 kN", "--operator", "me", "--reason", "softer")[0] == 0
    code, said = rig("set", folder, "trajectory.amplitude=800 kN")
    assert code == 2 and "the command may go" in said["error"]
    code, said = rig("resume", folder)
    assert code == 2 and "the test is running" in said["error"]
    time.sleep(1.5)  # the change has come in
    code, held = rig("hold", folder)
    assert (code, held["state"]) == (0, "hold") and held["channels"]["command"]["unit"] == "N"
    assert held["lag_s"]["n"] > 0 and held["disk"]["free_bytes"] > 0 and held["operator"]
    assert rig("stop", folder)[0] == 0
    data = running.ended_as(0, "stopped", "stop by")
    assert any("set trajectory.amplitude = 8 kN (before: 10 kN) by me" in event["text"] for event in data["events"])
    run = read_run(running.folder / "run.h5")
    cycle, value = run.channel("command", "cycle"), run.channel("command", "value")
    last = cycle == cycle.max()
    assert abs(value[last]).max() <= 8e3 * (1.0 + 1e-9) and abs(value[cycle == 0.0]).max() > 9.9e3
    code, after = rig("status", folder)
    assert (code, after["state"], after["ended"]) == (0, "stopped", "stopped")
    code, said = rig("hold", folder)
    assert code == 2 and "no test runs there" in said["error"]


def test_a_limit_with_the_action_hold_holds_and_the_load_stays(tmp_path: Path) -> None:
    experiment = tmp_path / "holds.toml"
    text = LINKAGE.read_text().replace('file = "../benches', f'file = "{ROOT}/configs/benches')
    experiment.write_text(text + '\n[[limits]]\nchannel = "stroke"\nmaximum = "0.3 mm"\naction = "hold"\n')
    running = Running(tmp_path / "out", "bench.pace=lockstep", UNPREPARED, "hold.longest=0.5 s", experiment=experiment)
    running.wait_for_samples()
    data = running.ended_as(0, "stopped", "hold.longest")
    states = [event["text"] for event in data["events"] if event["kind"] == "state"]
    assert [text.split(":")[0] for text in states] == ["starting", "running", "holding", "hold", "stopping", "stopped"]
    assert "stroke" in states[2] and "exceeds maximum 0.3 mm" in states[2]
