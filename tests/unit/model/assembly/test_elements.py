"""How a described linkage is assembled: redundant constraints, starts that cannot be, dead points, drives too many, bad descriptions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly import layout as at
from model.assembly.description import Body, Place, Point
from model.assembly.drives import angle, position
from model.assembly.joints import clearance_prismatic, clearance_revolute, gear, prismatic, revolute
from model.assembly.rank import independent
from model.errors import InconsistentStart, ModelError, NotConverged
from model.integrators import dop853, rk4
from model.mechanisms.planar import Config
from tests.each_row import each_row

Floats = NDArray[np.float64]
SPEED = 10.0


def bar(name: str, length: float, angle: float, mass: float = 1.0) -> Body:
    """A uniform bar; its axes begin at its end."""
    return Body(name, mass, mass * length**2 / 12, Place(length / 2), (Point("B", length),), angle)


def parallelogram(cranks: int, start: float = 0.7, offset: float = 0.02, outputs: tuple[str, ...] = ()) -> Config:
    """A table on parallel cranks, the first of which is driven; the third one's pivots are not in line with the others'."""
    feet = [(0.0, 0.0), (0.3, 0.0), (0.1, offset)][:cranks]
    names = ["first", "second", "third"][:cranks]
    table = Body("table", 2.0, 0.05, Place(0.15, 0.01), tuple(Point(n, *foot) for n, foot in zip(names, feet, strict=True)))
    joints = [revolute.Config(f"{n} foot", (f"ground.{n}", f"{n}.origin")) for n in names]
    joints += [revolute.Config(f"{n} head", (f"{n}.B", f"table.{n}")) for n in names]
    return Config(
        bodies=(*(bar(n, 0.1, start) for n in names), table),
        joints=tuple(joints),
        drives=(angle.Config("motor", "first", SPEED),),
        ground=tuple(Point(n, *foot) for n, foot in zip(names, feet, strict=True)),
        gravity=9.81,
        outputs=outputs,
    )


def slider_crank(drives: tuple[Any, ...], angle_: float = 0.5, guide: Any = None, rod: float = 0.3) -> Config:
    return Config(
        bodies=(bar("crank", 0.1, angle_), bar("rod", rod, -0.1), Body("slider", 0.5, 1e-3)),
        joints=(
            revolute.Config("shaft", ("ground.origin", "crank.origin")),
            revolute.Config("A", ("crank.B", "rod.origin")),
            revolute.Config("B", ("rod.B", "slider.origin")),
            guide or prismatic.Config("guide", ("ground.origin", "slider.origin")),
        ),
        drives=drives,
    )


def create(config: Config, integrator: Any = None, rate: float = 1e3) -> Any:
    return config.create(integrator or dop853.Config(tolerance=1e-10), rate)


def run(config: Config, duration: float, rate: float = 1e3) -> Floats:
    stepper = create(config, rate=rate)
    stepper.start(np.zeros(stepper.lookahead))
    return np.asarray(stepper.advance(np.zeros(round(duration * rate) + 1)))


def test_redundant_rows_of_a_parallelogram_with_three_cranks_are_found() -> None:
    found = create(parallelogram(2)).redundancy
    assert (found.rows, found.rank, found.redundant) == (9, 9, ())
    found = create(parallelogram(3)).redundancy
    assert (found.rows, found.rank) == (13, 12)
    assert len(found.redundant) == 1 and found.redundant[0] != "motor"


def test_motion_and_drive_torque_are_right_with_redundant_constraints_through_every_position() -> None:
    """Every set of rows is singular somewhere in a turn: with two cranks in line with the table, two head pins tell the same."""
    names = ("first_angle", "second_angle", "third_angle", "table_x", "table_y", "table_angle", "motor_torque")
    turn = 2 * math.pi / SPEED
    values = run(parallelogram(3, outputs=names), 1.5 * turn)
    t = np.arange(len(values)) / 1e3
    theta = 0.7 + SPEED * t
    np.testing.assert_allclose(values[:, :3], np.column_stack([theta] * 3), atol=1e-8)
    np.testing.assert_allclose(values[:, 3:5], np.column_stack([0.15 + 0.1 * np.cos(theta), 0.01 + 0.1 * np.sin(theta)]), atol=1e-9)
    np.testing.assert_allclose(values[:, 5], 0.0, atol=1e-8)
    torque = 9.81 * np.cos(theta) * (3 * 1.0 * 0.05 + 2.0 * 0.1)
    np.testing.assert_allclose(values[:, 6], torque, atol=1e-6)


def test_an_independent_set_is_as_large_as_the_rank_and_takes_drives_last() -> None:
    rng = np.random.default_rng(2)
    basis = rng.normal(size=(3, 8))
    rows = np.vstack([basis[0], 1e3 * basis[0] + 1e-10, basis[1], basis[0] + basis[1], basis[2]])
    driven = np.array([False, False, False, False, True])
    found = independent(rows, driven)
    assert (found.rows, found.rank) == (5, 3)
    assert np.linalg.matrix_rank(rows[found.chosen]) == 3
    assert not independent(rows[[0, 2, 3]], np.array([False, False, True])).chosen[2]
    assert independent(np.zeros((0, 6))).rank == 0


def test_a_parallelogram_that_starts_in_line_is_at_a_dead_point() -> None:
    with pytest.raises(ModelError, match=r"dead point: at the start .*(head|foot|motor)"):
        create(parallelogram(2, start=0.0))


def test_a_slider_driven_at_its_dead_centre_is_refused() -> None:
    piston = position.Config("piston", "guide", speed=0.1, start=0.4)
    with pytest.raises(ModelError, match="dead point: at the start piston"):
        create(slider_crank((piston,), 0.0))


def test_a_slider_may_be_driven_elsewhere() -> None:
    config = replace(slider_crank((position.Config("piston", "guide", speed=0.1, start=0.38),)), outputs=("slider_x", "slider_vx"))
    np.testing.assert_allclose(run(config, 0.05)[-1], [0.385, 0.1], atol=1e-9)


def test_a_linkage_that_cannot_close_is_refused_with_the_joint_and_how_far_it_is_open() -> None:
    motor = angle.Config("motor", "crank", 1.0, start=math.pi / 2)
    with pytest.raises(InconsistentStart, match=r"cannot close: .*(A|B|guide|shaft).* stays .* mm off"):
        create(slider_crank((motor,), rod=0.06))


def test_a_run_into_a_dead_point_stops_and_says_so() -> None:
    config = slider_crank((position.Config("piston", "guide", speed=0.1, start=0.38),))
    with pytest.raises(NotConverged, match=r"stopped at 0\.\d+ s: .*dead point"):
        run(config, 0.5)


def test_a_joint_with_clearance_that_is_driven_beyond_its_reach_is_named() -> None:
    pin = clearance_revolute.Config("B", ("rod.B", "slider.origin"), 0.01, 1e-4)
    config = slider_crank((position.Config("piston", "guide", speed=1.0, start=0.38),))
    config = replace(config, joints=tuple(pin if joint.name == "B" else joint for joint in config.joints))
    with pytest.raises(NotConverged, match=r"stopped at 0\.0\d+ s: .*joint B is crushed"):
        run(config, 0.5)


def test_a_drive_too_many_is_refused() -> None:
    drives = (angle.Config("motor", "crank", 1.0), position.Config("piston", "guide", speed=0.1, start=0.385))
    with pytest.raises(ModelError, match="drives: 2 drives for 1 degree of freedom; take away"):
        create(slider_crank(drives, angle_=math.acos((0.385**2 + 0.1**2 - 0.3**2) / (2 * 0.385 * 0.1))))


def test_a_drive_too_many_is_refused_where_it_cannot_be_followed_either() -> None:
    """The piston is to start 5 mm from where the crank's angle has it."""
    drives = (angle.Config("motor", "crank", 1.0), position.Config("piston", "guide", speed=0.1, start=0.380))
    with pytest.raises(ModelError, match=r"drives: 2 drives for 1 degree of freedom \(motor, piston\); take one away"):
        create(slider_crank(drives, angle_=math.acos((0.385**2 + 0.1**2 - 0.3**2) / (2 * 0.385 * 0.1))))
    with pytest.raises(InconsistentStart, match="the linkage cannot close: "):  # beyond its reach: one drive, which is right
        create(slider_crank((position.Config("piston", "guide", speed=0.1, start=0.5),)))


