"""A shaft whose mode lies within what is compared is warned of, whoever states it; nothing is said where it is not, or is in the model."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rig.config import load
from rig.config.checks import elastic_shafts
from rig.config.setup import Setup

EXPERIMENTS = Path(__file__).parents[5] / "configs/experiments"
SOFT = 'bench.plant.stiffness.shaft="2e3 N*m/rad"'
STATED = 'bench.axes.0.shaft_stiffness="2e3 N*m/rad"'


RIGID = (
    "mechanism.drives.motor.body=crank", "predictor.source=crank_angle", "bench.channels.crank_angle.predicts=crank_angle",
    'mechanism.outputs=["crank_angle", "motor_torque"]', 'comparison.lowpass="100 Hz"',
    'comparison.criteria=[{channel="torque", metric="nrms", tolerance=0.05}]',
)  # fmt: skip


def six_bar(*overrides: str) -> Setup:
    """The six-bar's rig with a model that has no shaft: its drive turns the crank itself."""
    return load(EXPERIMENTS / "six_bar_rig.toml", (*RIGID, *overrides))


def shafts(setup: Setup) -> list[str]:
    found = list(elastic_shafts.doubts(setup.experiment, setup.bench))
    assert set(found) <= set(setup.warnings)
    return found


def test_the_mode_is_told_with_what_to_do() -> None:
    """2000 N m/rad and, where the six-bar is slowest to turn, 0.01073 kg m^2: 68.7 Hz, below 100 Hz."""
    (said,) = shafts(six_bar(STATED))
    felt = float(six_bar().experiment.mechanism.felt_inertia(elastic_shafts.courses(six_bar().experiment)).max())
    hz = math.sqrt(2e3 / felt) / (2.0 * math.pi)
    for words in (f"{hz:.3g} Hz", "comparison.lowpass, 100 Hz", "motor", 'comparison.lowpass = "23 Hz"', "Elastic shafts"):
        assert words in said, said
    assert "virtual" not in said


def test_what_the_plant_of_a_virtual_bench_has_is_said_to_be_its_own() -> None:
    (said,) = shafts(six_bar(SOFT))
    assert "virtual bench" in said and "axes.shaft_stiffness" in said
    (stated,) = shafts(six_bar(SOFT, 'bench.axes.0.shaft_stiffness="1e3 N*m/rad"'))
    assert "1000 N m/rad)" in stated  # what the bench states goes over it
    assert not shafts(six_bar(SOFT, "bench.address=127.0.0.1:40123"))  # what is there, nobody knows


@pytest.mark.parametrize(
    "overrides",
    [
        (),
        ('bench.axes.0.shaft_stiffness="2e4 N*m/rad"',),  # 217 Hz
        (SOFT, 'comparison.lowpass="20 Hz"'),
        (SOFT, "predictor.source=motor_torque", "comparison.criteria=[]"),
    ],
    ids=["as it is", "stiff", "compared below", "led by its torque"],
)
def test_nothing_is_said(overrides: tuple[str, ...]) -> None:
    assert not shafts(six_bar(*overrides))


def test_a_model_with_the_shaft_is_not_doubted() -> None:
    """As the rig's own has it: nothing is said though its mode lies within the band that is judged."""
    assert shafts(six_bar(STATED))
    assert not shafts(load(EXPERIMENTS / "six_bar_rig.toml", (STATED,)))


def test_a_level_above_the_lowpass_counts_as_well() -> None:
    band = 'comparison.criteria=[{channel="acceleration", metric="band_level", tolerance=0.1}]'
    (said,) = shafts(six_bar(band))
    assert "comparison.band_high, 400 Hz" in said


def test_a_kind_that_does_not_tell_its_inertia_says_so() -> None:
    setup = load(EXPERIMENTS / "parallel_3rrpar_rig.toml", ['bench.axes.0.shaft_stiffness="2e3 N*m/rad"'])
    assert any("shaft's stiffness is not used" in said for said in setup.warnings)


@pytest.mark.parametrize(("name", "axis"), [("slider_crank_rig", "crank"), ("four_bar_rig", "crank")])
def test_mechanisms_by_hand_tell_it(name: str, axis: str) -> None:
    setup = load(EXPERIMENTS / f"{name}.toml", ['bench.axes.0.shaft_stiffness="10 N*m/rad"'])
    assert any(said.startswith(f"{axis}: on its shaft (10 N m/rad)") for said in setup.warnings)


def test_a_shaft_in_the_model_that_swings_faster_than_the_encoder_is_followed_is_told() -> None:
    """0.01073 kg m^2 on 20 kN m/rad: 217 Hz, between the 100 Hz below which the encoder is followed and the 400 Hz of the band."""
    for override, told in (
        ("predictor.measured_bandwidth=100 Hz", True),
        ("predictor.measured_bandwidth=300 Hz", False),
        ("predictor.source=command", False),
    ):
        setup = load(EXPERIMENTS / "six_bar_rig.toml", [override])
        said = [*elastic_shafts.in_lines(setup.experiment, setup.bench)]
        assert len(said) == told, override
        assert all("swings at 217 Hz" in line for line in said)
        assert all("comparison.band_high, 400 Hz" in line and "measured_bandwidth, 100 Hz" in line for line in said)
