"""Planar mechanisms, as their user meets them: what cannot be is refused or stopped by name, with numbers, and nothing is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rig.commands import main

EXPERIMENTS = Path(__file__).parents[3] / "configs/experiments"


def simulate(out: Path, name: str, *overrides: str) -> int:
    settings = [part for text in overrides for part in ("--set", text)]
    return main(["simulate", str(EXPERIMENTS / f"{name}.toml"), "--out", str(out), "--json", *settings])


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    ("name", "override", "said"),
    [
        ("six_bar", "mechanism.joints.B.start_x=1mm", ("joints.B.start_x", "begin 1 mm from", "the clearance, 0.1 mm")),
        ("six_bar", "mechanism.joints.B.start_y=-0.2mm", ("joints.B.start_y", "begin 0.2 mm from", "the clearance, 0.1 mm")),
        ("six_bar", "mechanism.bodies.link.vx=5m/s", ("bodies.link.vx", "cannot have 5 m/s", "joints and drives allow -1.55")),
        ("slider_crank", "mechanism.guide_clearance=20mm", ("guide_clearance", "less than 0.717 mm", "5 x 8 mm", "turn over")),
    ],
)
def test_what_cannot_be_built_is_refused(
    name: str, override: str, said: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate(tmp_path / "x.csv", name, override) == 2
    problem = told(capsys)["problems"][0]
    assert all(part in problem for part in said), problem
    assert not list(tmp_path.iterdir())


ENSEMBLE = ("simulate.duration=1ms", "simulate.ensemble.members=3", "simulate.ensemble.seed=1")


def test_members_of_an_ensemble_keep_the_joints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / "x.csv", "six_bar", *ENSEMBLE, "simulate.ensemble.state=0.01") == 0
    velocity = told(capsys)["ensemble"]["metrics"]["output_angular_velocity"]["max_abs"]
    assert 0.0 < velocity["high"] - velocity["low"] < 1e-2 * velocity["mean"]
    assert simulate(tmp_path / "y.csv", "six_bar", *ENSEMBLE, "simulate.ensemble.state=1000") == 2
    assert told(capsys)["problems"][0].startswith("simulate.ensemble.state: start: joint ")


def test_a_zero_has_no_sign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ideal = ("mechanism.clearance=0mm", "mechanism.guide_clearance=0mm", "simulate.duration=0.1ms", "simulate.output_rate=20kHz")
    spread = ("simulate.ensemble.members=2", "simulate.ensemble.seed=1", "simulate.ensemble.state=0.01")
    for overrides in (ideal, (*ideal[1:], *spread, "mechanism.speed=1rpm")):
        assert simulate(tmp_path / "x.csv", "slider_crank", *overrides) == 0
        text = capsys.readouterr().out
        assert json.loads(text)["metrics"]["joint_penetration"]["max_abs"] == 0.0
        assert "-0.0," not in text and "-0.0}" not in text
