"""Channels are in SI and on one terminal: what is typed in another unit, or names several signals, is refused where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from changed_files import configs

from rig.config import load, load_bench
from rig.config.units.quantities import not_si, same_unit
from rig.errors import ConfigError
from tests.each_row import each_row
from tests.unit.rig.config.told_problems import problems_of


def problems(*overrides: str) -> str:
    root = Path(__file__).parents[4] / "configs" / "experiments"
    return "\n".join(problems_of(load, root / "linkage.toml", list(overrides)))


@each_row(
    ("unit", "si"),
    [
        ("kN", "N"),
        ("mm", "m"),
        ("g", "kg"),
        ("cm/s^2", "m/s^2"),
        ("rpm", "rad/s"),
        ("deg", "rad"),
        ("%", "1"),
        ("degC", "K"),
        ("bar", "Pa"),
    ],
)
def test_a_unit_that_is_none_of_si_is_told_with_the_one_that_is(unit: str, si: str) -> None:
    assert not_si(unit) == f"expected {si}"


@each_row("unit", ["N", "m", "m/s^2", "m/s\u00b2", "1", "V", "rad/s", "N*m", "N m", "Pa", "K", "Hz", "m/m", "kg"])
def test_units_of_si(unit: str) -> None:
    assert not_si(unit) == ""


def test_units_of_two_names() -> None:
    assert same_unit("N*m", "N m") and same_unit("1", "m/m") and same_unit("m/s^2", "m/s\u00b2")
    assert not same_unit("m", "mm") and not same_unit("N", "m") and not same_unit("1", "rad")


def test_a_channel_in_millimetres_would_be_a_thousand_times_what_is_predicted() -> None:
    told = problems("bench.channels.stroke.unit=mm")
    assert "--set bench.channels.stroke.unit=mm: channels are in SI units: expected m, got 'mm'; its sensitivity and limits may be" in told
    assert "stroke is predicted in m, and in mm on the bench" in told


def test_a_channel_in_another_quantity_than_predicted_is_no_measurement_of_it() -> None:
    told = problems("bench.channels.acceleration_1.unit=m/s", "bench.channels.acceleration_1.sensor={sensitivity = 1.0}")
    assert "acceleration_1 is predicted in m/s^2, and in m/s on the bench; expected m/s^2, or another name" in told


def test_a_loader_s_feedback_is_in_the_unit_of_its_setpoint() -> None:
    assert "transmitted_force is in N, expected a channel in m" in problems("bench.loader.stroke_channel=transmitted_force")


@pytest.mark.parametrize("terminal", ["", "ai0", "Dev1/ai0:3", "Dev1/ai0,Dev1/ai5", "Dev1/", "/ai0"])
def test_a_channel_is_on_one_terminal(terminal: str) -> None:
    told = problems(f"bench.channels.transmitted_force.terminal='{terminal}'")
    assert f"expected one terminal of a device, as Dev1/ai0 or Dev1/ctr0; got {terminal!r}" in told


def test_a_date_is_called_one() -> None:
    assert "got 2026-01-01, which TOML takes for a date" in problems("trajectory.amplitude=2026-01-01")


def test_a_path_of_windows_is_told_how_to_be_written_for_both(tmp_path: Path) -> None:
    experiment = configs(tmp_path) / "experiments" / "linkage.toml"
    text = experiment.read_text(encoding="utf-8")
    experiment.write_text(text.replace('"../benches/virtual_loader.toml"', r"'..\benches\virtual_loader.toml'"), encoding="utf-8")
    with pytest.raises(ConfigError, match="no such bench file; write / between folders, which Windows takes as well"):
        load(experiment)
    with pytest.raises(ConfigError, match=r"no such experiment or bench file$"):
        load_bench(tmp_path / "nosuch.toml")
