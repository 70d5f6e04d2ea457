"""Generated equations are those of the tables: described configurations, and trees of any kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as some

from model.assembly.description import Body, Contact, Place, Point
from model.assembly.drives import angle, position
from model.assembly.elements import Frame
from model.assembly.forces import bushing, constant, motor, rope, spring_damper, stop, timed, torsion_spring
from model.assembly.joints import clearance_prismatic, clearance_revolute, prismatic, revolute
from model.assembly.placing import placed
from model.equations.tree import Uncovered
from model.errors import ModelError
from model.mechanisms.planar import Config
from model.mechanisms.planar.lead import Lead
from rig.config import load_experiment
from tests.each_row import each_row
from tests.thorough import times
from tests.unit.model.equations.compared import Beside
from tests.unit.model.mechanisms.planar.described import PROJECT

SAME = 1e-10
"""Both in double precision: a solution of some ten equations, conditioned to 1e3 or so, by each."""


def described(name: str) -> Config:
    mechanism = load_experiment(PROJECT / f"configs/experiments/{name}.toml").experiment.mechanism
    assert isinstance(mechanism, Config)
    if name == "linkage_described":  # hanging: a journal in the very middle of its bearing closes in no direction
        return replace(mechanism, gravity=9.81, gravity_direction=0.0)
    return mechanism


LEADS = [
    *((name, lead) for name in ("slider_crank_generic", "slider_crank_described_rig", "six_bar_rig") for lead in (Lead.NONE, Lead.WAY)),
    *((name, lead) for name in ("linkage_described", "six_bar") for lead in Lead),
    ("squeezer", Lead.NONE),  # which has no drive
]


@each_row(("name", "lead"), LEADS)
def test_described_configurations(name: str, lead: Lead) -> None:
    beside = Beside(described(name), lead)
    rng = np.random.default_rng(1)
    for spread in (0.0, 1e-5, 1e-4, 1e-3):
        for _ in range(times(2, thorough=5)):
            assert beside.off(rng, spread) < SAME
            # In the very middle of its bearing, where the six-bar begins, a journal closes in no direction.
            assert beside.off_guards(rng, max(spread, 1e-5)) < SAME


FORCES: dict[str, Any] = {
    "constant": constant.Config("f", "b0.P", 3.0, -4.0, 5.0),
    "timed": timed.Config("f", "b0.P", (timed.Point(0.0, 1.0), timed.Point(4e-4, 3.0), timed.Point(1.0, 0.0)), 2.0, 1.0, 0.3),
    "spring": spring_damper.Config("f", ("ground.G", "b0.P"), 300.0, 4.0, 0.2, 3.0),
    "progressive": spring_damper.Config(
        "f", ("ground.G", "b0.P"), curve=tuple(spring_damper.Point(w, f) for w, f in ((-1.0, -3.0), (0.0, 0.0), (1.0, 9.0)))
    ),
    "bushing": bushing.Config("f", ("ground.G", "b0.P"), 100.0, 200.0, 30.0, 1.0, 2.0, 3.0, 0.4, 0.2),
    "rope": rope.Config("f", ("ground.G", "b0.P"), 0.1, 100.0, 2.0),
    "stop": stop.Config("f", ("ground.G", "b0.P"), 5.0, 100.0, 2.0),
    "torsion": torsion_spring.Config("f", "b0", 20.0, 0.3, 0.1, 0.2),
    "motor": motor.Config("f", "b0", (motor.Point(-5.0, 9.0), motor.Point(0.0, 2.0), motor.Point(7.0, -1.0))),
}
JOINTS = ("revolute", "prismatic", "clearance_revolute", "clearance_prismatic", "free")
DRIVES = ("", "", "constant", "relative")
place = some.sampled_from([0.0, 0.3, -0.2, 0.11])


@some.composite
def trees(draw: some.DrawFn) -> Config:
    """Up to four bodies, each held by one before it or by the ground, or by none; some driven, one loaded."""
    count, bodies, joints, drives = draw(some.integers(1, 4)), [], [], []
    for n in range(count):
        points = tuple(Point(name, draw(place), draw(place)) for name in ("P", "Q"))
        centre = Place(draw(place), draw(place))
        bodies.append(Body(f"b{n}", draw(some.sampled_from([0.5, 2.0])), draw(some.sampled_from([0.01, 0.3])), centre, points))
        kind = draw(some.sampled_from(JOINTS))
        parent = draw(some.sampled_from(["ground.G", *(f"b{k}.Q" for k in range(n))]))
        ends = (parent, f"b{n}.P") if draw(some.booleans()) or parent == "ground.G" else (f"b{n}.P", parent)
        turn, lean = draw(some.sampled_from([0.0, 0.7])), draw(some.sampled_from([0.0, -0.4]))
        drive = draw(some.sampled_from(DRIVES))
        if kind == "revolute":
            joints.append(revolute.Config(f"j{n}", ends))
            if drive:
                drives.append(angle.Config(f"d{n}", f"b{n}", 3.0, 0.2, "ground" if drive == "constant" else parent.partition(".")[0]))
        elif kind == "prismatic":
            joints.append(prismatic.Config(f"j{n}", ends, turn, lean))
            if drive:
                drives.append(position.Config(f"d{n}", f"j{n}", 0.5 if drive == "constant" else 0.0, 0.1))
        elif kind == "clearance_revolute":
            joints.append(clearance_revolute.Config(f"j{n}", ends, 40.0, 0.5, 0.2, contact=Contact(stiffness=1e3)))
        elif kind == "clearance_prismatic":
            joints.append(clearance_prismatic.Config(f"j{n}", ends, 3.0, 2.0, turn, lean, 0.1, 1e-6, 0.1, 0.3))
    force = FORCES[draw(some.sampled_from(sorted(FORCES)))]
    if not joints:
        joints.append(revolute.Config("j", ("ground.G", "b0.P")))
    return Config(
        tuple(bodies), tuple(joints), tuple(drives), (force,), (Point("G", 0.2, -0.1),), gravity=9.81, gravity_direction=draw(place),
        friction_none_below=0.01, friction_whole_above=0.3, contact=Contact(youngs_modulus=1e9),
    )  # fmt: skip


@settings(max_examples=times(15, thorough=400))
@given(trees(), some.booleans(), some.integers(0, 99))
def test_any_tree(config: Config, led: bool, seed: int) -> None:
    beside = Beside(config, Lead.WAY if led and config.led else Lead.NONE)
    rng = np.random.default_rng(seed)
    assert beside.off(rng, 0.2) < SAME
    assert beside.off_guards(rng, 0.2) < SAME


@some.composite
def closed_chains(draw: some.DrawFn) -> Config:
    """Two to four bodies one after the other from the ground and back to it; perhaps driven, loaded, and with a loose one."""
    count = draw(some.integers(2, 4))
    bodies = tuple(
        Body(f"b{n}", 0.5 + n, 0.05, Place(draw(place), draw(place)), (Point("P"), Point("Q", 0.3 + 0.1 * n, draw(place))), 0.4 + 1.1 * n)
        for n in range(count)
    )
    joints: list[Any] = [revolute.Config("j0", ("ground.G", "b0.P"))]
    for n in range(1, count):
        ends = (f"b{n - 1}.Q", f"b{n}.P")
        slides = n == 1 and draw(some.booleans())
        joints.append(prismatic.Config(f"j{n}", ends, 0.5, 1.1) if slides else revolute.Config(f"j{n}", ends))
    parts = [joint.elements(Frame(bodies, (Point("G", 0.2, -0.1),))) for joint in joints]
    q = placed(bodies, [c for part in parts for c in part.constraints])[count - 1]
    last = bodies[-1].points[1]
    arm = complex(last.x - bodies[-1].centre.x, last.y - bodies[-1].centre.y) * np.exp(1j * q[2])
    ground = (Point("G", 0.2, -0.1), Point("C", float(q[0] + arm.real), float(q[1] + arm.imag)))
    ends = ("ground.C", f"b{count - 1}.Q") if draw(some.booleans()) else (f"b{count - 1}.Q", "ground.C")
    sign = 1.0 if ends[0] == "ground.C" else -1.0
    guide = draw(some.booleans()) and count > 2
    joints.append(prismatic.Config("back", ends, 0.3, sign * float(q[2])) if guide else revolute.Config("back", ends))
    drives = (angle.Config("d", "b0", 3.0),) if count - 2 * guide > 2 and draw(some.booleans()) else ()
    force = FORCES[draw(some.sampled_from(sorted(FORCES)))]
    return Config(bodies, tuple(joints), drives, (replace(force, **{"on": "b0.Q"} if hasattr(force, "on") else {}),), ground, gravity=9.81)


@settings(max_examples=times(15, thorough=400))
@given(closed_chains(), some.booleans(), some.integers(0, 99))
def test_any_closed_chain(config: Config, led: bool, seed: int) -> None:
    """Within what both make of rows that are conditioned to 1e4 or so; singular poses each solves softly in its own way."""
    try:
        beside = Beside(config, Lead.WAY if led and config.led else Lead.NONE)
    except (ModelError, Uncovered):
        assume(False)
    assert beside.plan.tree.closing
    assume(not beside.singular())
    assert beside.off(np.random.default_rng(seed), 0.02) < 100.0 * SAME


def test_a_number_that_is_wrong_is_seen() -> None:
    """Each for itself wrong by a millionth: but for what is not at work just then (contacts that are apart, limits) it shows."""
    beside = Beside(described("six_bar"))
    right, seen = beside.source, 0
    for k, value in enumerate(right.parameters):
        wrong = right.parameters.copy()
        wrong[k] = value * (1.0 + 1e-6)
        beside.source = replace(right, parameters=wrong)
        rng = np.random.default_rng(1)
        seen += max(beside.off(rng, 1e-4) for _ in range(5)) > 10.0 * SAME
    assert seen > 0.4 * len(right.parameters)
