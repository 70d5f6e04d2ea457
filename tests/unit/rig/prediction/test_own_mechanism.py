"""A user's own linkage as one file: the six-bar runs as its user runs it, and tells what is wrong with the file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.commands import main
from rig.config import load_experiment
from rig.prediction.simulation import Simulated, simulate

SIX_BAR = str(Path(__file__).parents[4] / "configs/experiments/six_bar.toml")
BY_TABLES = "mechanism.equations=tables"
"""What is not about generated equations does not wait for their compilation."""
IDEAL = ("mechanism.clearance=0mm", "mechanism.joints.P.clearance=0mm", BY_TABLES)


def simulated(*overrides: str) -> Simulated:
    return simulate(load_experiment(SIX_BAR, overrides).experiment)


def column(run: Simulated, name: str) -> NDArray[np.float64]:
    return run.values[:, [channel for channel, _ in run.channels].index(name)]


@pytest.mark.long
def test_the_six_bar_as_its_user_runs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "six_bar.csv"
    assert main(["simulate", SIX_BAR, "--out", str(table), "--set", "simulate.duration=0.1s", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    header = table.read_text().splitlines()[0].split(",")
    assert header[:3] == ["time[s]", "crank_angle[rad]", "output_angle[rad]"]
    assert {"B_force_max[N]", "P_penetration_max[m]", "motor_torque_max[N*m]", "output_angular_acceleration_max[rad/s^2]"} <= set(header)
    values = np.loadtxt(table, delimiter=",", skiprows=1)
    assert values.shape == (2001, len(header)) and np.all(np.isfinite(values))
    assert {event["where"] for event in told["events"]} == {"B", "P"}
    assert {event["kind"] for event in told["events"]} == {"contact_start", "contact_end"}
    assert all(event["approach_speed"] > 0 for event in told["events"] if event["kind"] == "contact_start")
    assert told["metrics"]["crank_angle"]["max"] == pytest.approx(np.pi / 2 + 0.1 * 10 * np.pi, rel=1e-9)


def test_the_motion_tends_to_that_without_clearance() -> None:
    ideal = simulated(*IDEAL, "simulate.duration=0.1s")
    assert not ideal.events
    apart = []
    for clearance in ("0.1mm", "0.02mm"):
        both = (f"mechanism.clearance={clearance}", f"mechanism.joints.P.clearance={clearance}")
        loose = simulated(*both, "simulate.duration=0.1s", BY_TABLES)
        apart.append(np.max(np.abs(column(loose, "output_angle") - column(ideal, "output_angle"))))
    assert 1e-5 < apart[1] < 0.4 * apart[0] < 5e-3


def test_what_the_motor_gives_is_what_spring_load_weight_and_motion_take() -> None:
    """Over whole turns of the linkage without clearance only the damper keeps energy; nothing else is left over."""
    outputs = '["crank_angle","motor_torque","output_D_x","output_D_y","output_D_vx","output_D_vy"]'
    run = simulated(*IDEAL, f"mechanism.outputs={outputs}", "simulate.output_rate=10kHz")
    angle, torque, x, y, vx, vy = run.values.T
    length = np.hypot(x - 0.2, y)
    rate = ((x - 0.2) * vx + y * vy) / length
    taken = np.trapezoid(5.0 * rate[2000:4000] ** 2, run.time[2000:4000]) + 0.5e-4 * 5.0 * (rate[3999] ** 2 + rate[2000] ** 2)
    given = np.sum(0.5 * (torque[2000:4000] + torque[2001:4001]) * np.diff(angle[2000:4001]))
    assert given == pytest.approx(taken, rel=1e-4)
    assert taken > 0.01


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("mechanism.bodies.crank.mass=-1kg", "expected more than 0 kg, got -1 kg"),
        ('mechanism.joints.B.between=["coupler.B","rocker.X"]', "rocker has no point 'X'; it has origin, centre, B"),
        ("mechanism.joints.P.clearance=20mm", "less than the bearing's radius, 0.008 m; got 0.02 m"),
        ("mechanism.joints.B.bearing_radius=3kg", "expected a length"),
        (
            "mechanism.joints.B.kind=screw",
            "clearance_slot, curve, gear, lifting_cam, prismatic, revolute, slot, weld; got 'screw'",
        ),
        ("mechanism.ground.O6.x=900mm", "the linkage cannot close: joint"),
        ('mechanism.outputs=["crank_angel"]', "there is no channel 'crank_angel'; did you mean crank_angle"),
        ("integrator.tolerance=0", "expected more than 0, got 0"),
    ],
)
def test_what_is_wrong_with_the_file_is_said(override: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SIX_BAR, "--out", str(tmp_path / "x.csv"), "--set", override]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_linkage_that_is_driven_to_where_it_cannot_go_stops_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    far = ["--set", "mechanism.ground.O6.x=260mm", "--set", "mechanism.ground.O6.y=150mm", "--set", BY_TABLES]
    assert main(["simulate", SIX_BAR, "--out", str(tmp_path / "x.csv"), *far]) != 0
    assert "joint B is crushed" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_redundant_constraints_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cranks.toml"
    feet = {"a": (0.0, 0.0), "b": (0.3, 0.0), "c": (0.1, 0.02)}
    points = ", ".join(f'{{name = "{n}", x = "{x} m", y = "{y} m"}}' for n, (x, y) in feet.items())
    lines = ['title = "three cranks"', "[mechanism]", 'kind = "planar"', 'equations = "tables"', f"ground = [{points}]"]
    for name in feet:
        lines += ["[[mechanism.bodies]]", f'name = "{name}"', 'mass = "1 kg"', 'inertia = "1e-3 kg*m^2"', 'angle = "40 deg"']
        lines += ['points = [{name = "top", x = "100 mm"}]']
    lines += ["[[mechanism.bodies]]", 'name = "table"', 'mass = "2 kg"', 'inertia = "0.05 kg*m^2"', f"points = [{points}]"]
    for name in feet:
        lines += ["[[mechanism.joints]]", f'name = "foot {name}"', 'kind = "revolute"', f'between = ["ground.{name}", "{name}.origin"]']
        lines += ["[[mechanism.joints]]", f'name = "head {name}"', 'kind = "revolute"', f'between = ["{name}.top", "table.{name}"]']
    lines += [
        "[[mechanism.drives]]",
        'name = "motor"',
        'kind = "angle"',
        'body = "a"',
        'speed = "60 rpm"',
        "[integrator]",
        'kind = "dop853"',
    ]
    file.write_text("\n".join(lines))
    assert main(["simulate", str(file), "--out", str(tmp_path / "x.csv"), "--json", "--set", "simulate.output_rate=1kHz"]) == 0
    (warning,) = json.loads(capsys.readouterr().out)["warnings"]
    assert warning.startswith("13 constraint rows, 12 of them independent: ")
