"""Tables of a list in `--set`: by name, by two names where one is not enough, by number; an unknown one is told those there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.files.plain_values import Json
from rig.config import load
from rig.config.transport import to_json
from tests.each_row import each_row
from tests.unit.rig.config.told_problems import problem_of

EXPERIMENTS = Path(__file__).parents[4] / "configs" / "experiments"
PARALLEL, SIX_BAR = "parallel_3rrpar_rig", "six_bar_rig"


def value_at(name: str, override: str, place: str) -> Json:
    """What stands at `place`, with numbers for items, as `bench.channels.2.range`."""
    setup = load(EXPERIMENTS / f"{name}.toml", [override] if override else [])
    at: Json = to_json(setup.experiment) | {"bench": to_json(setup.bench)}
    for key in place.split("."):
        at = at[int(key)] if isinstance(at, list | tuple) else at[key]
    return at


@each_row(
    ("name", "override", "place", "value"),
    [
        ("linkage", "bench.channels.stroke.sensor.noise=1 um", "bench.channels.2.sensor.noise", 1e-6),
        ("linkage", "bench.channels.2.sensor.noise=1 um", "bench.channels.2.sensor.noise", 1e-6),
        ("linkage", "limits.stroke.maximum=1 mm", "limits.1.maximum", 1e-3),
        (PARALLEL, "bench.axes.axis2.rate=50 Hz", "bench.axes.1.rate", 50.0),
        (SIX_BAR, "bench.plant.axes.motor.flywheel=0.5 kg*m^2", "bench.plant.axes.0.flywheel", 0.5),
        ("wave_shapes", "trajectory.segments.shapes.segments.square.cycles=4", "trajectory.segments.1.segments.1.cycles", 4),
        (PARALLEL, "comparison.criteria.ay:band_level.tolerance=0.2", "comparison.criteria.2.tolerance", 0.2),
        (PARALLEL, "comparison.criteria.nrms:ay.tolerance=0.2", "comparison.criteria.1.tolerance", 0.2),
        (SIX_BAR, "comparison.budget.spread.clearance.absolute=3 um", "comparison.budget.spread.0.absolute", "3 um"),
    ],
)
def test_an_item_goes_by_its_name(name: str, override: str, place: str, value: Json) -> None:
    assert value_at(name, "", place) != value
    assert value_at(name, override, place) == value


@pytest.mark.parametrize(
    ("name", "override", "which", "there"),
    [
        ("linkage", "limits.nosuch.maximum=1", "none is called 'nosuch' in limits", "transmitted_force, stroke, actuator_force (or 0 to 2"),
        ("linkage", "limits.3.maximum=1", "none is called '3' in limits", "transmitted_force, stroke, actuator_force (or 0 to 2"),
        (SIX_BAR, "bench.plant.axes.crank.flywheel=1", "none is called 'crank' in plant.axes", "motor (or 0"),
        (PARALLEL, "comparison.criteria.ay.tolerance=1", "several are called 'ay'", "ax, ay:nrms, ay:band_level, az (or 0 to 3"),
        (
            "fatigue",
            "limits.stroke.maximum=3 mm",
            "several are called 'stroke'",
            "0, surprise, damage, transmitted_force, 4, actuator_force (or",
        ),
        (PARALLEL, "comparison.budget.doubt.clearance.times=3", "none is called 'clearance'", "0, 1, 2, 3, 4 (or 0 to 4"),
    ],
)
def test_of_an_unknown_one_those_there_are_are_told(name: str, override: str, which: str, there: str) -> None:
    problem = problem_of(load, EXPERIMENTS / f"{name}.toml", [override])
    assert problem.startswith(f"--set {override}: {which}")
    assert f"; there are {there}" in problem and problem.endswith(" by number)")
