"""Planar mechanisms as data: the same accelerations as the hand-derived equations, closed forms, energy, drift, what a joint can be."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly import layout as at
from model.assembly.description import Body, Contact, Place, Point
from model.assembly.drives import angle, position
from model.assembly.forces import constant, spring_damper
from model.assembly.joints import clearance_prismatic, clearance_revolute, prismatic, revolute
from model.contact.force import force
from model.contact.laws import damping
from model.contact.restitution import restitution as closed_form
from model.integrators import dop853, rk4
from model.joints.contact import EACH
from model.mechanisms import four_bar
from model.mechanisms import slider_crank as by_hand
from model.mechanisms.four_bar import kernel
from model.mechanisms.four_bar import stepper as four_bar_motion
from model.mechanisms.planar import Config
from model.mechanisms.planar import kernel as planar_kernel
from model.mechanisms.planar import stepper as planar_motion
from model.mechanisms.slider_crank import start as by_hand_start
from model.mechanisms.slider_crank import stepper as by_hand_motion
from tests.tiers import quick
from tests.unit.model.mechanisms.planar.described import slider_crank

Floats = NDArray[np.float64]
STATES = 100
NO_INPUT = np.zeros(8)


def derivative(config: Config, t: float, q: Floats, v: Floats, speeds: Floats) -> Floats:
    """v' (3 bodies,) by the generic path, contacts closed where their approach speed is not 0."""
    system = planar_motion.assemble(config).system
    s = system.s.copy()
    for number, speed in enumerate(speeds):
        s[EACH * number + EACH - 1] = speed
    y = np.concatenate([q, v])
    dy = np.zeros_like(y)
    planar_kernel.rhs(t, y, dy, system.p, s, NO_INPUT, force)
    return dy[len(q) :]


def turned(angle: float, length: float) -> Floats:
    return length * np.array([math.cos(angle), math.sin(angle)])


@pytest.mark.parametrize("guide_clearance", [0.0, 0.05e-3])
@pytest.mark.parametrize("joint", quick(["rod_slider", "crank_rod"], 1))
def test_accelerations_of_the_slider_crank_are_those_of_the_hand_derived_equations(joint: str, guide_clearance: float) -> None:
    rng = np.random.default_rng(7)
    like = by_hand.Config(clearance_joint=joint, guide_clearance=guide_clearance, gravity=9.81, friction=0.1, guide_damping=0.4)
    config = slider_crank(like)
    places = by_hand_start.places(like)
    equations, p = by_hand_motion._equations(like), by_hand_motion.parameters(like)
    r, length, centre = like.crank.length, like.rod.length, like.rod.centre
    worst = 0.0
    for _ in range(STATES):
        t = rng.uniform(0.0, 0.012)
        theta = like.speed * t
        deep, way = like.clearance * rng.uniform(0.5, 1.3), rng.uniform(0.0, 2 * np.pi)
        g = turned(way, deep)
        across, psi = (rng.uniform(-6e-5, 6e-5), rng.uniform(-0.01, 0.01)) if guide_clearance else (0.0, 0.0)
        phi = math.asin((across + g[1] - r * math.sin(theta)) / length)
        x = r * math.cos(theta) + length * math.cos(phi) - g[0]
        rates = rng.normal(0.0, [100.0, 5.0, 0.2, 5.0]) * ([1, 1, 1, 1] if guide_clearance else [1, 1, 0, 0])
        closed = np.array([1.3 * float(rng.random() < 0.7), *(rng.random(4) < 0.5).astype(float)])[: 5 if guide_clearance else 1]
        y = np.concatenate([np.array([phi, x, across, psi])[places], rates[places]])
        s = np.zeros(EACH * 5)
        s[:EACH] = by_hand_start.begun(like, p, len(y))[1][:EACH]
        s[EACH - 1 :: EACH][: len(closed)] = closed
        dy = np.zeros_like(y)
        equations.rhs(t, y, dy, p, s, NO_INPUT, force)
        expected = np.zeros(4)
        expected[places] = dy[len(places) :]

        phi_rate, vx, vy, psi_rate = rates
        normal = np.array([-math.sin(theta), math.cos(theta)])
        pin, pin_rate = turned(theta, r), like.speed * r * normal
        along, up = turned(phi, 1.0), np.array([-math.sin(phi), math.cos(phi)])
        if joint == "rod_slider":
            rod, rod_rate = pin + centre * along, pin_rate + centre * phi_rate * up
        else:
            rod, rod_rate = [x, across] - (length - centre) * along, [vx, vy] - (length - centre) * phi_rate * up
        q = np.array([*(0.5 * pin), theta, *rod, phi, x, across, psi])
        v = np.array([*(0.5 * pin_rate), like.speed, *rod_rate, phi_rate, vx, vy, psi_rate])
        found = derivative(config, t, q, v, closed)[[5, 6, 7, 8]]
        worst = max(worst, float(np.max(np.abs(found - expected) / (1.0 + np.max(np.abs(expected))))))
    assert worst < 1e-9