def test_two_drives_of_one_body_are_named_where_a_joint_with_clearance_leaves_freedom_enough() -> None:
    pin = clearance_revolute.Config("B", ("rod.B", "slider.origin"), 0.01, 1e-4)
    config = slider_crank((angle.Config("motor", "crank", 1.0), angle.Config("second", "crank", 2.0)))
    config = replace(config, joints=tuple(pin if joint.name == "B" else joint for joint in config.joints))
    with pytest.raises(ModelError, match=r"drives: (motor, second|second, motor) move the same.*take one away"):
        create(config)


def test_a_ring_of_gears_that_locks_is_told_by_its_joints() -> None:
    """Three wheels, each in mesh with both others."""
    names, at = ("a", "b", "c"), ((0.0, 0.0), (0.06, 0.0), (0.03, 0.03 * math.sqrt(3.0)))
    bodies = tuple(Body(name, 1.0, 1e-3, x=x, y=y) for name, (x, y) in zip(names, at, strict=True))
    ground = tuple(Point(name, x, y) for name, (x, y) in zip(names, at, strict=True))
    pins = tuple(revolute.Config(f"pin {name}", (f"ground.{name}", f"{name}.origin")) for name in names)
    mesh = tuple(gear.Config(f"{i}{j}", (f"{i}.origin", f"{j}.origin"), radii=(0.03, 0.03)) for i, j in ("ab", "bc", "ca"))
    ring = Config(bodies=bodies, joints=(*pins, *mesh), drives=(angle.Config("motor", "a", 1.0),), ground=ground)
    with pytest.raises(ModelError, match=r"drive motor can move nothing: .*no degree of freedom, as .*ab"):
        create(ring)
    assert create(replace(ring, joints=(*pins, *mesh[:2]))) is not None


