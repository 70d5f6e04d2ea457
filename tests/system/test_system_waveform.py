"""The linkage under a waveform that the loader's own controller runs, from end to end: started by an edge, recorded by the DAQ."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from bench_run import HEADLESS, LINKAGE, ROOT, Running, rig
from resumed_runs import killed_and_resumed, record_of, whole_cycles
from test_system_linkage import decoded

INSTRON = ROOT / "configs/experiments/linkage_instron.toml"
SHORT = "trajectory.cycles=6"
FREQUENCY = 3.0


def run(out: Path, *overrides: str, shown: tuple[str, ...] = HEADLESS) -> tuple[int, dict[str, Any]]:
    sets = [word for override in ("bench.pace=lockstep", SHORT, *overrides) for word in ("--set", override)]
    return rig("run", str(INSTRON), *shown, "--out", str(out), *sets, timeout=300.0)


def test_every_sample_is_there_and_the_waveform_begins_where_the_command_does(tmp_path: Path) -> None:
    code, data = run(tmp_path, shown=("--headless",))
    assert (code, data["outcome"], data["verdict"]["result"]) == (0, "done", "pass"), data
    record = Path(data["files"]["record"])
    index = decoded(record)
    assert np.array_equal(index, np.arange(len(index)))
    assert {stream["lost_samples"] for stream in data["streams"].values()} == {0}
    assert data["ao"]["underflows"] == 0
    with h5py.File(record) as file:
        cycle, high = file["entry/command/cycle"][...], file["entry/measured/run"][...] > 2.5
        force, told = file["entry/measured/transmitted_force"][...], file["entry/loader"]
        assert int(np.argmax(high)) == int(np.argmax(cycle >= 0.0)) + 1, "a sample taken at the edge still sees the level before"
        at = told["sample"][...].astype(int)
        counted = (at < len(force)) & (cycle[np.minimum(at, len(force) - 1)] >= 0.0)
        assert np.sum(counted) >= 15
        apart = told["feedback"][...][counted] - force[at[counted]]
        assert np.sqrt(np.mean(apart**2)) < 300.0, "the controller's readings are stamped with their samples"
    (ends,) = [event["text"] for event in data["events"] if event["kind"] == "axis"]
    assert "without this program its waveform ends within 2.5 s, and without pressure within 0.25 s" in ends


@pytest.mark.long
def test_a_wrong_clearance_fails(tmp_path: Path) -> None:
    code, data = run(tmp_path, "mechanism.clearance=0.2 mm")
    assert (code, data["outcome"], data["verdict"]["result"]) == (1, "verdict_failed", "fail")


@pytest.mark.real_pace
@pytest.mark.soak
def test_ctrl_c_holds_the_waveform_and_takes_the_force_away(tmp_path: Path) -> None:
    running = Running(tmp_path, "trajectory.cycles=200", experiment=INSTRON)
    running.wait_for_samples(80_000)
    running.interrupt()
    code, data, _ = running.end()
    assert (code, data["outcome"]) == (0, "stopped"), data
    with h5py.File(data["files"]["record"]) as file:
        force = file["entry/measured/transmitted_force"][...]
        high = np.flatnonzero(file["entry/measured/run"][...] > 2.5)
    assert abs(force[-2000:].mean()) < 200.0
    assert len(high) == high[-1] - high[0] + 1 and high[-1] < len(force) - 1, "one rise, one fall"
    said = [line["text"] for line in running.controller_log() if line["source"] == "controller"]
    assert [text for text in said if text in ("waveform started", "waveform held", "ramp", "actuator off")] == [
        "ramp", "waveform started", "waveform held", "ramp", "actuator off"
    ]  # fmt: skip


def test_a_controller_that_does_not_end_its_waveform_is_an_interlock(tmp_path: Path) -> None:
    """It takes every setting and obeys none at the end."""
    code, data = run(tmp_path, 'bench.serial.controller.habits=["goes on after its count"]')
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert "it does not obey its count, look at its event settings" in data["verdict"]["reason"], data["verdict"]


@pytest.mark.long
def test_a_controller_whose_panel_keeps_the_action_of_the_event_does_not_even_begin(tmp_path: Path) -> None:
    code, data = run(tmp_path, 'bench.serial.controller.habits=["event action kept"]')
    assert (code, data["outcome"]) == (3, "failed"), data


@pytest.mark.long
def test_a_waveform_that_is_broken_off_goes_on_with_the_cycles_that_are_left(tmp_path: Path) -> None:
    sets = ("bench.pace=lockstep", "trajectory.cycles=16")
    result = killed_and_resumed(tmp_path, 1, *sets, seed=3, experiment=LINKAGE.with_name("linkage_instron.toml"))
    assert result.kills == 1 and result.data["outcome"] == "done" and result.data["verdict"]["result"] == "pass", result.data
    assert 0 < result.data["resumed"]["cycle"] < 16
    assert Counter(number for number, _ in whole_cycles(record_of(result))) == Counter(range(16))
