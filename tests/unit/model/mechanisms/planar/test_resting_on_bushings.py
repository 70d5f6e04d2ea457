"""Where bushings a million times stiffer than the rest let a linkage rest: by the balance of forces, written down by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly.description import Body, Place, Point
from model.assembly.drives import angle
from model.assembly.elements import Part
from model.assembly.forces import bushing, torsion_spring
from model.assembly.joints import clearance_revolute, revolute
from model.errors import InconsistentStart
from model.integrators import dop853
from model.mechanisms.planar import Config, led
from model.mechanisms.planar.balance import Balance
from tests.unit.model.mechanisms.planar.described import six_bar

Floats = NDArray[np.float64]
GRAVITY = 9.81
ARM = Body("arm", 1.0, 1e-2, Place(0.1))
METHOD = dop853.Config(tolerance=1e-8, longest_step=1e-3)
A = Point("A", 0.5, 0.0)


def resting(
    bodies: Sequence[Body], forces: Sequence[Part], outputs: Sequence[str], joints: Sequence[Part] = (), ground: Sequence[Point] = (A,)
) -> Floats:
    """The outputs beside an arm whose drive stands."""
    config = Config(
        (ARM, *bodies), (revolute.Config("O", ("ground.origin", "arm.origin")), *joints), (angle.Config("motor", "arm", 1.0),),
        tuple(forces), ground=tuple(ground), gravity=GRAVITY, outputs=tuple(outputs),
    )  # fmt: skip
    stepper = config.create(METHOD, 1e3, "command")
    stepper.start(np.zeros(stepper.lookahead))
    return np.asarray(stepper.advance(np.zeros(1))[0])


def stiff(name: str, i: str, j: str, stiffness: float, damping: float = 0.0) -> bushing.Config:
    return bushing.Config(name, (i, j), stiffness, stiffness, damping_along=damping, damping_across=damping)


def links(count: int) -> list[Body]:
    """Each 0.2 m long and of 0.5 kg, in a bow."""
    far = (Point("far", 0.2),)
    return [
        Body(f"link {n}", 0.5, 1e-3, Place(0.1), far, x=0.5 + 0.2 * n, y=0.0, angle=math.radians(-20.0 - 10.0 * n)) for n in range(count)
    ]


def hung(count: int, stiffness: float) -> Floats:
    """y and angle of the last of the links, each hung on the one before."""
    held = [stiff(f"pin {n}", "ground.A" if n == 0 else f"link {n - 1}.far", f"link {n}.origin", stiffness) for n in range(count)]
    return resting(links(count), held, (f"link {count - 1}_y", f"link {count - 1}_angle"))


def test_a_mass_on_two_bushings() -> None:
    """Its mass centre is a third of the way from the left one, which carries two thirds."""
    weight, stiffness = 5.0 * GRAVITY, 1e8
    block = Body("block", 5.0, 2e-2, Place(0.1), (Point("left", 0.0), Point("right", 0.3)), x=0.5, y=2e-3)
    forces = [stiff("left", "ground.A", "block.left", stiffness), stiff("right", "ground.B", "block.right", stiffness)]
    found = resting([block], forces, ("block_y", "block_angle"), ground=(A, Point("B", 0.8, 0.0)))
    left, right = 2.0 / 3.0 * weight / stiffness, 1.0 / 3.0 * weight / stiffness
    assert found[0] == pytest.approx(-(left + (right - left) / 3.0), rel=1e-6)
    assert found[1] == pytest.approx((left - right) / 0.3, rel=1e-6)


def test_bushings_that_strain_each_other() -> None:
    """Points of the ground are 1 mm farther apart than those of the block, so each gives half of that."""
    block = Body("block", 5.0, 2e-2, Place(0.15), (Point("left", 0.0), Point("right", 0.3)), x=0.5, y=0.0)
    forces = [stiff("left", "ground.A", "block.left", 1e8), stiff("right", "ground.B", "block.right", 1e8)]
    found = resting([block], forces, ("block_x", "left_along", "right_along"), ground=(A, Point("B", 0.801, 0.0)))
    assert found[0] == pytest.approx(0.6505, abs=1e-9)
    assert np.abs(found[1:]) == pytest.approx([5e4, 5e4], rel=1e-6)


def test_a_chain_of_stiff_and_soft_springs() -> None:
    masses, stiffness = (1.0, 2.0, 3.0), (1e8, 50.0, 1e9)
    bodies = [Body(f"block {n}", mass, 1e-3, x=0.5, y=-0.1 * (n + 1)) for n, mass in enumerate(masses)]
    forces = [
        stiff(f"spring {n}", "ground.A" if n == 0 else f"block {n - 1}.centre", f"block {n}.centre", k, 1e3)
        for n, k in enumerate(stiffness)
    ]
    found = resting(bodies, forces, [f"block {n}_y" for n in range(3)])
    stretched = [GRAVITY * sum(masses[n:]) / k for n, k in enumerate(stiffness)]
    assert found == pytest.approx(-np.cumsum(stretched), rel=1e-6)


@pytest.mark.parametrize("stiffness", [1e8, 1e10])
def test_links_hang_straight_down(stiffness: float) -> None:
    """Each bushing gives by what hangs below it."""
    given = sum(range(1, 4)) * 0.5 * GRAVITY / stiffness
    assert hung(3, stiffness) == pytest.approx([-0.5 - given, -0.5 * math.pi], abs=1e-7)


def test_relaxation_alone_does_not_bring_them_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the balance of forces is for: the bushings swing a hundred thousand times faster than the links."""
    monkeypatch.setattr(Balance, "rest", lambda self, y, s, step: (y, s, math.inf))
    monkeypatch.setattr(led, "STEPS", 2 * led.FIRST)
    with pytest.raises(InconsistentStart, match="finds no rest"):
        hung(3, 1e10)


