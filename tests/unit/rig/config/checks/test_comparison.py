"""What the comparison of an experiment asks for, and cannot mean."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rig.comparison import METRICS
from rig.config import load
from rig.config.checks import comparison
from rig.config.experiment import DEVIATIONS, METRIC_UNITS, REACHED
from rig.report.overlay import loss_angles
from tests.unit.rig.config.told_problems import problem_of

EXPERIMENT = Path(__file__).parents[5] / "configs" / "experiments" / "linkage.toml"


def said_of(key: str, *overrides: str) -> list[str]:
    return [line for line in load(EXPERIMENT, overrides).warnings if key in line]


def test_metrics_that_are_shares_are_those_shown_in_per_cent() -> None:
    assert {*DEVIATIONS} == {name for name, metric in METRICS.items() if "%" in metric.unit and not metric.at_least}
    assert {*REACHED} == {name for name, metric in METRICS.items() if "%" in metric.unit and metric.at_least}


def test_a_tolerance_takes_the_unit_of_its_metric() -> None:
    """Shown in ms is what is given in s."""
    assert {name for name, metric in METRICS.items() if "%" not in metric.unit} == {*METRIC_UNITS}
    given = {"phase": ("0.5 deg", 0.5), "delay": ("2 ms", 2e-3), "impact_time": ("3 ms", 3e-3), "nrms": ("5 %", 0.05)}
    tables = ", ".join(f'{{channel="stroke", metric="{name}", tolerance="{text}"}}' for name, (text, _) in given.items())
    made = load(EXPERIMENT, [f"comparison.criteria=[{tables}]"]).experiment.comparison.criteria
    assert {one.metric: one.tolerance for one in made} == pytest.approx({name: number for name, (_, number) in given.items()})
    wrong = problem_of(load, EXPERIMENT, ['comparison.criteria.phase.tolerance="2 ms"'])
    assert wrong.endswith('expected a quantity in deg such as "1 deg", got "2 ms" (a time)')
    listed = problem_of(load, EXPERIMENT, ['comparison.criteria=[{channel="stroke", metric=["nrms"], tolerance=0.1}]'])
    assert "comparison.criteria[0].metric: expected one of" in listed


@pytest.mark.parametrize(("given", "told"), [("3", True), ("1", True), ("0.999", False), ("3 %", False)])
def test_a_tolerance_beyond_the_whole_is_told(given: str, told: bool) -> None:
    found = said_of(".tolerance", f'comparison.criteria.nrms.tolerance="{given}"')
    number = f"{float(given.rstrip(' %')):g}"
    words = f'transmitted_force nrms: {number} is a share, {number}00 %, so that hardly any model fails; for per cent give "{number} %"'
    assert found == ([f"comparison.criteria[6].tolerance: {words}"] if told else [])


@pytest.mark.parametrize(("given", "told"), [("95", True), ("1", False)])
def test_a_share_that_cannot_be_reached_is_told(given: str, told: bool) -> None:
    found = said_of(".tolerance", f"comparison.criteria.within_5_percent.tolerance={given}")
    assert bool(found) == told
    assert all("9500 %, so that no model holds it" in line for line in found)


def test_what_is_no_share_may_be_of_any_size_but_none() -> None:
    assert not said_of(".tolerance", "comparison.criteria.phase.tolerance=3")
    (told,) = said_of(".tolerance", "comparison.criteria.phase.tolerance=0")
    assert told.endswith("transmitted_force phase: expected more than 0, got 0, so that no model holds it")


@pytest.mark.parametrize(("given", "told"), [(2.4, False), (14.9, False), (15, True), (300, True)])
def test_a_contact_loss_may_not_be_looked_for_all_around(given: float, told: bool) -> None:
    """Losses further apart than that are not compared (`rig/report/overlay/loss_angles.py`)."""
    assert math.radians(comparison.NEAR) == loss_angles.NEAR
    found = load(EXPERIMENT.with_name("four_bar_rig.toml"), [f"comparison.criteria.contact_loss.tolerance={given}"]).warnings
    said = f"acceleration contact_loss: expected less than 15 deg, within which losses are of the same place; got {given:g} deg"
    assert any(said in line for line in found) is told


@pytest.mark.parametrize(("given", "told"), [("30 kHz", True), ("25.6 kHz", True), ("25 kHz", False), ("none", False)])
def test_a_lowpass_that_the_rate_cannot_hold_is_told_before_the_test(given: str, told: bool) -> None:
    """At 51.2 kHz."""
    found = said_of("comparison.lowpass", f"comparison.lowpass={given}")
    assert bool(found) == told
    assert all("less than half of acquisition.rate, 25600 Hz; got " in line and "nothing will be filtered" in line for line in found)


def test_two_tolerances_for_the_same_are_refused() -> None:
    override = 'comparison.criteria=[{channel="stroke", metric="nrms", tolerance=0.03}, {channel="stroke", metric="nrms", tolerance=0.05}]'
    said = "stroke nrms: expected one tolerance, got 0.03 (comparison.criteria[0]) and 0.05; leave one of them out"
    assert problem_of(load, EXPERIMENT, [override]).endswith(f"comparison.criteria[1]: {said}")
    for harmless in (override.replace("nrms", "max", 1), override.replace("0.03", "0.05")):
        assert len(load(EXPERIMENT, [harmless]).experiment.comparison.criteria) == 2
