"""`rig simulate`: table, metrics, events, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from rig.commands import main

EXPERIMENT = str(Path(__file__).parents[5] / "configs/experiments/linkage.toml")
OPEN = ("mechanism.load_source=flow_limited", "trajectory.cycles=3")


def simulate(out: Path, *overrides: str) -> int:
    return main(["simulate", EXPERIMENT, "--out", str(out), "--json", *(part for text in overrides for part in ("--set", text))])


def result(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_columns_grid_and_metrics_of_an_open_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / "x.csv", *OPEN, "simulate.output_rate=10 kHz") == 0
    found = result(capsys)
    with (tmp_path / "x.csv").open(encoding="utf-8") as file:
        head = next(csv.reader(file))
        table = np.loadtxt(file, delimiter=",")
    assert head[:9] == [
        "time[s]", "command[N]", "transmitted_force[N]", "joint_a_force[N]", "joint_b_force[N]", "stroke[m]",
        "acceleration_1[m/s^2]", "acceleration_2[m/s^2]", "acceleration_3[m/s^2]",
    ]  # fmt: skip
    assert table[:, 0] == pytest.approx(np.arange(10001) / 10e3)
    assert table[:, 1] == pytest.approx(10e3 * np.sin(2 * np.pi * 3 * table[:, 0]), abs=1e-6)
    assert np.all(table[0, 1:] == 0.0)
    largest = table[:, head.index("joint_a_force_max[N]")]
    assert np.all(largest >= np.abs(table[:, 3]) - 1e-6)
    force = found["metrics"]["transmitted_force"]
    assert (force["max_abs"], force["reversal_peak"], force["overshoot"]) == pytest.approx((11937, 11937, 9404), rel=0.02)
    assert found["metrics"]["joint_a_force"]["reversal_peak"] == pytest.approx(14480, rel=0.05)
    assert largest[table[:, 0] > 2 / 3].max() == pytest.approx(found["metrics"]["joint_a_force"]["max_abs"], rel=1e-9)
    assert found["metrics"]["stroke"]["reversal_peak"] is None
    assert found["rtf"] > 0.0
    assert {event["kind"] for event in found["events"]} == {"contact_start", "contact_end"}
    assert all((event["approach_speed"] is None) == (event["kind"] == "contact_end") for event in found["events"])


def test_a_coarse_grid_gives_the_same_metrics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    peaks = []
    for rate in ("1 kHz", "100 kHz"):
        assert simulate(tmp_path / "x.h5", *OPEN, f"simulate.output_rate={rate}") == 0
        peaks.append(result(capsys)["metrics"]["joint_b_force"]["reversal_peak"])
    assert peaks[0] == pytest.approx(peaks[1], rel=1e-6)


def test_servo_uses_its_own_window_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / "x.h5", "trajectory.cycles=4", "simulate.output_rate=20 kHz") == 0
    found = result(capsys)
    assert found["metrics"]["transmitted_force"]["overshoot"] == pytest.approx(1344, rel=0.005)
    assert found["metrics"]["transmitted_force"]["max_abs"] == pytest.approx(10367, rel=5e-4)
    assert any("reversal_peak has no meaning" in warning for warning in found["warnings"])
    with h5py.File(tmp_path / "x.h5") as file:
        assert file["entry/predicted/transmitted_force"].attrs["units"] == "N"
        assert len(file["entry/time"]) == len(file["entry/command/value"]) == len(file["entry/predicted/stroke"])
        assert file["entry/events"]["time"][0] == found["events"][0]["time_s"]


def test_nothing_left_after_the_discarded_cycles_is_null_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / "x.h5", "trajectory.cycles=1", "simulate.duration=0.1 s", "simulate.output_rate=10 kHz") == 0
    found = result(capsys)
    assert set(found["metrics"]["transmitted_force"].values()) == {None}
    assert any("no metrics" in warning for warning in found["warnings"])


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("integrator.tolerance=0", "tolerance"),
        ("mechanism.contact.law=newton", "law"),
        ("mechanism.contact.restitution=0", "restitution"),
        ("mechanism.contact.restitution=1.2", "restitution"),
        ("mechanism.clearance=40 mm", "pin"),
        ("mechanism.friction=0.1", "friction"),
        ("mechanism.middle_mass=-3 kg", "middle_mass"),
    ],
)
def test_bad_settings_are_refused_and_leave_no_file(override: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / "x.csv", override) == 2
    found = capsys.readouterr()
    assert said in found.err
    assert "Traceback" not in found.err
    assert list(tmp_path.iterdir()) == []


def test_a_step_above_the_stability_limit_is_refused_with_the_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / "x.csv", "integrator.kind=rk4", "integrator.step=0.5 ms") == 2
    assert "above the stability limit" in capsys.readouterr().err


def test_a_run_that_diverges_stops_with_its_time_and_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = ("mechanism.servo.proportional=1", "mechanism.servo.supply_force=1e15", "mechanism.servo.spool_limit=1e9")  # unstable, unlimited
    assert simulate(tmp_path / "x.csv", "mechanism.clearance=0", *loop) == 3
    assert "stopped at" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.txt", "nowhere/x.csv"])
def test_a_file_that_cannot_be_is_refused_first(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / name) == 2
    assert "--out" in capsys.readouterr().err
