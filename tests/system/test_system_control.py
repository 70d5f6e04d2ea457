"""Outer loops on the virtual bench: what was asked is what is achieved, and the model still agrees. The campaign has all seeds."""

from __future__ import annotations

import numpy as np
import pytest
from control_runs import assert_settled, lockstep


def test_amplitude_mean_and_phase_reach_what_was_asked_and_the_model_follows() -> None:
    code, data = lockstep("linkage_amplitude", "trajectory.cycles=13", "trajectory.mean=5 kN", "bench.seed=3")
    assert (code, data["verdict"]["result"]) == (0, "pass"), data["verdict"]["reason"]
    first = data["control"]["cycles"][0]
    assert abs(first["amplitude_error"]) > 0.03  # the loop by itself does not reach it
    assert first["phase_error_deg"] < -10.0
    assert_settled(data)
    columns = data["columns"]
    assert {"requested", "amplitude_correction", "phase_correction", "mean_correction"} <= set(columns)
    last = columns["cycle"] == 12.0
    assert np.allclose(np.ptp(columns["requested"][last]), 60e3, rtol=1e-4)
    recorded, told = np.mean(columns["amplitude_correction"][last]), data["control"]["last"]["amplitude_correction"]
    assert np.isclose(recorded, told, atol=2e-4)
    assert np.max(np.abs(np.diff(columns["value"]))) * data["rate_hz"] <= 2e6


@pytest.mark.long
def test_an_amplitude_that_cannot_be_reached_stops_where_that_is_asked_for() -> None:
    code, data = lockstep("linkage_amplitude", "trajectory.cycles=20", "control.unreachable=stop", "control.cap=0.02")
    assert (code, data["outcome"]) == (1, "tripped")
    assert "unreachable" in data["reason"]
    assert "cap, +2%" in data["reason"]
    rows, columns = data["control"]["cycles"], data["columns"]
    for row in rows:  # what is told is what went out
        last = np.flatnonzero(columns["cycle"] == row["cycle"])[-1]
        assert np.isclose(row["amplitude_correction"], columns["amplitude_correction"][last], rtol=0.0, atol=1e-12)
        assert np.isclose(row["mean_correction"], columns["mean_correction"][last], rtol=0.0, atol=1e-9)
        assert abs(row["amplitude_correction"]) <= 0.02 + 1e-12
        assert abs(row["mean_correction"]) <= 0.02 * 30e3 + 1e-9
    named = next(row for row in rows if f"cycle {row['cycle']}: unreachable" in data["reason"])
    assert named["learned"]
    assert named["amplitude"] > rows[0]["amplitude"]  # what is called reached was reached with the correction, not while it came in
    assert len(rows) < 12  # it did not go on to the end
    assert any(event["kind"] == "control" and "unreachable" in event["text"] for event in data["events"])


@pytest.mark.long
def test_a_valve_that_is_far_too_slow_is_named_with_what_it_reached() -> None:
    slow = ("trajectory.cycles=8", "bench.plant.hydraulics.full_speed=0.03 m/s")
    code, data = lockstep("linkage_amplitude", *slow, "control.unreachable=stop")
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert "unreachable amplitude: 30000 about 0 N asked, 4" in data["reason"]
    assert "cap of the correction 15%" in data["reason"]
    assert len(data["control"]["cycles"]) < 6


@pytest.mark.long
def test_a_drive_is_iterated_as_predicted() -> None:
    short = ("trajectory.duration=2 s", "trajectory.soft_start=0.5 s", "trajectory.soft_stop=0.5 s", "control.identification.duration=4 s")
    code, data = lockstep("linkage_random", *short, "control.identification.soft=0.5 s", "control.iterations=1", "control.tolerance=0.12")
    control = data["control"]
    assert (code, control["verdict"]) == (0, "reached"), data.get("reason")
    assert control["identification"]["coherence_min"] > 0.99
    assert control["identification"]["contraction_expected"] < 0.51
    for row in control["iterations"][1:]:
        assert abs(row["contraction_measured"] - row["contraction_predicted"]) < 0.02, row
    assert len(data["runs"]) == len(control["iterations"]) + 1
