"""A preparation that must trip a limit of the experiment is refused before anything moves, with both numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rig.config import load
from rig.config.checks import preparation
from tests.unit.rig.config.told_problems import problem_of

EXPERIMENT = Path(__file__).parents[5] / "configs" / "experiments" / "linkage.toml"
SMALL = ("trajectory.amplitude=1 kN",)
CASES = [
    (["limits.transmitted_force.maximum=7.4 kN"], "7400 N", "7500 N"),
    (["limits.transmitted_force.minimum=-7.4 kN", "bench.loader.preparation.preload=-0.02"], "-7400 N", "-7500 N"),
    (["limits.actuator_force.maximum=7.4 kN"], "7400 N", "7500 N"),
    (["limits.stroke.maximum=0.05 mm"], "5e-05 m", "0.0001 m"),
    (["limits.stroke.minimum=-0.05 mm"], "-5e-05 m", "-0.0001 m"),
    (["limits.stroke.rate=0.5 mm/s"], "0.0005 m/s", "0.001 m/s"),
]


@pytest.mark.parametrize(("overrides", "limit", "reached"), CASES)
def test_refused_with_both_numbers(overrides: list[str], limit: str, reached: str) -> None:
    problem = problem_of(load, EXPERIMENT, [*SMALL, *overrides])
    assert overrides[0] in problem
    assert f"is limited to {limit}, and the preparation before the test goes to {reached} (" in problem
    load(EXPERIMENT, [*SMALL, *overrides, "bench.loader.preparation.enabled=false"])


def test_limits_act_on_gross_as_well() -> None:
    setup = load(EXPERIMENT, [*SMALL, "limits.transmitted_force.maximum=10 kN"])
    force, *others = setup.bench.channels
    tared = replace(force, sensor=replace(force.sensor, tare=3e3))
    (problem,) = preparation.problems(setup.experiment, replace(setup.bench, channels=(tared, *others)))
    assert "limited to 10000 N" in problem.text
    assert "goes to 10500 N" in problem.text


@pytest.mark.parametrize(
    "overrides",
    [
        ["limits.transmitted_force.maximum=7.5 kN"],
        ["limits.transmitted_force.maximum=5 kN", "bench.loader.preparation.preload=0.01", "bench.loader.preparation.force_probe=0.005"],
        ["limits.stroke.maximum=0.05 mm", "mechanism.clearance=0 mm"],  # turns as soon as the specimen resists
    ],
)
def test_what_need_not_trip_is_not_refused(overrides: list[str]) -> None:
    load(EXPERIMENT, [*SMALL, *overrides])


def test_a_limit_that_only_indicates_is_no_hindrance() -> None:
    load(EXPERIMENT, [*SMALL, "limits.actuator_force.channel=transmitted_force", "limits.2.maximum=2 kN", "limits.2.action=indicate"])
