"""A described linkage that a loader or a motor moves: led by a stroke, or pushed by a force or torque that samples say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly.description import Body, Place
from model.assembly.drives import angle, position
from model.assembly.forces import bushing, spring_damper, torsion_spring
from model.assembly.joints import prismatic, revolute
from model.errors import InconsistentStart, ModelError
from model.integrators import dop853
from model.mechanisms import linkage as by_hand
from model.mechanisms.planar import Config
from rig.config import load_experiment
from tests.unit.model.mechanisms.driven_cases import ramp, run
from tests.unit.model.mechanisms.planar.described import PROJECT

Floats = NDArray[np.float64]
RATE = 20e3
METHOD = dop853.Config(tolerance=1e-9, longest_step=1e-3)
PUSHED, LED = 1e-6, 2e-3
"""Shares of the largest value by which the two may differ: integrations to 1e-9 of motion with impacts, which enlarge it; what cubics
through samples of a stroke leave, and impacts enlarge."""


def described(clearance: float = 0.4e-3) -> Config:
    """That of configs/experiments/linkage_described.toml, its play as the one by hand counts it."""
    mechanism = load_experiment(PROJECT / "configs/experiments/linkage_described.toml").experiment.mechanism
    assert isinstance(mechanism, Config)
    outputs = ("fixture_force", "A_force_x", "B_force_x", "lower_x", "upper_x", "upper_vx", "actuator_force")
    return replace(mechanism, clearance=0.5 * clearance, outputs=outputs, accelerometers=())


def force(samples: int) -> Floats:
    """Three half cycles at 3 Hz, from nothing, N."""
    t = np.arange(samples) / RATE
    return np.asarray(10e3 * np.sin(6.0 * np.pi * t) * ramp(t / 0.1))


@pytest.fixture(scope="module")
def hand() -> Floats:
    """(samples, channels) of the equations by hand, under the force."""
    return run(by_hand.Config(load_source="ideal").create(METHOD, RATE, "command"), force(10_000))


@pytest.fixture(scope="module")
def followed() -> Floats:
    """The same where they follow a stroke of 0.45 mm, just more than all play, by their own filter; what they follow is their stroke."""
    return run(by_hand.Config().create(METHOD, RATE, "stroke"), 0.45e-3 / 10e3 * force(10_000))


SIDE = {0: (0, 1.0), 1: (1, -1.0), 2: (2, -1.0)}
"""Column by hand -> column of the description, and its sign: the force in a pin is that on the second body, here against x."""


def worst(hand: Floats, found: Floats) -> float:
    """Largest difference of any force, of its largest value."""
    count = min(len(hand), len(found))
    errors = [np.max(np.abs(hand[:count, k] - sign * found[:count, n])) / np.max(np.abs(hand[:, k])) for k, (n, sign) in SIDE.items()]
    return float(max(errors))


@pytest.mark.parametrize("equations", ["generated", "tables"])
def test_a_force_moves_it_as_it_moves_the_equations_by_hand(hand: Floats, equations: str) -> None:
    stepper = replace(described(), equations=equations).create(METHOD, RATE, "command")
    found = run(stepper, force(10_000))
    assert worst(hand, found) < PUSHED
    assert found[:, 3] - 0.8 == pytest.approx(hand[: len(found), 3], abs=1e-9)


def test_a_stroke_leads_it_as_it_leads_the_equations_by_hand(followed: Floats) -> None:
    found = run(described().create(METHOD, RATE, "stroke"), np.ascontiguousarray(followed[:, 3]))
    assert worst(followed, found) < LED
    assert found[:, 3] - 0.8 == pytest.approx(followed[: len(found), 3], abs=1e-8)


@pytest.mark.parametrize("source", ["command", "stroke"])
def test_another_play_is_another_motion(hand: Floats, followed: Floats, source: str) -> None:
    samples, wanted = (force(10_000), hand) if source == "command" else (np.ascontiguousarray(followed[:, 3]), followed)
    assert worst(wanted, run(described(0.38e-3).create(METHOD, RATE, source), samples)) > 10.0 * LED


def block(*forces: object, outputs: tuple[str, ...] = ("block_x", "piston_force")) -> Config:
    body = Body("block", 2.0, 1e-2)
    slide = prismatic.Config("slide", ("ground.origin", "block.centre"))
    return Config((body,), (slide,), (position.Config("piston", "slide", 0.3),), forces, outputs=outputs)  # type: ignore[arg-type]


@pytest.mark.parametrize("equations", ["generated", "tables"])
def test_a_constant_force_accelerates(equations: str) -> None:
    """x = F t^2/(2 m), after a force that is 0 at the start."""
    config = replace(block(), equations=equations)
    t = np.arange(2000) / RATE
    found = run(config.create(METHOD, RATE, "piston_force"), 5.0 * t)  # m x'' = 5 t
    assert found[:, 0] == pytest.approx(5.0 * t[: len(found)] ** 3 / 12.0, abs=1e-9)
    assert found[:, 1] == pytest.approx(5.0 * t[: len(found)], abs=1e-9)


@pytest.mark.parametrize("equations", ["generated", "tables"])
def test_a_torque_turns_what_it_pushes_against_its_neighbour(equations: str) -> None:
    """Two wheels on the ground's origin, the motor between them: J1 phi1'' = -T, J2 phi2'' = T."""
    bodies = (Body("stator", 1.0, 0.02), Body("rotor", 1.0, 0.05))
    joints = tuple(revolute.Config(f"of {one.name}", ("ground.origin", f"{one.name}.centre")) for one in bodies)
    drive = angle.Config("motor", "rotor", 1.0, relative_to="stator")
    config = Config(bodies, joints, (drive,), outputs=("stator_angle", "rotor_angle", "motor_torque"), equations=equations)
    assert config.effort_sources == ("motor_torque",) and config.loader_sources == ()
    t = np.arange(2000) / RATE
    found = run(config.create(METHOD, RATE, "motor_torque"), 3.0 * t)
    turned = 3.0 * t[: len(found)] ** 3 / 6.0
    assert found[:, :2] == pytest.approx(np.column_stack([-turned / 0.02, turned / 0.05]), abs=1e-9)