def four_bar_like(like: four_bar.Config) -> Config:
    """The same mechanism, described; A is the ground's origin, D lies on x."""
    central = [
        like.coupler_inertia - like.coupler_mass * like.coupler_centre**2,
        like.rocker_inertia - like.rocker_mass * (like.rocker_length - like.rocker_centre) ** 2,
    ]
    return Config(
        bodies=(
            Body("crank", 1.0, 1e-3, points=(Point("B", like.crank_length),)),
            Body("coupler", like.coupler_mass, central[0], Place(like.coupler_centre), (Point("C", like.coupler_length),)),
            Body("rocker", like.rocker_mass, central[1], Place(like.rocker_centre), (Point("D", like.rocker_length),), angle=-1.0),
        ),
        joints=(
            revolute.Config("A", ("ground.origin", "crank.origin")),
            revolute.Config("B", ("crank.B", "coupler.origin")),
            clearance_revolute.Config("C", ("coupler.C", "rocker.origin"), like.bearing_radius),
            revolute.Config("D", ("ground.D", "rocker.D")),
        ),
        drives=(angle.Config("motor", "crank", like.speed, like.start_angle),),
        ground=(Point("D", like.ground_length),),
        gravity=like.gravity,
        clearance=like.clearance,
        contact=Contact(law=like.contact.law, restitution=like.contact.restitution, stiffness=four_bar.config.contact_stiffness(like)),
        friction=like.friction,
        friction_none_below=like.friction_none_below,
        friction_whole_above=like.friction_whole_above,
    )


def test_accelerations_of_the_four_bar_are_those_of_the_hand_derived_equations() -> None:
    rng = np.random.default_rng(8)
    like = four_bar.Config(friction=0.1)
    config, p = four_bar_like(like), four_bar_motion.parameters(like)
    l1, l2, l3 = like.crank_length, like.coupler_length, like.rocker_length
    worst = 0.0
    for _ in range(STATES):
        t, way = rng.uniform(0.0, 0.2), rng.uniform(0.0, 2 * np.pi)
        depth, rates = rng.uniform(0.0, 1e-5), rng.normal(0.0, 0.2, 2)
        y = np.array([depth, like.clearance * way, *rates])
        s = four_bar_motion.start(like)[1].copy()
        s[EACH - 1] = 0.3
        dy = np.zeros(4)
        kernel.rhs(t, y, dy, p, s, NO_INPUT, force)

        e, turning = like.clearance + depth, rates[1] / like.clearance
        n, around = turned(way, 1.0), np.array([-math.sin(way), math.cos(way)])
        offset, offset_rate = e * n, rates[0] * n + e * turning * around
        c1, s1, c2, s2, c3, s3, w2, w3 = kernel.links(like.start_angle + like.speed * t, like.speed, *offset, *offset_rate, p)
        w1 = like.speed
        e1, e2, e3 = np.array([c1, s1]), np.array([c2, s2]), np.array([c3, s3])
        u1, u2, u3 = np.array([-s1, c1]), np.array([-s2, c2]), np.array([-s3, c3])
        left = np.array([like.ground_length, 0.0]) - (l3 - like.rocker_centre) * e3
        centre = like.coupler_centre
        q = np.concatenate(
            [np.zeros(2), [like.start_angle + w1 * t], l1 * e1 + centre * e2, [math.atan2(s2, c2)], left, [math.atan2(s3, c3)]]
        )
        v = np.concatenate([np.zeros(2), [w1], l1 * w1 * u1 + centre * w2 * u2, [w2], -(l3 - like.rocker_centre) * w3 * u3, [w3]])
        a = derivative(config, t, q, v, np.array([0.3]))
        # the eccentricity is what is missing in the loop: e'' = -(l1 e1)'' - (l2 e2)'' - (l3 e3)''
        second = l1 * w1**2 * e1 + l2 * (w2**2 * e2 - a[5] * u2) + l3 * (w3**2 * e3 - a[8] * u3)
        found = np.array([second @ n + e * turning**2, (second @ around - 2 * rates[0] * turning) * like.clearance / e])
        worst = max(worst, float(np.max(np.abs(found - dy[2:])) / (1.0 + np.max(np.abs(dy[2:])))))
    assert worst < 1e-9


