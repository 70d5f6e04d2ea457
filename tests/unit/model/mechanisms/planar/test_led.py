"""A described linkage that samples lead: as the equations by hand have it, from rest, on the constraints, with several drives."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly.description import Body, Contact, Place, Point
from model.assembly.drives import angle, position
from model.assembly.joints import clearance_revolute, prismatic, revolute
from model.errors import InconsistentStart
from model.integrators import dop853
from model.mechanisms import slider_crank as by_hand
from model.mechanisms.planar import Config
from tests.unit.model.mechanisms.driven_cases import ramp, run
from tests.unit.model.mechanisms.planar.described import six_bar, slider_crank

Floats = NDArray[np.float64]
RATE = 20e3
METHOD = dop853.Config(tolerance=1e-10, longest_step=5e-4)
SAME = {"crank_angle": "crank_angle", "crank_torque": "motor_torque", "slider_position": "slider_x", "slider_velocity": "slider_vx",
        "slider_acceleration": "slider_acceleration"}  # fmt: skip


def turned(samples: int, begin: float, way: float) -> Floats:
    """From rest to rest, rad."""
    return begin + way * ramp(np.arange(samples) / (0.9 * samples))


@pytest.mark.parametrize("joint", ["rod_slider", "crank_rod"])
@pytest.mark.parametrize("clearance", [0.0, 5e-5])
def test_samples_move_it_as_they_move_the_equations_by_hand(joint: str, clearance: float) -> None:
    like = by_hand.Config(clearance_joint=joint, clearance=clearance, guide_clearance=0.0, gravity=9.81, friction=0.05, speed=100.0)
    columns = ("crank_angle", "slider_x", "slider_vx", "motor_torque", "pin_force")
    config = slider_crank(like, columns, felt=True)
    samples = turned(600, 0.4, 0.8)
    wanted = run(like.create(METHOD, RATE, "command"), samples)
    found = run(config.create(METHOD, RATE, "command"), samples)
    names, described = [name for name, _ in like.channels], [name for name, _ in config.channels]
    within = 2e-4 if clearance == 0.0 else 1e-3  # impacts enlarge what the second-order input leaves
    for name, same in SAME.items():
        expected = wanted[:, names.index(name)]
        assert found[:, described.index(same)] == pytest.approx(expected, abs=within * np.ptp(expected)), name


def test_it_hangs_as_its_weight_has_it_where_its_drive_stands() -> None:
    """The drive's torque at rest is by virtual work: the weight's change with the crank's angle, over positions of rest nearby."""
    config = replace(
        six_bar(),
        friction=0.0,
        outputs=("motor_torque", *(f"{body.name}_y" for body in six_bar().bodies), "output_D_x", "output_D_y", "output_angle"),
    )
    names = [name for name, _ in config.channels]

    def resting(turn: float) -> Floats:
        stepper = config.create(METHOD, RATE, "command")
        return run(stepper, np.full(stepper.lookahead + 1, turn))[0]

    def potential(values: Floats) -> float:
        high = sum(body.mass * values[names.index(f"{body.name}_y")] for body in config.bodies)
        spring = math.hypot(values[names.index("output_D_x")] - 0.2, values[names.index("output_D_y")]) - 0.15
        return 9.81 * high + 0.5 * 2e3 * spring**2 + 2.0 * values[names.index("output_angle")]

    h = 1e-3
    for turn in (0.0, 0.7, 2.0):
        slope = (potential(resting(turn + h)) - potential(resting(turn - h))) / (2.0 * h)
        assert resting(turn)[names.index("motor_torque")] == pytest.approx(slope, abs=1e-3 * abs(slope) + 1e-4)


def test_drives_go_in_proportion_to_their_speeds() -> None:
    """Two arms, the second turned against the first at half its speed: the tip is where the angles put it."""
    arms = (
        Body("first", 1.0, 1e-2, Place(0.1), (Point("end", 0.2),)),
        Body("second", 1.0, 1e-2, Place(0.1), (Point("tip", 0.2),)),
    )
    joints = (revolute.Config("O", ("ground.origin", "first.origin")), revolute.Config("E", ("first.end", "second.origin")))
    drives = (angle.Config("one", "first", 2.0), angle.Config("two", "second", -1.0, start=0.5, relative_to="first"))
    config = Config(arms, joints, drives, outputs=("first_angle", "second_tip_x", "second_tip_y"))
    assert config.course_unit == "rad" and config.setpoint_channels == (("one", "rad"), ("two", "rad"))
    s, values = led(config, 3.0)
    setpoints, slopes = config.setpoints(s)
    assert setpoints == pytest.approx(np.column_stack([s, 0.5 - 0.5 * s])) and np.all(slopes == [1.0, -0.5])
    whole, behind = s + setpoints[:, 1], np.max(np.abs(values[:, 0] - s))
    assert behind < 1e-6 * 3.0
    assert values[:, 1] == pytest.approx(0.2 * np.cos(s) + 0.2 * np.cos(whole), abs=0.4 * behind)
    assert values[:, 2] == pytest.approx(0.2 * np.sin(s) + 0.2 * np.sin(whole), abs=0.4 * behind)


