"""What only both files together can tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.comparison import METRICS
from rig.config import experiment as experiment_module
from rig.config import load
from tests.each_row import each_row
from tests.unit.rig.config.told_problems import problem_of, problems_of

ROOT = Path(__file__).parents[5]
EXPERIMENT = ROOT / "configs" / "experiments" / "linkage.toml"


def only_problem(*overrides: str) -> str:
    return problem_of(load, EXPERIMENT, overrides)


def test_metrics_of_criteria_are_those_that_are_computed() -> None:
    assert set(experiment_module.METRICS) == set(METRICS)


@pytest.mark.parametrize("source", ["transmitted_force", "joint_a_force"])
def test_a_predicted_channel_is_refused_as_the_predictors_input(source: str) -> None:
    said = only_problem(f"predictor.source={source}")
    assert said.endswith("so it cannot be the predictor's input; expected one of command, stroke, actuator_force")


def test_a_source_is_refused_when_it_is_compared() -> None:
    said = only_problem("predictor.source=stroke", "comparison.criteria.nrms.channel=stroke")
    assert "stroke is predicted and compared" in said
    assert load(EXPERIMENT, ["predictor.source=stroke"]).experiment.predictor.source == "stroke"


def test_a_source_that_nobody_knows_or_that_is_not_wired() -> None:
    assert only_problem("predictor.source=nosuch").endswith("expected one of command, stroke, actuator_force; got 'nosuch'")
    said = only_problem("predictor.source=actuator_force", "bench.channels.actuator_force.name=pressure", "limits.2.channel=command")
    assert "the bench has no channel actuator_force; it has transmitted_force, pressure" in said


def test_amplitude_over_the_load_cells_capacity() -> None:
    said = only_problem("trajectory.amplitude=20 kN", "bench.channels.transmitted_force.sensor.capacity=15 kN")
    assert said.startswith("--set trajectory.amplitude=20 kN: the trajectory reaches -20000..20000 N")
    assert "the capacity of the sensor of transmitted_force (-15000..15000 N)" in said


def test_amplitude_over_what_the_input_can_show() -> None:
    said = only_problem("trajectory.amplitude=20 kN", "bench.channels.transmitted_force.range=0.5 V")
    assert "what the input transmitted_force can show at a range of 0.5 V (-12500..12500 N)" in said


def test_a_trajectory_beyond_several_bounds_is_one_problem_of_value_and_one_of_rate() -> None:
    value, rate = problems_of(load, EXPERIMENT, ["trajectory.amplitude=300 kN"])
    for name in ("capacity of the sensor", "loader's full scale", "command.value_limit", "limit on transmitted_force"):
        assert name in value
    assert "command.rate_limit (2e+06 N/s)" in rate


def test_the_rate_of_a_trajectory_is_bounded() -> None:
    assert "command.rate_limit" in only_problem("trajectory.frequency=100 Hz")


def test_a_limit_below_the_amplitude() -> None:
    assert "the limit on transmitted_force (-60000..8000 N)" in only_problem("limits.transmitted_force.maximum=8 kN")


def test_a_mean_needs_a_soft_start_and_stop() -> None:
    begin = only_problem("trajectory.mean=1 kN", "trajectory.soft_start=0")
    assert "the trajectory begins at 1000 N, expected 0; give a soft_start" in begin
    for key in ("cycles=1000000000000000000", "frequency=1e-12 Hz", "soft_start=1e12 s"):
        assert "trajectory: it lasts" in (lasts := only_problem(f"trajectory.{key}")) and "expected at most 1e+08 s, three years" in lasts
    end = only_problem("trajectory.mean=1 kN", "trajectory.soft_stop=0")
    assert "the trajectory ends at 1000 N, expected 0; give a soft_stop" in end


@each_row(
    ("overrides", "said"),
    [
        (["acquisition.block=7.77 ms"], "expected a whole number of samples, got 0.00777 s x 51200 Hz = 397.824"),
        (["command.ahead=15 ms"], "command.ahead=15 ms: expected at least 2 blocks, 0.02 s; got 0.015 s"),
        (["limits.actuator_force.channel=nosuch"], "the bench has no channel 'nosuch'; it has transmitted_force"),
        (["comparison.criteria.nrms.channel=nosuch"], "the bench has no channel 'nosuch'"),
        (["comparison.criteria.nrms.channel=sample_code"], "sample_code is not predicted; predicted are"),
        (["limits.actuator_force.minimum=90 kN"], "minimum 90000 N is not below maximum 80000 N"),
        (["limits.stroke.action=indicate"], "armed limits (action stop or interlock) on stroke; missing: minimum, maximum, rate"),
        (["bench.channels.stroke.terminal=Dev1/ai0"], "'Dev1/ai0' is used by channel transmitted_force already"),
        (["bench.loader.force_channel=nosuch"], "expected one of the channels transmitted_force"),
        (["bench.channels.stroke.sensor.sensitivity=0"], "expected a quantity for one volt, got 0"),
        (["bench.channels.stroke.sensor.expires=soon"], "expected a date such as 2026-05-31, got 'soon'"),
        (["mechanism.contact.restitution=0"], "got 0"),
        (["mechanism.contact.restitution=1.2"], "got 1.2"),
        (["mechanism.clearance=60 mm"], "less than the pin's radius"),
        (["bench.plant.clearance=60 mm"], "swallows the pin"),
        (["mechanism.contact.law=nosuch"], "mechanism.contact.law=nosuch: expected one of hertz, hunt_crossley"),
        (["comparison.alternative_law=nosuch"], "unknown contact law 'nosuch'; expected one of"),
        (["mechanism.clearance=-1 mm"], "clearance"),
    ],
)  # fmt: skip
def test_each_is_one_clear_problem(overrides: list[str], said: str) -> None:
    assert said in only_problem(*overrides)


def test_a_restitution_of_one_is_allowed() -> None:
    assert load(EXPERIMENT, ["mechanism.contact.restitution=1"]).experiment.mechanism.contact.restitution == 1.0


def test_an_encoder_channel_with_other_lines_than_the_virtual_encoder_is_warned_of() -> None:
    for lines, said in ((5000, 0), (2500, 1)):
        warnings = load(EXPERIMENT.with_name("six_bar_rig.toml"), [f"bench.channels.crank_angle.counter.pulses={lines}"]).warnings
        told = [line for line in warnings if "encoder in this virtual bench" in line]
        assert len(told) == said
        assert all("counter.pulses is 2500" in line and "5000 lines" in line and "shown as 2" in line for line in told)


def test_an_encoder_that_begins_elsewhere_than_the_model_is_warned_of() -> None:
    """At 90 deg the crank of the six-bar begins; what the encoder says of it is as good a turn later."""
    six_bar = EXPERIMENT.with_name("six_bar_rig.toml")
    said = load(six_bar, ["bench.channels.crank_angle.counter.initial=30 deg"]).warnings
    assert [line for line in said if "initial is 30 deg, but the model's shaft begins at 90 deg" in line]
    for right in ("90 deg", "450 deg"):
        assert not [line for line in load(six_bar, [f"bench.channels.crank_angle.counter.initial={right}"]).warnings if "initial" in line]


def test_a_budget_of_keys_that_are_none_or_laws_or_values_that_cannot_be() -> None:
    for override, said in (
        ("comparison.budget.spread.0.key=clearence", "clearence: the mechanism has no such quantity; did you mean clearance?"),
        ("comparison.budget.spread.0.absolute=2 kg", "2 kg"),
        ("comparison.budget.laws=['plasticine']", "plasticine"),
        ("comparison.budget.doubt.0.times=-1", "clearance = -0.0004"),
    ):
        assert said in only_problem(override)


def test_a_number_that_is_tried_as_nothing_is_no_fault_of_its_budget() -> None:
    four_bar = EXPERIMENT.with_name("four_bar_rig.toml")
    assert load(four_bar, ["mechanism.friction=0"]).experiment.mechanism is not None


@pytest.mark.parametrize(("speed", "told"), [("400 rpm", True), ("300 rpm", False)])
def test_a_shaft_that_turns_faster_than_its_limit_allows_is_warned_of(speed: str, told: bool) -> None:
    """40 rad/s are allowed."""
    lines = load(EXPERIMENT.with_name("four_bar_rig.toml"), [f"trajectory.speed={speed}", "command.rate_limit=500 rpm"]).warnings
    said = "limits[0].maximum: speed at most 40 rad/s, and the trajectory turns at 41.8879 rad/s, so that the test will be stopped"
    assert [line for line in lines if line.startswith("limits")] == ([f"{said}; expected a higher limit or less speed"] if told else [])


@pytest.mark.parametrize(("given", "told"), [("25 mm", True), ("19 mm", False)])
def test_a_clearance_that_no_joint_has_is_warned_of(given: str, told: bool) -> None:
    overrides = [f"mechanism.clearance={given}", "mechanism.bearing_radius=60 mm"]
    lines = [line for line in load(EXPERIMENT.with_name("four_bar_rig.toml"), overrides).warnings if "a clearance of" in line]
    assert lines == (["mechanism.clearance: a clearance of 0.025 m; expected less than 0.02 m"] if told else [])