def test_a_rough_guess_is_enough_and_free_bodies_keep_what_they_were_given() -> None:
    rough = slider_crank((angle.Config("motor", "crank", 1.0),))
    bodies = (rough.bodies[0], replace(rough.bodies[1], angle=0.4), replace(rough.bodies[2], x=0.5, y=0.1))
    start = create(replace(rough, bodies=bodies, outputs=("slider_x",)))
    start.start(np.zeros(start.lookahead))
    expected = 0.1 * math.cos(0.5) + math.sqrt(0.3**2 - (0.1 * math.sin(0.5)) ** 2)
    assert start.advance(np.zeros(1))[0, 0] == pytest.approx(expected, abs=1e-12)
    free = Config(bodies=(Body("puck", 1.0, 1.0, vx=2.0, vy=-1.0, angular_velocity=3.0, x=0.1, y=0.2),), joints=())
    np.testing.assert_allclose(run(free, 0.1)[-1], [0.3, 0.1, 0.3], atol=1e-12)


def test_a_slide_and_a_pin_without_clearance_are_the_ideal_joints() -> None:
    motor = (angle.Config("motor", "crank", 5.0),)
    ideal = slider_crank(motor)
    guide = clearance_prismatic.Config("guide", ("ground.origin", "slider.origin"), 0.02, 0.01, clearance=0.0)
    pin = clearance_revolute.Config("B", ("rod.B", "slider.origin"), 0.01)
    same = replace(slider_crank(motor, guide=guide), clearance=0.0)
    same = replace(same, joints=tuple(pin if joint.name == "B" else joint for joint in same.joints))
    outputs = ("slider_x", "rod_angle", "B_force", "guide_force", "motor_torque")
    values = [run(replace(config, outputs=outputs), 0.2) for config in (ideal, same)]
    np.testing.assert_allclose(*values, rtol=1e-12, atol=1e-12)
    assert not np.any(run(replace(same, outputs=("B_penetration", "guide_penetration")), 0.01))