def run(config: Config, integrator: Any, duration: float, rate: float = 10e3) -> tuple[planar_motion.PlanarStepper, Floats]:
    stepper = config.create(integrator, rate)
    stepper.start(np.zeros(stepper.lookahead))
    return stepper, stepper.advance(np.zeros(round(duration * rate) + 1))


def test_torque_of_the_ideal_slider_crank_is_the_closed_form() -> None:
    like = by_hand.Config(clearance=0.0, guide_clearance=0.0, friction=0.0)
    generic = slider_crank(like, ("motor_torque", "slider_x")).create(dop853.Config(tolerance=1e-11), 1e5)
    generic.start(np.zeros(generic.lookahead))
    values, low, high = generic.advance_with_extremes(np.zeros(1201))
    stepper = like.create(dop853.Config(tolerance=1e-11), 1e5)
    stepper.start(np.zeros(stepper.lookahead))
    expected = stepper.advance(np.zeros(len(values)))
    assert high[:, 0].max() == pytest.approx(138.52167, rel=1e-7)
    assert low[:, 0].min() == pytest.approx(-138.52167, rel=1e-7)
    np.testing.assert_allclose(values[:, 0], expected[:, 1], atol=138.5 * 1e-8)
    np.testing.assert_allclose(values[:, 1], expected[:, 2], atol=1e-12)


def test_first_impact_of_the_slider_crank_with_both_clearances() -> None:
    like = by_hand.Config(friction=0.0)
    config = slider_crank(like)
    stepper, _ = run(config, dop853.Config(tolerance=1e-10), 2e-4, 1e6)
    pin = [event for event in stepper.events if stepper.contacts[event.guard] == "pin"]
    assert pin[0].time == pytest.approx(71.77141e-6, rel=1e-5)
    assert pin[0].noted == pytest.approx(1.3928702, rel=1e-5)
    assert pin[1].time == pytest.approx(115.4233e-6, rel=1e-5)
    assert config.event(pin[0].guard, pin[0].noted) == ("contact_start", "pin", pin[0].noted)
    assert config.event(pin[1].guard, pin[1].noted) == ("contact_end", "pin", None)


def test_rigid_slider_crank_to_a_tenth_of_a_micrometre_and_what_it_takes() -> None:
    config = slider_crank(by_hand.Config(guide_clearance=0.0, friction=0.0), ("slider_x",))
    _, fine = run(config, dop853.Config(tolerance=1e-11), 0.012, 1e5)
    stepper, coarse = run(config, dop853.Config(tolerance=1e-6, longest_step=1e-3), 0.012, 1e5)
    assert np.max(np.abs(coarse - fine)) < 1e-7
    q, v = np.split(stepper.state, 2)
    assert np.max(np.abs(stepper.system.violated(stepper.time, q, v)[0])) < 1e-9
    assert stepper.work["accepted"] + stepper.work["rejected"] < 1000


def pendulum(joint: Any, gravity: float = 9.81, **more: Any) -> Config:
    arm = Body("arm", 1.2, 0.02, Place(0.1), (Point("E", 0.3), Point("F", 0.25, 0.1)), angle=-0.3)
    fore = Body("fore", 0.7, 0.01, Place(0.15, 0.02), (Point("H", 0.35),), angle=0.4, angular_velocity=3.0)
    joints = (revolute.Config("shoulder", ("ground.origin", "arm.origin")), joint)
    return Config(bodies=(arm, fore), joints=joints, gravity=gravity, **more)


ELBOWS = {
    "revolute": revolute.Config("elbow", ("arm.E", "fore.origin")),
    "clearance": clearance_revolute.Config("elbow", ("arm.E", "fore.origin"), 0.01, 1e-4, contact=Contact(law="hertz")),
}


