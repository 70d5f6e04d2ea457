"""The real-time hybrid test on the virtual frame in lockstep: the frame follows the recorded force, and a loop that feeds itself ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench_run import ROOT, rig
from scipy.signal import lsim

from rig.config import load
from rig.hybrid.realtime.floors import scaled
from rig.hybrid.realtime.frame import Partition, Specimen
from rig.recorder.reading import read_run

EXPERIMENT = ROOT / "configs/experiments/real_time_hybrid.toml"


def run(out: Path, *overrides: str) -> tuple[int, dict[str, Any]]:
    sets = [word for override in overrides for word in ("--set", override)]
    return rig("run", str(EXPERIMENT), "--headless", "--out", str(out), *sets, timeout=300.0)


def test_the_frame_goes_where_the_recorded_force_takes_it(tmp_path: Path) -> None:
    """Its displacement again, from the recorded force and the ground alone, by scipy."""
    short = ("trajectory.duration=0.75", "trajectory.ground_noise.rise=0.3", "trajectory.soft_stop=0.1")
    code, data = run(tmp_path, *short)
    assert code == 0, data.get("error") or data
    assert data["hybrid"]["samples"] == 768
    assert data["hybrid"]["tracking"]["nrmse"] < 0.1 and data["hybrid"]["stability"]["tripped"] is False
    assert list(data["hybrid"]["criteria"]) == [f"J{k}" for k in range(1, 10)]
    record, trajectory = read_run(Path(data["files"]["run"])), load(EXPERIMENT, list(short)).experiment.trajectory
    time, target, force = (record.channel("command", f"{name}") for name in ("model_time", "model_displacement", "restoring_force"))
    _, firsts = np.unique(time, return_index=True)  # the model stands while nothing comes in
    target, force = target[firsts], force[firsts][1:]
    assert len(force) == 768
    partition = Partition(scaled(trajectory.case, trajectory.scale), Specimen(0.0, 0.0, trajectory.stiffness))
    a, ground, b = partition.continuous()
    rate = data["rate_hz"]  # the device's, 1024.0007 Hz
    t = np.arange(769) / rate
    output = (np.eye(6)[:1], np.zeros((1, 1)))
    shaken = lsim((a, ground[:, None], *output), trajectory.acceleration(rate), t)[1]
    pushed = lsim((a, b[:, None], *output), np.append(force, 0.0), t, interp=False)[1]
    assert np.abs(shaken + pushed - target).max() < 1e-6 * np.abs(target).max()
    assert np.abs(shaken - target).max() > 0.1 * np.abs(target).max()  # the specimen counts


@pytest.mark.long
def test_a_loop_that_feeds_itself_is_stopped_with_its_reason_before_a_limit(tmp_path: Path) -> None:
    code, data = run(tmp_path, "trajectory.compensator=none", "trajectory.case=4")
    assert (code, data["outcome"]) == (1, "tripped"), data.get("error") or data
    assert data["hybrid"]["stability"]["tripped"] is True and data["hybrid"]["criteria"] is None
    assert any("the loop feeds itself" in event["text"] for event in data["events"])
    assert not any("interlock" in event["text"] for event in data["events"])
    record = read_run(Path(data["files"]["run"]))
    assert np.abs(record.channel("measured", "stroke")).max() < 2e-3  # of 4 mm at which its limit is
