"""What leads a described linkage on a loader, by the mode, the drives that move and the channels of the bench."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from model.assembly.description import Body
from model.assembly.drives import angle
from model.assembly.joints import revolute
from model.mechanisms import planar
from rig.config import load
from rig.config.checks.model_input import problems
from rig.errors import ConfigError

EXPERIMENTS = Path(__file__).parents[5] / "configs/experiments"
PRESS, SIX_BAR = EXPERIMENTS / "press.toml", EXPERIMENTS / "six_bar_rig.toml"
FORCE = [
    "command.mode=force", "command.value_limit=3 kN", "command.rate_limit=100 kN/s", "trajectory.amplitude=0.8 kN",
]  # fmt: skip


@pytest.mark.parametrize("source", ["command", "stroke", "actuator_force"])
@pytest.mark.parametrize("mode", [[], FORCE], ids=["stroke", "force"])
def test_each_source_leads_in_either_mode(source: str, mode: list[str]) -> None:
    setup = load(PRESS, [*mode, f"predictor.source={source}"])
    assert (setup.experiment.predictor.source, setup.warnings) == (source, ())


def test_a_torque_leads_where_the_bench_measures_it_and_nothing_judges_it() -> None:
    with pytest.raises(ConfigError, match="motor_torque is predicted and compared, so it cannot be the predictor's input"):
        load(SIX_BAR, ["predictor.source=motor_torque"])
    setup = load(
        SIX_BAR,
        ["predictor.source=motor_torque", 'comparison.criteria=[{channel = "acceleration", metric = "nrms", tolerance = 0.01}]'],
    )
    assert setup.experiment.predictor.source == "motor_torque"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("rod_x", "predictor.source=rod_x: expected one of command, stroke, actuator_force; got 'rod_x'"),
        ("transmitted_force", "expected one of command, stroke, actuator_force; got 'transmitted_force'"),
        ("cell_force", "cell_force is predicted and compared"),
    ],
)
def test_another_source_is_refused(source: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load(PRESS, [f"predictor.source={source}"])


def test_a_force_does_not_lead_several_drives() -> None:
    """With a motor beside the piston: by stroke it is led, in proportion, and not by force."""
    setup = load(PRESS, [*FORCE, "predictor.source=command"])
    mechanism, channels = setup.experiment.mechanism, {channel.name: channel for channel in setup.bench.channels}
    assert isinstance(mechanism, planar.Config)
    wheel, pin = Body("wheel", 1.0, 1.0), revolute.Config("axle", ("ground.origin", "wheel.centre"))
    more = replace(
        mechanism,
        bodies=(*mechanism.bodies, wheel),
        joints=(*mechanism.joints, pin),
        drives=(*mechanism.drives, angle.Config("motor", "wheel", 1.0)),
    )
    (problem,) = problems(replace(setup.experiment, mechanism=more), channels)
    assert problem.text == "a force leads a linkage with one drive that moves; this one has several, so expected stroke, got 'command'"
    assert not list(problems(setup.experiment, channels))
    by_stroke = replace(setup.experiment, mechanism=more, predictor=replace(setup.experiment.predictor, source="stroke"))
    assert not list(problems(by_stroke, channels))