@pytest.mark.parametrize("joint", ELBOWS.values(), ids=ELBOWS.keys())
def test_energy_of_a_double_pendulum_with_a_spring_is_kept(joint: Any) -> None:
    spring = spring_damper.Config("spring", ("ground.S", "fore.H"), stiffness=200.0, length=0.2)
    ground = (Point("S", 0.3, 0.5),)
    stepper, _ = run(pendulum(joint, forces=(spring,), ground=ground), dop853.Config(tolerance=1e-11), 1.0)
    started = planar_motion.assemble(pendulum(joint, forces=(spring,), ground=ground)).state
    contact = Contact(law="hertz")

    def energy(state: Floats) -> float:
        q, v = state.reshape(2, 2, 3)
        kinetic = 0.5 * sum(m * (w[0] ** 2 + w[1] ** 2) + j * w[2] ** 2 for m, j, w in ((1.2, 0.02, v[0]), (0.7, 0.01, v[1])))
        height = 1.2 * q[0, 1] + 0.7 * q[1, 1]

        def place(body: int, x: float, y: float) -> Floats:
            return q[body, :2] + turned(q[body, 2], x) + turned(q[body, 2] + np.pi / 2, y)

        stretch = np.linalg.norm(place(1, 0.2, -0.02) - [0.3, 0.5]) - 0.2
        depth = max(0.0, float(np.linalg.norm(place(1, -0.15, -0.02) - place(0, 0.2, 0.0))) - 1e-4)
        pressed = contact.hertz(0.01, 0.0099) * depth**2.5 / 2.5 if isinstance(joint, clearance_revolute.Config) else 0.0
        return kinetic + 9.81 * height + 0.5 * 200.0 * stretch**2 + pressed

    assert isinstance(joint, revolute.Config) or len(stepper.events) > 4
    assert energy(stepper.state) == pytest.approx(energy(started), abs=1e-6)


def test_jacobian_and_second_derivative_against_differences() -> None:
    slide = prismatic.Config("slide", ("arm.F", "fore.H"), direction=0.4, angle=0.7)
    config = replace(pendulum(slide), drives=(position.Config("piston", "slide", 0.3, 0.1), angle.Config("motor", "arm", 2.0)))
    config = replace(config, bodies=(config.bodies[0], replace(config.bodies[1], angular_velocity=None)))  # the drives say it
    start = planar_motion.assemble(config)
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)
    t, h = 0.3, 1e-5
    _, rate, jacobian = start.system.violated(t, q, v)
    before, after = (start.system.violated(t + k * h, q + k * h * v, v)[0] for k in (-1, 1))
    np.testing.assert_allclose((after - before) / (2 * h), rate, atol=1e-8)
    for column in range(6):
        step = h * np.eye(6)[column]
        gaps = [start.system.violated(t, q + k * step, v)[0] for k in (-1, 1)]
        np.testing.assert_allclose((gaps[1] - gaps[0]) / (2 * h), jacobian[:, column], atol=1e-8)
    rates = [start.system.violated(t + k * h, q + k * h * v, v + k * h * a)[1] for k in (-1, 1)]
    s = start.system.s.copy()
    planar_kernel.accelerate(t, np.concatenate([q, v]), start.system.p, s, NO_INPUT, 0.0, force)
    rest = s[int(start.system.p[at.S_REST]) :][: len(rate)]
    np.testing.assert_allclose((rates[1] - rates[0]) / (2 * h), jacobian @ a + rest, atol=1e-6)


def test_joint_force_and_acceleration_of_a_pendulum_at_rest_under_a_load() -> None:
    bar = Body("bar", 2.0, 0.5, Place(0.0, 1.0), (Point("E", 0.0, 3.0),), angle=math.pi)
    load = constant.Config("load", "bar.E", force_x=6.0)
    outputs = ("pin_force", "pin_force_y", "bar_angular_acceleration", "bar_E_ax", "bar_E_ay", "bar_E_x", "bar_E_y", "bar_E_vx")
    config = Config(
        bodies=(bar,), joints=(revolute.Config("pin", ("ground.origin", "bar.origin")),), forces=(load,), gravity=10.0, outputs=outputs
    )
    _, values = run(config, dop853.Config(), 1e-3)
    turning = 6.0 * 3.0 / (0.5 + 2.0 * 1.0**2)
    across = 2.0 * turning - 6.0
    np.testing.assert_allclose(values[0], [math.hypot(across, 20.0), 20.0, turning, 3.0 * turning, 0.0, 0.0, -3.0, 0.0], atol=1e-12)


