"""Planar mechanisms, as their user meets them: what cannot be is refused or stopped by name, with numbers, and nothing is written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rig.commands import main

EXPERIMENTS = Path(__file__).parents[5] / "configs/experiments"


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
        ("slider_crank_flexible", "mechanism.rod.elements=100000", ("rod.elements", "at most 60, got 100000", "the work grows")),
        ("slider_crank_flexible", "mechanism.rod.damping=1s", ("rod.damping: 1 s", "steps for a second", "generalized_alpha")),
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


@pytest.mark.parametrize(
    ("name", "overrides"),
    [
        ("slider_crank", ()),
        ("slider_crank", ("mechanism.clearance_joint=crank_rod",)),
        ("four_bar", ("mechanism.contact.youngs_modulus=1.14 MPa", "simulate.duration=0.4s")),
        ("slider_crank_flexible", ("integrator.tolerance=1e-2",)),
        ("slider_crank_flexible", ("integrator.kind=leapfrog", "integrator.step=1us")),
        ("slider_crank_flexible", ("integrator.kind=generalized_alpha", "integrator.step=10us")),
    ],
)
def test_a_joint_that_is_crushed_stops_the_run(
    name: str, overrides: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    soft = ("mechanism.contact.youngs_modulus=1 kPa", "simulate.duration=0.6ms")
    assert simulate(tmp_path / "x.csv", name, *soft, *overrides) == 3
    problem = told(capsys)["problems"][0]
    where = r"(pin with clearance \(\w+\)|coupler-rocker joint)"
    assert re.match(rf"stopped at 0\.\d+ s: the {where} is crushed, 0\.5\d* mm, more than 5% ", problem), problem
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("override", ["mechanism.speed=1e9 rpm", "mechanism.contact.stiffness_scale=1e-9"])
def test_a_start_that_crushes_the_joint_is_refused(override: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / "x.csv", "four_bar", override) == 2
    problem = told(capsys)["problems"][0]
    assert re.match(
        r"at the start \(0 s\), under the [\d.e+]+ N .* the coupler-rocker joint is crushed, [\d.e+]+ mm, more than", problem
    ), problem


def test_a_number_that_is_none_stops_the_run_with_its_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from model.stepping.explicit import Stepper

    advance = Stepper.advance_with_extremes

    def broken(self: Stepper, samples: Any) -> Any:
        values, low, high = advance(self, samples)
        values[7, 1] = float("nan")
        return values, low, high

    monkeypatch.setattr(Stepper, "advance_with_extremes", broken)
    assert simulate(tmp_path / "x.csv", "slider_crank", "simulate.duration=0.1ms") == 3
    assert told(capsys)["problems"][0].startswith("stopped at 7e-05 s: crank_torque is not a finite number")


@pytest.mark.parametrize(
    ("name", "overrides", "said"),
    [
        ("four_bar", ("mechanism.coupler_inertia=1e-6 kg*m^2",), ("mechanism.coupler_inertia: 1e-06 kg m^2", "0.00256: no body has that")),
        ("four_bar", ("mechanism.rocker_inertia=1e-4 kg*m^2", "mechanism.clearance=0mm"), ("mechanism.rocker_inertia", "no body has that")),
        (
            "slider_crank_flexible",
            ("integrator.kind=generalized_alpha", "integrator.step=1ms"),
            ("integrator.step: 10 us is taken in place of 1000 us", "contact at 10 kN lasts some"),
        ),
    ],
)
def test_what_is_doubtful_is_told(
    name: str, overrides: tuple[str, ...], said: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate(tmp_path / "x.csv", name, "simulate.duration=0.2ms", *overrides) == 0
    warnings = " ".join(told(capsys)["warnings"])
    assert all(part in warnings for part in said), warnings


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