def test_it_rests_under_the_first_force() -> None:
    """x = F/k."""
    config = block(spring_damper.Config("spring", ("ground.origin", "block.centre"), 1e4, 50.0, length=0.0))
    off = replace(config, drives=(position.Config("piston", "slide", 0.3, start=0.05),))
    found = run(off.create(METHOD, RATE, "piston_force"), np.full(400, 300.0))
    assert found[:, 0] == pytest.approx(300.0 / 1e4, abs=1e-8)


@pytest.mark.parametrize("load", [25.0, 1e3])
def test_it_rests_under_a_load_that_presses_its_pins(load: float) -> None:
    """The fixture carries it, and it stays so."""
    stepper = described().create(METHOD, RATE, "command")
    found = run(stepper, np.full(stepper.lookahead + 50, load))
    assert found[:, 0] == pytest.approx(load, rel=1e-3) and found[:, 4] - 0.3 == pytest.approx(load / 1.5e8, rel=1e-3)


def test_what_nothing_holds_against_a_force_finds_no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.mechanisms.planar.led.FINER", (1.0,))  # finer steps make no difference to it
    stepper = block().create(METHOD, RATE, "piston_force")
    with pytest.raises(InconsistentStart, match="finds no rest where its drives push"):
        stepper.start(np.full(stepper.lookahead, 300.0))


@pytest.mark.parametrize("equations", ["generated", "tables"])
def test_springs_say_what_they_pull_with(equations: str) -> None:
    """By the bodies' own places and speeds, while it is led along x and the springs' laws are straight lines."""
    springs = (
        spring_damper.Config("spring", ("ground.origin", "block.centre"), 1e4, 50.0, length=0.1),
        bushing.Config("bush", ("ground.origin", "block.centre"), 2e3, 3e3, 40.0, 7.0),
        torsion_spring.Config("twist", "block", 6.0, preload=2.0),
    )
    names = ("block_x", "block_vx", "spring_force", "bush_along", "bush_across", "bush_turning", "twist_torque")
    config = replace(block(*springs, outputs=names), equations=equations)
    samples = 0.2 + 0.05 * ramp(np.arange(400) / 300.0)
    x, v, *found = run(config.create(METHOD, RATE, "stroke"), samples).T
    wanted = [1e4 * (x - 0.1) + 50.0 * v, 2e3 * x + 7.0 * v, 0.0 * x, 0.0 * x, 2.0 + 0.0 * x]
    for one, expected in zip(found, wanted, strict=True):
        assert one == pytest.approx(expected, abs=1e-6)


def test_sources_are_by_the_first_drive() -> None:
    config = described()
    assert config.loader_sources == ("command", "stroke", "actuator_force") and config.course_sources == ()
    with pytest.raises(ModelError, match=r"unknown input 'lower_x' .*expected one of command, stroke, actuator_force"):
        config.create(METHOD, RATE, "lower_x")


def test_a_force_leads_one_drive_only() -> None:
    arm = Body("arm", 1.0, 1e-2, Place(0.1))
    pin = revolute.Config("O", ("ground.origin", "arm.origin"))
    config = replace(block(), bodies=(*block().bodies, arm), joints=(*block().joints, pin))
    config = replace(config, drives=(*block().drives, angle.Config("motor", "arm", 1.0)))
    assert config.loader_sources == ("command", "stroke")
    with pytest.raises(ModelError, match=r"one drive that moves.*got piston, motor"):
        config.create(METHOD, RATE, "command")
