"""Drives by table and by formula, against closed forms; a rig leads them, or refuses them by name."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.assembly.description import Body, Place, Point
from model.assembly.drives import angle, angle_formula, angle_table, position_formula, position_table
from model.assembly.joints import prismatic, revolute
from model.errors import ModelError
from model.integrators import dop853
from model.mechanisms.planar import Config
from tests.unit.model.assembly.simulated import Floats, run, times

G, MASS, INERTIA, CENTRE = 9.81, 2.0, 0.01, 0.3
ARM = Body("arm", MASS, INERTIA, Place(CENTRE))
PIN = revolute.Config("pin", ("ground.origin", "arm.origin"))
BLOCK = Body("block", 3.0, 1e-2)
SLIDE = prismatic.Config("slide", ("ground.origin", "block.centre"))


def arm(drive: Any) -> Config:
    return Config((ARM,), (PIN,), (drive,), gravity=G)


def torque(phi: Floats, second: Floats) -> Floats:
    """That a pendulum needs to be turned so."""
    return np.asarray((INERTIA + MASS * CENTRE**2) * second + MASS * G * CENTRE * np.cos(phi))


def test_a_formula_turns_a_pendulum_with_the_torque_of_its_equation() -> None:
    found, t = run(arm(angle_formula.Config("motor", "arm", "0.4*sin(5*t) + t^2")), 1.0), times(1.0)
    phi, second = 0.4 * np.sin(5.0 * t) + t**2, 2.0 - 10.0 * np.sin(5.0 * t)
    assert found["arm_angle"] == pytest.approx(phi, abs=1e-12)
    assert found["motor_torque"] == pytest.approx(torque(phi, second), abs=1e-10)


def test_a_table_in_a_file_turns_it_as_what_the_table_is_of(tmp_path: Path) -> None:
    """Points of a cycloidal rise over 0.8 s, in degrees, 10 ms apart: the fourth derivative bounds what the torque may be off."""
    file, lasting, rise = tmp_path / "rise.csv", 0.8, math.radians(70.0)
    at = np.linspace(0.0, lasting, 81)

    def cycloid(t: Floats) -> tuple[Floats, Floats]:
        x = np.clip(t / lasting, 0.0, 1.0) * 2.0 * math.pi
        return rise * (x - np.sin(x)) / (2.0 * math.pi), rise * 2.0 * math.pi / lasting**2 * np.sin(x)

    file.write_text(
        "t [s]; angle [deg]\n" + "".join(f"{t:.17g}; {math.degrees(p):.17g}\n" for t, p in zip(at, cycloid(at)[0], strict=True))
    )
    drive = angle_table.Config("motor", "arm", file=str(file), scale=math.radians(1.0))
    found, t = run(arm(drive), 1.0), times(1.0)
    phi, second = cycloid(t)
    assert found["arm_angle"] == pytest.approx(phi, abs=1e-6)
    inner = (t > 0.1) & (t < lasting - 0.1) | (t > lasting + 0.01)  # at its ends the third derivative jumps, which the curve cannot
    assert found["motor_torque"][inner] == pytest.approx(torque(phi, second)[inner], abs=1e-5)
    assert arm(drive).own_duration() == lasting


def test_a_slide_by_table_and_by_formula() -> None:
    """Force mass times acceleration; the table repeats."""
    t = times(1.0)
    points = tuple(position_table.Point(x, 0.02 * math.sin(10.0 * math.pi * x)) for x in np.linspace(0.0, 0.2, 41).tolist())
    exact = 0.02 * np.sin(10.0 * math.pi * t)
    for drive in (
        position_table.Config("push", "slide", points, beyond="repeat"),
        position_formula.Config("push", "slide", "20*mm*sin(2*pi*5*t)"),
    ):
        found = run(Config((BLOCK,), (SLIDE,), (drive,)), 1.0)
        assert found["block_x"] == pytest.approx(exact, abs=1e-9)
        assert found["push_force"] == pytest.approx(-3.0 * (10.0 * math.pi) ** 2 * exact, abs=2e-3)


def test_a_four_bar_by_table_moves_as_by_its_constant_speed() -> None:
    """A straight table and a speed are the same drive: two ways to say one motion."""
    bodies = (
        Body("crank", 0.5, 3e-4, Place(0.02), (Point("A", 0.06),), angle=1.5),
        Body("coupler", 0.9, 2.5e-3, Place(0.09, 0.025), (Point("B", 0.18),), angle=0.3),
        Body("rocker", 0.6, 1.1e-3, Place(0.065), (Point("B", 0.14),), angle=1.8),
    )
    joints = (
        revolute.Config("O2", ("ground.origin", "crank.origin")), revolute.Config("A", ("crank.A", "coupler.origin")),
        revolute.Config("B", ("coupler.B", "rocker.B")), revolute.Config("O4", ("ground.O4", "rocker.origin")),
    )  # fmt: skip
    config = Config(bodies, joints, (angle.Config("motor", "crank", 20.0),), ground=(Point("O4", 0.2),))
    table = angle_table.Config("motor", "crank", tuple(angle_table.Point(0.1 * k, 1.5 + 2.0 * k) for k in range(7)), beyond="on")
    by_speed, by_table = run(config, 0.5), run(replace(config, drives=(table,)), 0.5)
    for name, values in by_speed.items():
        assert by_table[name] == pytest.approx(values, abs=1e-7 * (1.0 + np.max(np.abs(values)))), name


def test_a_formula_says_where_its_body_stands_at_the_start() -> None:
    """It chooses the way of putting the loop together as the angle of a constant speed does, and not from 0."""
    bodies = (
        Body("crank", 0.5, 3e-4, points=(Point("A", 0.06),)),
        Body("rod", 0.9, 2.5e-3, Place(0.09), (Point("B", 0.18),), angle=-0.3),
        BLOCK,
    )
    joints = (
        revolute.Config("O", ("ground.origin", "crank.origin")), revolute.Config("A", ("crank.A", "rod.origin")),
        revolute.Config("B", ("rod.B", "block.centre")), SLIDE,
    )  # fmt: skip
    drives = (angle.Config("motor", "crank", 0.5, start=1.9), angle_formula.Config("motor", "crank", "1.9 + 0.5*t"))
    by_speed, by_formula = (run(Config(bodies, joints, (drive,)), 0.1) for drive in drives)
    for name, values in by_speed.items():
        assert by_formula[name] == pytest.approx(values, abs=1e-9), name


def test_samples_lead_it_from_where_its_table_begins() -> None:
    config = arm(angle_formula.Config("motor", "arm", "0.5 + sin(t)"))
    stepper = config.create(dop853.Config(), 1e3, "command")
    course = 0.2 * (1.0 - np.cos(3.0 * np.arange(400) / 1e3))
    stepper.start(course[: stepper.lookahead])
    values = stepper.advance(course[stepper.lookahead :])
    names = [name for name, _ in config.channels]
    assert values[:, names.index("arm_angle")] == pytest.approx(0.5 + course[: len(values)], abs=1e-6)
    assert config.setpoints(np.array([0.3]))[0][0] == pytest.approx([0.8])


def test_a_table_beside_another_drive_is_refused_on_a_rig() -> None:
    config = Config((ARM, BLOCK), (PIN, SLIDE), (angle.Config("motor", "arm", 2.0), position_formula.Config("push", "slide", "0.1*t")))
    config.create(dop853.Config(), 1e3)
    with pytest.raises(ModelError, match="drives: push goes by time; on a rig several drives go in proportion"):
        config.create(dop853.Config(), 1e3, "command")


@pytest.mark.parametrize(
    ("drive", "said"),
    [
        (angle_table.Config("m", "arm"), "drives.0: m: points: expected points or a file of them, got neither"),
        (angle_table.Config("m", "arm", (angle_table.Point(0.0, 0.0),), "x.csv"), "got both"),
        (angle_table.Config("m", "arm", file="/nowhere/x.csv"), "drives.0: m: file: cannot read /nowhere/x.csv"),
        (angle_formula.Config("m", "arm", "2*u"), "drives.0: m: angle: there is no 'u'"),
        (position_formula.Config("m", "pin", "t"), "expected a prismatic joint"),
    ],
)
def test_what_is_no_drive_is_refused(drive: Any, said: str) -> None:
    with pytest.raises(ValueError) as error:
        arm(drive)
    assert said in str(error.value)