def led(config: Config, way: float, rate: float = RATE) -> tuple[Floats, Floats]:
    """(course, outputs) while it goes that way within 18 ms."""
    samples = turned(round(0.02 * rate), 0.0, way)
    values = run(config.create(METHOD, rate, "stroke" if config.course_unit == "m" else "command"), samples)
    return samples[: len(values)], values


def test_it_is_nearer_to_its_samples_the_closer_they_are() -> None:
    """What the cubic's second derivative is off is second order, and so is what is left of it once it is taken back."""
    arm = Body("arm", 1.0, 1e-2, Place(0.1))
    joint = revolute.Config("O", ("ground.origin", "arm.origin"))
    config = Config((arm,), (joint,), (angle.Config("motor", "arm", 2.0),), outputs=("arm_angle",))
    errors = []
    for rate in (RATE, 2.0 * RATE, 4.0 * RATE):
        s, values = led(config, 3.0, rate)
        errors.append(np.max(np.abs(values[:, 0] - s)))
    assert np.log2(errors[0] / errors[2]) / 2.0 == pytest.approx(2.0, abs=0.4)


def test_what_moves_along_a_slide_has_a_way_for_its_course() -> None:
    block = Body("block", 1.0, 1e-2)
    slide = prismatic.Config("slide", ("ground.origin", "block.centre"))
    config = Config((block,), (slide,), (position.Config("piston", "slide", 0.3),), outputs=("block_x", "piston_force"))
    assert config.course_unit == "m" and config.loader_sources == ("command", "stroke", "piston_force")
    samples, values = led(config, 0.05)
    assert values[:, 0] == pytest.approx(samples, abs=1e-6 * 0.05)
    second = np.gradient(np.gradient(samples, 1.0 / RATE), 1.0 / RATE)[: len(values)]
    assert values[5:, 1] == pytest.approx(second[5:], abs=0.02 * np.max(np.abs(second)))


def test_nothing_leads_a_linkage_without_a_drive_that_moves() -> None:
    arm = Body("arm", 1.0, 1e-2, Place(0.1))
    still = Config((arm,), (revolute.Config("O", ("ground.origin", "arm.origin")),), (angle.Config("lock", "arm", 0.0),))
    assert (still.course_unit, still.setpoint_channels, still.course_sources) == ("", (), ())


def test_what_finds_no_rest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A free body falls for ever. That finer steps are tried after the first ones makes no difference to it."""
    monkeypatch.setattr("model.mechanisms.planar.led.FINER", (1.0,))
    bodies = (Body("arm", 1.0, 1e-2, Place(0.1)), Body("stone", 1.0, 1e-2, x=1.0, y=0.0))
    joints = (revolute.Config("O", ("ground.origin", "arm.origin")),)
    config = Config(bodies, joints, (angle.Config("motor", "arm", 1.0),), gravity=9.81)
    stepper = config.create(METHOD, RATE, "command")
    with pytest.raises(InconsistentStart, match="finds no rest"):
        stepper.start(np.zeros(stepper.lookahead))


def test_a_journal_that_sticks_and_would_begin_with_a_speed_begins_at_rest_on_a_rig() -> None:
    """It hangs in its bearing as its weight has it, held there; dry friction elsewhere is no hindrance on the way to rest."""
    arm = Body("arm", 1.0, 1e-2, Place(0.1), (Point("end", 0.2),))
    load = Body("load", 0.5, 1e-4)
    pin = clearance_revolute.Config("pin", ("arm.end", "load.centre"), 0.01, 1e-4, friction=0.2, static_friction=0.3, start_vx=0.4)
    joints = (revolute.Config("O", ("ground.origin", "arm.origin"), friction=0.1, radius=0.01), pin)
    drive = angle.Config("motor", "arm", 1.0)
    outputs = ("arm_angle", "load_x", "load_y", "load_vx", "load_vy", "load_angular_velocity", "pin_force", "pin_friction")
    config = Config((arm, load), joints, (drive,), gravity=9.81, outputs=outputs, contact=Contact(restitution=0.5))
    stepper = config.create(dop853.Config(tolerance=1e-8, longest_step=1e-3), 1e3, "command")
    stepper.start(np.zeros(stepper.lookahead))
    found = stepper.advance(np.zeros(200))
    assert found[0, 3:6] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
    assert found[:, 6] == pytest.approx(0.5 * 9.81, rel=1e-3)
    assert np.ptp(found[:, 1:3], axis=0) == pytest.approx([0.0, 0.0], abs=1e-7)
    assert found[0, 2] == pytest.approx(-1e-4, abs=2e-6)