def test_what_a_step_may_be_is_said() -> None:
    pin = clearance_revolute.Config("B", ("rod.B", "slider.origin"), 0.01, 1e-4)
    config = slider_crank((angle.Config("motor", "crank", 5.0),))
    config = replace(config, joints=tuple(pin if joint.name == "B" else joint for joint in config.joints))
    with pytest.raises(ModelError, match=r"integrator.step 0.001 s is above the stability limit of this method, [\d.e-]+ s"):
        create(config, rk4.Config(step=1e-3))
    create(config, rk4.Config(step=1e-6))


CRANK = slider_crank((angle.Config("motor", "crank", 5.0),))


@each_row(
    ("change", "message"),
    [
        ({"bodies": (CRANK.bodies[0], CRANK.bodies[0], *CRANK.bodies[1:])}, r"bodies\.1\.name: 'crank' is the name of another"),
        ({"bodies": (replace(CRANK.bodies[0], name=""), *CRANK.bodies[1:])}, r"bodies\.0\.name: expected a name such as crank, got ''"),
        ({"joints": (revolute.Config(" ", ("crank.B", "rod.B")),)}, r"joints\.0\.name: expected a name such as crank, got ' '"),
        ({"bodies": ()}, "bodies: expected at least one"),
        ({"joints": (revolute.Config("X", ("crank.C", "rod.B")),)}, r"joints\.0: X: crank has no point 'C'; it has origin, centre, B"),
        ({"joints": (revolute.Config("X", ("crank", "rod.B")),)}, r'joints\.0: X: expected "BODY\.POINT"'),
        ({"joints": (revolute.Config("X", ("lever.B", "rod.B")),)}, "there is no body 'lever'; there are crank, rod, slider, ground"),
        ({"joints": (revolute.Config("X", ("rod.B", "rod.origin")),)}, "points of the same body"),
        ({"joints": (revolute.Config("X", ("rod.B",)),)}, r"got 1 \(rod\.B\); give the point of the other body, too"),
        ({"joints": (revolute.Config("X", ()),)}, r"between: expected two points such as .*, got none; give one point of each body"),
        ({"joints": (clearance_revolute.Config("X", ("crank.B", "rod.B"), 0.01),)}, "clearance: missing"),
        ({"joints": (clearance_revolute.Config("X", ("crank.B", "rod.B"), 0.01, 0.02),)}, "less than the bearing's radius"),
        ({"drives": (angle.Config("motor", "ground", 5.0),)}, "body: expected a body"),
        ({"drives": (position.Config("piston", "A", 5.0),)}, r"joint: expected a prismatic joint \(guide\), got 'A'"),
        ({"drives": (angle.Config("A", "crank", 5.0),)}, r"drives\.0\.name: 'A' is the name of another"),
        ({"friction": -0.1}, "friction: expected at least 0"),
        ({"friction_none_below": 1.0}, "friction_none_below: expected less than"),
    ],
)
def test_bad_descriptions_are_refused_with_what_there_is(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(CRANK, **change)


@pytest.mark.parametrize("change", [{"mass": 0.0}, {"mass": -1.0}, {"inertia": 0.0}, {"name": "ground"}, {"points": (Point("centre"),)}])
def test_bad_bodies_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        replace(CRANK.bodies[0], **change)


def test_an_output_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(ModelError, match=r"no channel 'handle_torque'; a channel begins with .*joints shaft, A, B, guide; drives motor"):
        create(replace(CRANK, outputs=("handle_torque",)))
    with pytest.raises(ModelError, match=r"there is no channel 'crank_z'; did you mean .*crank_x"):
        create(replace(CRANK, outputs=("crank_z",)))


def test_only_what_bodies_share_is_stored_of_the_matrix() -> None:
    """A chain of n pins needs rows of bounded length, however long it is."""

    def room(links: int) -> int:
        bodies = tuple(bar(f"link {k}", 0.1, 0.1 * k) for k in range(links))
        pins = [revolute.Config("0", ("ground.origin", "link 0.origin"))]
        pins += [revolute.Config(str(k), (f"link {k - 1}.B", f"link {k}.origin")) for k in range(1, links)]
        p = create(Config(bodies=bodies, joints=tuple(pins))).system.p
        return int(p[at.S_PIVOTS] - p[at.S_SKYLINE])

    assert room(20) - room(19) == room(10) - room(9) <= 8
