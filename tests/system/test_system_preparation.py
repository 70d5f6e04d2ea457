"""The preparation before a test, from outside: what is refused, what is recorded, what a Ctrl-C in the middle of it does.

Deaths: test_system_preparation_deaths.py."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from bench_run import HEADLESS, LINKAGE, Running, first_words, rig

MOST = 0.05 * 250e3
LOCKSTEP = ("bench.pace=lockstep", "trajectory.cycles=4")
STROKE = (
    "command.mode=stroke", "trajectory.amplitude=0.6 mm", "trajectory.frequency=1 Hz",
    "command.value_limit=1 mm", "command.rate_limit=50 mm/s",
    "limits.transmitted_force.maximum=8 kN", "limits.transmitted_force.minimum=-60 kN", "limits.transmitted_force.action=stop",
)  # fmt: skip


def run(out: Path, *overrides: str, shown: tuple[str, ...] = HEADLESS) -> tuple[int, dict]:
    return rig("run", str(LINKAGE), *shown, "--out", str(out), *[word for text in overrides for word in ("--set", text)])


def test_a_bad_probe_is_refused_by_name(tmp_path: Path) -> None:
    """One; the others, sign, slack and a stuck valve among them: test_preparation_benches.py."""
    code, data = run(tmp_path, *LOCKSTEP, "bench.plant.faults.swapped=true", shown=("--headless",))
    assert (code, data["outcome"]) == (3, "failed"), data
    assert data["error"].startswith("preparation: swapped channels: ")
    assert first_words(data, "refused") == ["swapped channels"]
    assert data["duration_s"] == 0.0, "the test did not begin"
    with h5py.File(data["files"]["record"]) as file:
        assert file["entry"].attrs["complete"]
        recorded = file["entry/preparation/force"][...]
        assert len(file["entry/measured/transmitted_force"]) == 0
    assert len(recorded) == data["preparation"]["samples"] > 0
    assert np.max(np.abs(recorded)) == data["preparation"]["largest_force"] < MOST


def test_a_good_preparation_is_recorded_apart_and_leaves_the_test_alone(tmp_path: Path) -> None:
    code, data = run(tmp_path / "with", *LOCKSTEP)
    assert (code, data["outcome"]) == (0, "done"), data
    _, without = run(tmp_path / "without", *LOCKSTEP, "bench.loader.preparation.enabled=false")
    assert without["preparation"] is None
    assert data["preparation"]["lost_samples"] == 0
    assert data["streams"] == without["streams"], "not a sample of the test is another"
    steps = first_words(data, "preparation")
    assert steps == ["stroke probe", "seating", "force probe", "unloading"]
    with h5py.File(data["files"]["record"]) as file:
        group = file["entry/preparation"]
        assert len(group["force"]) == data["preparation"]["samples"]
        assert group["force"].attrs["units"] == "N"
    mine, other = (one["agreement"]["transmitted_force"] for one in (data, without))
    assert mine["impact_peak_measured"] == pytest.approx(other["impact_peak_measured"], rel=0.01)
    assert mine["first_impact_measured_s"] == pytest.approx(other["first_impact_measured_s"], abs=0.005 * mine["period_s"])


@pytest.mark.real_pace
@pytest.mark.soak
def test_ctrl_c_in_a_preparation_unloads_and_stops(tmp_path: Path) -> None:
    running = Running(tmp_path, "trajectory.cycles=200")
    running.wait_for_preparation(60_000)
    running.interrupt()
    code, data, _ = running.end()
    assert (code, data["outcome"]) == (0, "stopped"), data
    assert data["duration_s"] == 0.0
    with h5py.File(data["files"]["record"]) as file:
        force = file["entry/preparation/force"][...]
    assert np.max(np.abs(force)) < MOST
    assert abs(np.mean(force[-500:])) < 0.004 * 250e3
    said = [entry["text"] for entry in running.controller_log()]
    assert said[-1].startswith("parent") or "hydraulics off" in said


@pytest.mark.long
def test_the_limits_of_the_experiment_hold_in_a_preparation_as_well(tmp_path: Path) -> None:
    code, data = run(tmp_path, *LOCKSTEP, "limits.stroke.maximum=0.2 mm")
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert "stroke" in data["reason"] and "maximum" in data["reason"]
    assert data["duration_s"] == 0.0


@pytest.mark.long
def test_a_specimen_that_breaks_trips_the_test(tmp_path: Path) -> None:
    code, data = run(tmp_path, "bench.pace=lockstep", "trajectory.cycles=20", "bench.plant.faults.specimen_breaks_at=9 kN")
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert data["reason"].startswith("specimen broke: ")
    with h5py.File(data["files"]["record"]) as file:
        stroke = file["entry/measured/stroke"][...]
    assert np.max(np.abs(stroke)) < 5e-3, "before the stroke limit"


@pytest.mark.long
def test_a_loose_specimen_trips_a_test_without_preparation(tmp_path: Path) -> None:
    off = "bench.loader.preparation.enabled=false"
    code, data = run(tmp_path, *LOCKSTEP, off, "bench.plant.faults.slack=20 mm")
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert data["reason"].startswith("slack: ")


@pytest.mark.long
def test_a_stop_in_stroke_mode_stands_still_and_unloads(tmp_path: Path) -> None:
    code, data = run(tmp_path, *LOCKSTEP, *STROKE)
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert any(event["kind"] == "unloading" for event in data["events"])
    with h5py.File(data["files"]["record"]) as file:
        force, command = file["entry/measured/transmitted_force"][...], file["entry/command/value"][...]
    assert np.mean(force[-128:]) < 0.004 * 250e3 < 7e3 < np.max(force), "as the last decision saw it, at the end of a block"
    assert command[-1] > 0.3e-3, "not to zero stroke"
