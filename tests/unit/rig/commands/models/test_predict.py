"""`rig predict`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rig.commands import main

EXPERIMENT = "configs/experiments/four_bar.toml"
FLAT = ("--set", "mechanism.gravity=0 m/s^2", "--set", "mechanism.clearance=0.2 mm")


def predicted(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["predict", EXPERIMENT, "--json", *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_json_has_every_criterion_as_published(capsys: pytest.CaptureFixture[str]) -> None:
    found = predicted(capsys)
    assert (found["gravity"], found["clearance"], found["simultaneity_tolerance_deg"]) == (9.81, pytest.approx(1e-4), 3.0)
    assert [entry["angle_deg"] for entry in found["earles_wu"]] == pytest.approx([98.297417, 260.739612, 341.211805], abs=1e-5)
    assert [entry["force_N"] for entry in found["earles_wu"]] == pytest.approx([3.182148, 6.249059, 1.554720], abs=1e-5)
    assert [entry["value"] for entry in found["earles_wu"]] == pytest.approx([29.48, 2.309, 312.7], rel=5e-4)
    assert min(abs(angle - 339.908383) for angle in found["zeros_aq_deg"]) < 1e-5
    assert min(abs(angle - 342.134406) for angle in found["zeros_br_deg"]) < 1e-5
    predictions = found["predictions_deg"]
    assert predictions["earles_wu"] == pytest.approx([98.297417, 260.739612, 341.211805], abs=1e-5)
    assert predictions["li_bai"] == pytest.approx([341.211805], abs=1e-5)
    assert predictions["critical_points"] == pytest.approx([341.0214], abs=1e-3)
    assert found["validity"]["Rc_alpha1_max"] == pytest.approx(2.95, abs=0.05)
    assert set(found["validity"]) == {"Rc_alpha1_max", "Rc_F1_over_F_max"}
    assert any("first-order expansion" in warning and "not valid" in warning for warning in found["warnings"])


def test_settings_reach_every_criterion(capsys: pytest.CaptureFixture[str]) -> None:
    found = predicted(capsys, *FLAT, "--simultaneity", "0.1", "--revolutions", "0.5", "--epsilon", "0.01")
    predictions = found["predictions_deg"]
    assert predictions["massless_link"] == pytest.approx([344.2335], abs=1e-3)
    assert predictions["full_contact"][0] == pytest.approx(344.33, abs=0.05)
    assert (predictions["critical_points"], found["simultaneity_tolerance_deg"]) == ([], 0.1)
    assert predictions["li_bai"] == []
    assert found["nearest_pair_deg"]["br"] - found["nearest_pair_deg"]["aq"] > 0.1
    slow = predicted(capsys, *FLAT, "--set", "mechanism.speed=100 rpm")
    assert [e["force_N"] for e in slow["earles_wu"]] == pytest.approx([e["force_N"] / 9.0 for e in found["earles_wu"]], rel=1e-9)


def test_a_contact_that_cannot_be_started_silences_two_criteria_only(capsys: pytest.CaptureFixture[str]) -> None:
    for setting in ("mechanism.start_angle=340 deg", "mechanism.clearance=0 mm"):
        found = predicted(capsys, "--set", setting)
        assert found["predictions_deg"]["massless_link"] == found["predictions_deg"]["full_contact"] == []
        assert len(found["predictions_deg"]["earles_wu"]) == 3
        assert any(setting.split("=")[0].split(".")[1] in warning for warning in found["warnings"])


def test_an_inertia_that_no_body_has_is_pointed_out(capsys: pytest.CaptureFixture[str]) -> None:
    found = predicted(capsys, "--set", "mechanism.coupler_inertia=884e-6 kg*m^2")
    assert any("coupler_inertia" in warning for warning in found["warnings"])
    assert not any("rocker_inertia" in warning for warning in found["warnings"])


def test_the_text_and_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "loss.png"
    assert main(["predict", EXPERIMENT, "--plot", str(picture)]) == 0
    said = capsys.readouterr()
    for words in ("98.2974", "Zeros of aq", "simultaneous means within 3 deg", "Earles-Wu", "Li-Bai", "massless link", "full contact"):
        assert words in said.out
    assert "not valid at crank angles 332 to 349 deg" in said.err
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 50_000


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--simultaneity", "-1"), "--simultaneity"),
        (("--simultaneity", "nan"), "--simultaneity"),
        (("--revolutions", "0"), "--revolutions"),
        (("--epsilon", "-2"), "epsilon"),
        (("--plot", "loss.txt"), "--plot"),
        (("--plot", "/no/such/folder/loss.png"), "--plot"),
        (("--set", "mechanism.crank_length=150 mm"), "cannot close at crank angle 180 deg"),
        (("--set", "mechanism.crank_length=120 mm"), "dead point"),
        (("--set", "mechanism.rocker_mass=-1 kg"), "mechanism.rocker_mass"),
        (("--set", "mechanism.clearance=10 mm"), "mechanism.clearance"),
        (("--set", "integrator.tolerance=0"), "integrator.tolerance"),
        (("--set", "integrator.kind=rk4", "--set", "integrator.step=0.5 ms"), "integrator.step"),
    ],
)
def test_what_cannot_be_is_refused_by_name(arguments: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", EXPERIMENT, *arguments]) == 2
    assert named in capsys.readouterr().err


def test_another_mechanism_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "configs/experiments/linkage.toml"]) == 2
    assert "'four_bar'" in capsys.readouterr().err


def test_simulate_writes_the_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "motion.csv"
    assert main(["simulate", EXPERIMENT, "--out", str(table), "--json", *FLAT, "--set", "simulate.duration=0.1 s"]) == 0
    found = json.loads(capsys.readouterr().out)
    head, first, *_ = table.read_text().splitlines()
    assert head == (
        "time[s],crank_angle[rad],coupler_angle[rad],rocker_angle[rad],joint_force[N],joint_force_angle[rad],in_contact[1],"
        "acceleration[m/s^2],joint_force_max[N],acceleration_max[m/s^2]"
    )
    assert [float(value) for value in first.split(",")[:2]] == pytest.approx([0.0, 4.18879020479])
    ended = next(event for event in found["events"] if event["kind"] == "contact_end")
    assert 240.0 + 1800.0 * ended["time_s"] == pytest.approx(344.33, abs=0.05)
    assert ended["where"] == "coupler-rocker joint"