def test_a_wheel_on_a_soft_torsion_spring_in_a_stiff_bushing() -> None:
    wheel = Body("wheel", 5.0, 2.0, x=0.5, y=0.0)
    forces = (stiff("pin", "ground.A", "wheel.centre", 1e8), torsion_spring.Config("spring", "wheel", stiffness=0.02, angle=0.7))
    assert resting([wheel], forces, ("wheel_y", "wheel_angle")) == pytest.approx([-5.0 * GRAVITY / 1e8, 0.7], rel=1e-5)


@pytest.mark.parametrize("begins", [-30.0, 89.0])
def test_a_pendulum_falls_from_wherever_it_begins(begins: float) -> None:
    bar = Body("bar", 2.0, 1.5e-2, Place(0.15), x=0.5, y=0.0, angle=math.radians(begins))
    found = resting([bar], [stiff("pin", "ground.A", "bar.origin", 1e8)], ("bar_x", "bar_y", "bar_angle"))
    assert found == pytest.approx([0.5, -0.15 - 2.0 * GRAVITY / 1e8, -0.5 * math.pi], abs=1e-6)


def test_a_body_that_is_said_to_be_far_from_its_bushing() -> None:
    """By as much the bushing would push with meganewtons; the journal in the bar's end would be crushed."""
    bar = Body("bar", 2.0, 1e-2, Place(0.1), (Point("end", 0.2),), x=0.55, y=0.03, angle=-1.0)
    load = Body("load", 3.0, 1e-3, x=0.7, y=0.0)
    pin = clearance_revolute.Config("pin", ("bar.end", "load.centre"), 0.01, 1e-4)
    found = resting([bar, load], [stiff("bush", "ground.A", "bar.origin", 1e8)], ("bar_angle", "load_y", "pin_force"), (pin,))
    assert found == pytest.approx([-0.5 * math.pi, -0.2 - 1e-4, 3.0 * GRAVITY], abs=5e-6, rel=1e-5)


@pytest.mark.parametrize("pins", [("O4",), ("O4", "O6", "D", "A")])
def test_a_six_bar_on_stiff_bushings_rests_as_with_rigid_pins(pins: tuple[str, ...]) -> None:
    """Its crank is turned by 0.7 rad, so the bodies are far from where they are said to be. 20 N give 0.2 um."""
    rigid = replace(six_bar(), friction=0.0, outputs=("motor_torque", "output_angle"))
    gives = replace(
        rigid,
        joints=tuple(joint for joint in rigid.joints if joint.name not in pins),
        forces=(*rigid.forces, *(bushing.Config(j.name, j.between, 1e8, 1e8) for j in rigid.joints if j.name in pins)),  # type: ignore[attr-defined]
    )
    found = []
    for config in (rigid, gives):
        stepper = config.create(METHOD, 20e3, "command")
        stepper.start(np.full(stepper.lookahead, 0.7))
        found.append(stepper.advance(np.full(1, 0.7))[0])
    assert found[1] == pytest.approx(found[0], rel=3e-4)