def test_order_of_the_fixed_step() -> None:
    config = pendulum(ELBOWS["revolute"])
    fine = run(config, dop853.Config(tolerance=1e-13), 0.2, 100.0)[1][-1]
    errors = [np.max(np.abs(run(config, rk4.Config(step=step), 0.2, 100.0)[1][-1] - fine)) for step in (1e-3, 5e-4, 2.5e-4)]
    slopes = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(slopes, 4.0, atol=0.4)


def test_a_moving_slide_feels_the_same_contact_as_the_one_at_rest() -> None:
    """A guide on a body that turns with constant speed, seen from it: no contact force depends on who looks."""
    box = Body("box", 0.3, 1e-4, points=(), angle=0.5)
    table = Body("table", 1.0, 1.0, angle=0.5)
    rail = clearance_prismatic.Config("rail", ("table.origin", "box.centre"), 0.02, 0.01, clearance=1e-4, friction=0.2, damping=0.3)
    config = Config(bodies=(table, box), joints=(revolute.Config("axle", ("ground.origin", "table.origin")), rail), drives=())
    rng = np.random.default_rng(3)
    q_rel, v_rel, omega = np.array([0.05, 1.5e-4, 0.01]), np.array([0.8, 0.05, -0.7]), 0.0
    closed = np.ones(4)
    found = []
    for turn in rng.uniform(0, 6, 3):
        rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        q = np.concatenate([[0, 0, turn], rotation @ q_rel[:2], [turn + q_rel[2]]])
        v = np.concatenate([[0, 0, omega], rotation @ v_rel[:2], [v_rel[2]]])
        a = derivative(config, 0.0, q, v, closed)
        found.append([*(rotation.T @ a[3:5]), a[5], a[2]])
    np.testing.assert_allclose(found[1:], found[:1] * np.ones((2, 4)), rtol=1e-9)
    force_on_box, moment_on_table = 0.3 * np.array(found[0][:2]), found[0][3] * 1.0
    # what acts on the table is the opposite, in the same line: moments about the axle cancel
    assert moment_on_table == pytest.approx(-(q_rel[0] * force_on_box[1] - q_rel[1] * force_on_box[0] + 1e-4 * found[0][2]), rel=1e-9)


def puck(law: str, restitution: float, friction: float = 0.0) -> Config:
    """A disc in a bearing at rest."""
    return Config(
        bodies=(Body("puck", 0.5, 2e-5),),
        joints=(clearance_revolute.Config("bearing", ("ground.origin", "puck.centre"), 0.01, 1e-4),),
        contact=Contact(law=law, restitution=restitution),
        friction=friction,
        outputs=("puck_vx", "puck_vy", "puck_angular_velocity", "bearing_force_x", "bearing_force_y"),
    )


def flown(config: Config, v: tuple[float, float, float], duration: float) -> tuple[planar_motion.PlanarStepper, Floats]:
    """The disc sent off from the middle."""
    stepper = config.create(dop853.Config(tolerance=1e-11, longest_step=1e-5), 1e5)
    stepper.start(np.zeros(stepper.lookahead), np.array([0.0, 0.0, 0.0, *v]))
    return stepper, stepper.advance(np.zeros(round(duration * 1e5)))


@pytest.mark.parametrize("law", ["exact", "lankarani_nikravesh", "hertz", "hu_guo"])
def test_restitution_through_the_whole_mechanism_is_the_closed_form(law: str) -> None:
    stepper, values = flown(puck(law, 0.6), (0.4, 0.3, 0.0), 6e-4)
    struck, parted = stepper.events[:2]
    assert (struck.noted, parted.noted) == (pytest.approx(0.5, rel=1e-9), 0.0)
    vx, vy, _, fx, fy = values[math.ceil(parted.time * 1e5)]
    assert (fx, fy) == (0.0, 0.0)
    assert -(0.8 * vx + 0.6 * vy) / 0.5 == pytest.approx(closed_form(damping(law, 0.6)), rel=1e-5)


def test_friction_only_takes_energy() -> None:
    _, values = flown(puck("hertz", 1.0, friction=0.3), (0.4, 0.3, 400.0), 4e-3)
    free = (values[:, 3] == 0.0) & (values[:, 4] == 0.0)
    energy = (0.25 * (values[:, 0] ** 2 + values[:, 1] ** 2) + 1e-5 * values[:, 2] ** 2)[free]
    assert np.all(np.diff(energy) < 1e-9 * energy[0])
    assert energy[-1] < 0.9 * energy[0]
