"""The units of a session by hand are those of the bench file; what it does not state is told as it always was."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rig.manual.units import measure

LOADER = '[loader]\nkind = "instron"\nforce_full_scale = "{force}"\nstroke_full_scale = "{stroke}"\n'
AXIS = '[[axes]]\nname = "crank"\n[axes.drive]\nkind = "odrive"\n{keys}'


@pytest.mark.parametrize(
    ("force", "stroke", "units", "ones"),
    [
        ("250 kN", "50 mm", ("mm", "mm/s", "kN"), (1e-3, 1e-3, 1e3)),
        ("0.25 MN", "5 cm", ("cm", "cm/s", "MN"), (1e-2, 1e-2, 1e6)),
        ("56000 lbf", "2 in", ("in", "in/s", "lbf"), (0.0254, 0.0254, 4.4482216152605)),  # both by definition
        ("250000 N", "0.05 m", ("m", "m/s", "N"), (1.0, 1.0, 1.0)),
    ],
)
def test_of_a_loader(tmp_path: Path, force: str, stroke: str, units: tuple[str, ...], ones: tuple[float, ...]) -> None:
    path = tmp_path / "bench.toml"
    path.write_text(LOADER.format(force=force, stroke=stroke), encoding="utf-8-sig")
    shown = measure(path, "loader")
    assert (shown.unit, shown.speed_unit, shown.effort_unit) == units
    assert (shown.one, shown.speed_one, shown.effort_one) == pytest.approx(ones)


@pytest.mark.parametrize(
    ("keys", "units", "ones"),
    [
        ("", ("deg", "deg/s", "N m"), (math.pi / 180, math.pi / 180, 1.0)),
        ('max_speed = "600 rpm"', ("deg", "rpm", "N m"), (math.pi / 180, math.pi / 30, 1.0)),
        ('max_speed = "8 rad/s"\nzero = "0.2 rad"\nmax_torque = "3e2 N*cm"', ("rad", "rad/s", "N cm"), (1.0, 1.0, 0.01)),
        ('max_speed = 10.0\nzero = "nonsense"', ("deg", "deg/s", "N m"), (math.pi / 180, math.pi / 180, 1.0)),
    ],
)
def test_of_an_axis(tmp_path: Path, keys: str, units: tuple[str, ...], ones: tuple[float, ...]) -> None:
    path = tmp_path / "bench.toml"
    path.write_text(AXIS.format(keys=keys), encoding="utf-8")
    shown = measure(path, "crank")
    assert (shown.unit, shown.speed_unit, shown.effort_unit) == units
    assert (shown.one, shown.speed_one, shown.effort_one) == pytest.approx(ones)
    assert f"speed ({units[1]}) and torque ({units[2]})" in shown.help
