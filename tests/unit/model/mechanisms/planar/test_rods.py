"""Rods that give way in described mechanisms: as the equations by hand have them, closed forms, conservation, the rigid limit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import eigh

from model.assembly.description import Accelerometer, Body, Place, Point
from model.assembly.drives import angle
from model.assembly.forces import constant, moving_load, torsion_spring
from model.assembly.joints import prismatic, revolute, weld
from model.assembly.rods.rod import Rod
from model.equations.tree import Uncovered
from model.errors import ModelError
from model.integrators import dop853, generalized_alpha, rk4
from model.mechanisms import flexible_pendulum
from model.mechanisms import slider_crank_flexible as by_hand
from model.mechanisms.planar import Config, generated, led
from rig.config import load_experiment
from tests.tiers import quick
from tests.unit.model.mechanisms.driven_cases import ramp
from tests.unit.model.mechanisms.planar.described import PROJECT
from tests.unit.model.mechanisms.planar.flexible import described, energy, frequencies, run, started

Floats = NDArray[np.float64]
SAME = {"crank_torque": "motor_torque", "slider_position": "slider_x", "slider_velocity": "slider_vx", "joint_force": "pin_force"}
LENGTH, MASS, MODULUS, AREA, SECOND_MOMENT = 0.5, 0.2, 70e9, 1e-4, 1e-9
BENDING = MODULUS * SECOND_MOMENT
BETA = 4.69409113  # of a cantilever's second mode: cos b cosh b = -1
MIDDLE = (Point("mid", 0.5 * LENGTH),)
ROD = Rod("rod", LENGTH, MASS, MODULUS, AREA, SECOND_MOMENT, elements=2, points=MIDDLE)
CLAMP = weld.Config("clamp", ("ground.origin", "rod.begin"))
PIN = revolute.Config("O", ("ground.origin", "rod.begin"))
SOFT = replace(ROD, youngs_modulus=5e6)
DAMPED = replace(ROD, youngs_modulus=1e10, damping=2e-4)


def near(found: Floats, wanted: Floats, share: float) -> bool:
    return bool(np.max(np.abs(found - wanted)) < share * np.ptp(wanted))


@pytest.mark.parametrize(
    ("joint", "clearance", "guide"),
    quick([("rod_slider", 0.0, 0.0), ("rod_slider", 5e-5, 0.0), ("crank_rod", 5e-5, 0.0), ("crank_rod", 5e-5, 5e-5)], 2),
)
def test_it_moves_as_the_slider_crank_whose_equations_are_derived_by_hand(joint: str, clearance: float, guide: float) -> None:
    """Both to 1e-11 a step: 1e-8 of each quantity's range. The control: a rod a thousandth stiffer is farther off than that."""
    rod = by_hand.config.Rod(elements=3, damping=1e-6)
    like = by_hand.Config(
        clearance_joint=joint, clearance=clearance, guide_clearance=guide, gravity=9.81, friction=0.1 if clearance else 0.0, rod=rod
    )  # fmt: skip
    outputs = ("crank_angle", "slider_x", "slider_vx", "motor_torque", "pin_force")
    method, rate, seconds = dop853.Config(tolerance=1e-11, longest_step=1e-4), 20e3, 2e-3
    stepper = like.create(method, rate)
    stepper.start(np.zeros(stepper.lookahead))
    wanted = dict(zip((name for name, _ in like.channels), stepper.advance(np.zeros(round(seconds * rate) + 1)).T, strict=True))
    found = run(described(like, outputs), seconds, rate, method)
    stiffer = run(described(like, outputs, stiffer=1.001), seconds, rate, method)
    for name, same in SAME.items():
        assert near(found[same], wanted[name], 1e-8), name
        assert not near(stiffer[same], wanted[name], 1e-8), name


def test_it_swings_as_the_pendulum_of_spatial_elements() -> None:
    """Which have rotary inertia beside: within a thousandth of the length over 0.6 s. The control: half the modulus."""
    like = flexible_pendulum.Config()
    stepper = like.create(generalized_alpha.Config(step=2e-4), 1e3)
    stepper.start(np.zeros(stepper.lookahead))
    wanted = stepper.advance(np.zeros(601))
    bar = like.bar
    area, moment = bar.width * bar.height, bar.width * bar.height**3 / 12.0
    rod = Rod("rod", bar.length, bar.density * area * bar.length, bar.youngs_modulus, area, moment, bar.elements)

    def away(rod: Rod) -> float:
        found = run(Config(joints=(PIN,), rods=(rod,), gravity=like.gravity), 0.6)
        return float(np.max(np.hypot(found["rod_end_x"] - wanted[:, 0], found["rod_end_y"] - wanted[:, 2])))

    assert away(rod) < 1e-3 * bar.length < away(replace(rod, youngs_modulus=0.5 * bar.youngs_modulus))


def hermite(elements: int) -> Floats:
    """Frequencies of a cantilever of Euler-Bernoulli beam elements, Hz, with the matrices of textbooks (Przemieniecki 1968, 5.4, 11.3)."""
    h = LENGTH / elements
    k = np.array(
        [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2], [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]
    )
    m = np.array(
        [
            [156, 22 * h, 54, -13 * h],
            [22 * h, 4 * h**2, 13 * h, -3 * h**2],
            [54, 13 * h, 156, -22 * h],
            [-13 * h, -3 * h**2, -22 * h, 4 * h**2],
        ]
    )
    stiffness, mass = (np.zeros((2 * elements + 2,) * 2) for _ in range(2))
    for n in range(0, 2 * elements, 2):
        stiffness[n : n + 4, n : n + 4] += BENDING / h**3 * k
        mass[n : n + 4, n : n + 4] += MASS / elements / 420.0 * m
    return np.asarray(np.sqrt(eigh(stiffness[2:, 2:], mass[2:, 2:], eigvals_only=True)) / (2.0 * math.pi))


def test_a_cantilever_has_the_frequencies_of_euler_and_bernoulli() -> None:
    """As such elements have them, to the differences' 1e-5; the second closer to the closed form with the fourth power of their number."""
    exact = BETA**2 / (2.0 * math.pi) * math.sqrt(BENDING * LENGTH / (MASS * LENGTH**4))
    errors = []
    for elements in (3, 6):
        found = frequencies(Config(joints=(CLAMP,), rods=(replace(ROD, elements=elements, points=()),)))
        assert found[:2] == pytest.approx(hermite(elements)[:2], rel=1e-5)
        errors.append(found[1] / exact - 1.0)
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.3)


def test_a_bar_pinned_at_its_ends_and_one_between_walls_has_their_frequencies() -> None:
    """Pinned, free to slide: pi^2; clamped at both ends, 4.73^2: all six rows hold, as three would of a rigid body."""
    root = math.sqrt(BENDING * LENGTH / (MASS * LENGTH**4)) / (2.0 * math.pi)
    rod, ground = replace(ROD, elements=6, points=()), (Point("B", LENGTH),)
    block = Body("block", 1e-3, 1e-6)
    slide = prismatic.Config("slide", ("ground.B", "block.origin"))
    pinned = Config((block,), (PIN, slide, revolute.Config("B", ("rod.end", "block.origin"))), rods=(rod,), ground=ground)
    assert frequencies(pinned)[0] == pytest.approx(math.pi**2 * root, rel=1e-3)
    between = Config(joints=(CLAMP, weld.Config("other", ("ground.B", "rod.end"))), rods=(rod,), ground=ground)
    stepper = started(between, 1e3)
    assert stepper.redundancy.rank == 6 and stepper.redundancy.redundant == ()
    assert frequencies(between)[0] == pytest.approx(4.73004074**2 * root, rel=1e-3)


def resting(config: Config) -> dict[str, Floats]:
    """Channels where its drive stands still at the start, on a rig."""
    stepper = config.create(dop853.Config(tolerance=1e-8, longest_step=1e-4), 10e3, "command")
    samples = np.zeros(stepper.lookahead + 5)
    stepper.start(samples[: stepper.lookahead])
    values = stepper.advance(samples[stepper.lookahead :])
    return {name: values[:, k] for k, (name, _) in enumerate(config.channels)}


@pytest.mark.parametrize("relaxation", [True, False])
def test_at_rest_it_sags_as_a_cantilever_does(monkeypatch: pytest.MonkeyPatch, relaxation: bool) -> None:
    """F L^3/3EI by a force at its end, q L^4/8EI by its weight: about a thousandth of its length, to which it is linear to 1e-5. So too
    where the balance of forces alone brings it there."""
    if not relaxation:
        monkeypatch.setattr(led, "FIRST", 1)
        monkeypatch.setattr(led, "STEPS", 2)
    held = Config(joints=(PIN,), drives=(angle.Config("motor", "rod", 1.0),), rods=(ROD,))
    force = resting(replace(held, forces=(constant.Config("F", "rod.end", force_y=-1.0),)))
    assert force["rod_end_y"] == pytest.approx(np.full(5, -(LENGTH**3) / (3.0 * BENDING)), rel=1e-4)
    assert force["motor_torque"] == pytest.approx(np.full(5, LENGTH), rel=1e-4)
    weight = resting(replace(held, gravity=9.81))
    assert weight["rod_end_y"] == pytest.approx(np.full(5, -9.81 * MASS / LENGTH * LENGTH**4 / (8.0 * BENDING)), rel=1e-4)
    assert weight["motor_torque"] == pytest.approx(np.full(5, 9.81 * MASS * 0.5 * LENGTH), rel=1e-4)


def falling(damping: float = 0.0) -> Config:
    """A rod that hangs, on which another one is pinned in the middle: both fall from the level."""
    arm = Rod("arm", 0.3, 0.1, 5e6, AREA, SECOND_MOMENT, elements=3, damping=damping)
    joints = (PIN, revolute.Config("P", ("rod.mid", "arm.begin")))
    return Config(joints=joints, rods=(replace(SOFT, damping=damping), arm), gravity=9.81)


def test_a_rod_on_a_rod_keeps_the_energy() -> None:
    """To 1e-9 of what is exchanged within a second, while both turn far beyond half a turn; with damping it loses some."""
    config, changes = falling(), []
    for one in (config, falling(damping=1e-4)):
        stepper = started(one, 1e3)
        before = energy(stepper, one)
        values = stepper.advance(np.zeros(1001))
        after = energy(stepper, one)
        assert after[0] > 0.1
        names = [name for name, _ in one.channels]
        assert values[:, names.index("rod_angle")].min() < -0.8 * math.pi
        changes.append((sum(after) - sum(before)) / after[0])
    assert abs(changes[0]) < 1e-9
    assert changes[1] < -1e-4


def test_what_nothing_holds_keeps_its_momenta() -> None:
    hub = Body("hub", 0.5, 1e-3, points=(Point("rim", 0.1),), vx=1.0, angular_velocity=3.0, x=0.0, y=0.0)
    rod = replace(SOFT, youngs_modulus=1e5, angular_velocity=-2.0)
    config = Config((hub,), (revolute.Config("O", ("hub.rim", "rod.begin")),), rods=(rod,))
    stepper = started(config, 1e3)
    mass = np.zeros((3 + rod.beam.coordinates,) * 2)
    mass[:3, :3], mass[3:, 3:] = np.diag([hub.mass, hub.mass, hub.inertia]), rod.beam.mass_matrix()

    def momenta() -> Floats:
        z, rates = stepper.system.parted(stepper.state)
        along = [np.concatenate([axis, [0.0], np.tile([*axis, 0.0, 0.0], rod.elements + 1)]) for axis in np.eye(2)]
        turn = np.concatenate([[-z[1], z[0], 1.0], np.column_stack([-z[4::2], z[3::2]]).ravel()])
        return np.array([direction @ mass @ rates for direction in (*along, turn)])

    before, bent = momenta(), 0.0
    for _ in range(10):
        stepper.advance(np.zeros(50))
        bent = max(bent, rod.beam.strain_energy(stepper.system.parted(stepper.state)[0][3:]))
        assert momenta() == pytest.approx(before, abs=1e-11)
    assert bent > 1e-3 * energy(stepper, config)[0]


def four_bar(modulus: float | None) -> Config:
    """A coupler with this modulus, Pa, or rigid."""
    crank = Body("crank", 1.0, 1e-3, points=(Point("A", 0.1),))
    rocker = Body("rocker", 0.8, 5e-3, Place(0.15), points=(Point("B", 0.3),), angle=1.3, x=0.4, y=0.0)
    rod = Rod("rod", 0.45, 0.3, modulus or 1.0, AREA, SECOND_MOMENT, elements=1, angle=0.6)
    joints = (
        revolute.Config("O", ("ground.origin", "crank.origin")), revolute.Config("A", ("crank.A", "rod.begin")),
        revolute.Config("B", ("rod.end", "rocker.B")), revolute.Config("C", ("ground.C", "rocker.origin")),
    )  # fmt: skip
    return Config(
        (crank, rocker) if modulus else (crank, rocker, rod.body), joints, (angle.Config("m", "crank", 20.0),),
        ground=(Point("C", 0.4),), gravity=9.81, outputs=("crank_angle", "rocker_angle"), rods=(rod,) if modulus else (),
    )  # fmt: skip


def test_a_stiffer_rod_goes_more_and_more_as_a_rigid_one() -> None:
    """What it is off goes with 1/E: ten times less for ten times the modulus, to 1e-5 of the range at 700 GPa."""
    wanted = run(four_bar(None), 0.1)["rocker_angle"]
    off = [np.max(np.abs(run(four_bar(modulus), 0.1)["rocker_angle"] - wanted)) / np.ptp(wanted) for modulus in (7e9, 7e10, 7e11)]
    assert off[2] < 1e-5 < off[0]
    assert off[0] / off[2] == pytest.approx(100.0, rel=0.5)


def test_angles_go_on_over_turns() -> None:
    """A rod welded to a crank that turns five times; its end lags and leads by what the rod bends."""
    crank = Body("crank", 1.0, 1e-2, points=(Point("A", 0.1),))
    joints = (revolute.Config("O", ("ground.origin", "crank.origin")), weld.Config("W", ("crank.A", "rod.begin"), 0.5))
    rod = replace(ROD, elements=1, points=(), angle=0.5)
    found = run(Config((crank,), joints, (angle.Config("m", "crank", 10.0 * math.pi),), rods=(rod,)), 1.0)
    assert found["rod_angle"] == pytest.approx(found["crank_angle"] + 0.5, abs=1e-9)
    assert found["crank_angle"][-1] == pytest.approx(10.0 * math.pi)
    assert found["rod_end_angle"] == pytest.approx(found["crank_angle"] + 0.5, abs=0.1)


def test_springs_and_accelerometers_meet_it_at_nodes() -> None:
    """A torsion spring at its end holds a force on its middle; what an accelerometer there shows is the rate of the velocity."""
    force, stiffness, rate = 1.0, 5.0, 20e3
    config = Config(
        joints=(PIN,), rods=(DAMPED,), accelerometers=(Accelerometer("felt", "rod.mid", 0.5 * math.pi),),
        forces=(
            torsion_spring.Config("T", "rod.end", stiffness=stiffness, damping=0.5), constant.Config("F", "rod.mid", force_y=force),
        ),
        outputs=("rod_mid_x", "rod_mid_vx", "rod_mid_vy", "rod_mid_angle", "rod_end_angle"),
    )  # fmt: skip
    found = run(config, 0.5, rate)
    assert stiffness * found["rod_end_angle"][-1] == pytest.approx(force * found["rod_mid_x"][-1], rel=2e-3)
    sine, cosine = np.sin(found["rod_mid_angle"]), np.cos(found["rod_mid_angle"])
    ax, ay = (np.gradient(found[name], 1.0 / rate) for name in ("rod_mid_vx", "rod_mid_vy"))
    late = slice(2000, -2)  # the axial modes have died away
    wanted = (cosine * ay - sine * ax)[late]
    assert np.ptp(wanted) > 0.1
    assert near(found["felt"][late], wanted, 1e-3)


def test_rows_that_follow_from_others_are_left_out_with_rods_too() -> None:
    """The block's second guide on the same line says nothing new; the motion is that without it."""
    block = Body("block", 0.3, 1e-3, points=(Point("side", 0.05),), x=LENGTH, y=0.0)
    guide = prismatic.Config("guide", ("ground.origin", "block.origin"))
    again = prismatic.Config("again", ("ground.origin", "block.side"))
    crank = Body("crank", 1.0, 1e-3, points=(Point("A", 0.05),), angle=1.0)
    joints = (revolute.Config("O", ("ground.origin", "crank.origin")), revolute.Config("A", ("crank.A", "rod.begin")),
              revolute.Config("B", ("rod.end", "block.origin")), guide)  # fmt: skip
    config = Config((crank, block), joints, (angle.Config("m", "crank", 50.0),), rods=(SOFT,), outputs=("block_x", "m_torque"))
    wanted, found = run(config, 0.1), run(replace(config, joints=(*joints, again)), 0.1)
    assert len(started(replace(config, joints=(*joints, again)), 1e3).redundancy.redundant) == 2
    for name in ("block_x", "m_torque"):
        assert near(found[name], wanted[name], 1e-6), name


@pytest.mark.long
def test_dry_friction_brakes_and_holds_what_a_rod_is_pinned_to() -> None:
    """In its pin a stiff rod swings as the rigid one does, within 1 %; without friction it does not. Where a pin holds it, it sags."""
    pin = revolute.Config("O", ("ground.origin", "rod.begin"), friction=0.3, radius=0.1)
    rod = replace(ROD, elements=1, points=(), youngs_modulus=2e9, damping=1e-4)
    swinging, free = Config(joints=(pin,), rods=(rod,), gravity=9.81), Config(joints=(PIN,), rods=(rod,), gravity=9.81)
    wanted = run(replace(swinging, bodies=(rod.body,), rods=()), 0.5)["rod_angle"]
    assert near(run(swinging, 0.5)["rod_angle"], wanted, 1e-2) and not near(run(free, 0.5)["rod_angle"], wanted, 1e-1)
    held = Config(joints=(replace(pin, friction=1.0, radius=1.0),), rods=(DAMPED,), gravity=9.81)
    late = slice(-200, None)  # two of its periods, in which it still rings
    found = run(held, 0.8)
    assert np.ptp(found["rod_angle"][late]) < 1e-9
    middle = 0.5 * (np.min(found["O_friction"][late]) + np.max(found["O_friction"][late]))
    assert middle == pytest.approx(9.81 * MASS * 0.5 * LENGTH, rel=0.02)


def test_a_contact_on_a_rod_rubs_by_a_row_as_by_its_window() -> None:
    """Friction that may stick, against that by a narrow window of speed: apart by a hundredth of what friction does at all."""
    rod = by_hand.config.Rod(elements=2, damping=1e-6)
    like = by_hand.Config(clearance_joint="rod_slider", clearance=5e-5, guide_clearance=0.0, friction=0.1, rod=rod)
    window = described(like, ("slider_x", "slider_vx", "motor_torque"))
    joints = tuple(replace(joint, static_friction=0.1) if joint.name == "pin" else joint for joint in window.joints)  # type: ignore[type-var]
    method, rate, seconds = dop853.Config(tolerance=1e-9, longest_step=1e-4), 20e3, 2e-3
    wanted, none = (run(one, seconds, rate, method) for one in (window, replace(window, friction=0.0)))
    found = run(replace(window, joints=joints), seconds, rate, method)
    for name in ("slider_x", "slider_vx", "motor_torque"):
        assert np.max(np.abs(found[name] - wanted[name])) < 0.01 * np.max(np.abs(none[name] - wanted[name])), name


def test_samples_lead_it_as_they_lead_the_equations_by_hand() -> None:
    """From rest: 1e-3 of the range of places, speeds and torque, as the cubics' corners leave it; a rigid rod is farther off."""
    like = by_hand.Config(clearance=0.0, guide_clearance=0.0, speed=100.0, rod=by_hand.config.Rod(elements=2, damping=2e-6))
    rate, method = 20e3, dop853.Config(tolerance=1e-9, longest_step=5e-4)
    samples = 0.4 + 0.8 * ramp(np.clip(np.arange(400) - 30, 0, None) / 300.0)
    found = {}
    for key, config in (("hand", like), ("described", described(like, ("slider_x", "slider_vx", "motor_torque")))):
        stepper = config.create(method, rate, "command")
        stepper.start(samples[: stepper.lookahead])
        values = stepper.advance(samples[stepper.lookahead :])
        found[key] = dict(zip((name for name, _ in config.channels), values.T, strict=True))
    for name in ("crank_torque", "slider_position", "slider_velocity", "slider_acceleration"):
        same = {**SAME, "slider_acceleration": "slider_acceleration"}[name]
        assert near(found["described"][same], found["hand"][name], 1e-3), name


def test_a_state_that_is_given_is_brought_onto_the_joints() -> None:
    stepper = started(falling(), 1e3)
    moved = stepper.state + 1e-3 * np.random.default_rng(1).standard_normal(len(stepper.state))
    stepper.start(np.zeros(stepper.lookahead), moved)
    gap, rate, _ = stepper.system.violated(0.0, *stepper.system.parted(stepper.state))
    assert np.max(np.abs(gap)) < 1e-12 and np.max(np.abs(rate)) < 1e-12
    assert stepper.state == pytest.approx(moved, abs=0.02)


def test_what_cannot_be_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"rod rod cannot be met 250 mm from its begin.*expected one of begin, end"):
        Config(joints=(revolute.Config("O", ("ground.origin", "rod.centre")),), rods=(replace(ROD, points=()),))
    with pytest.raises(ValueError, match="rod rod gives way; a load moves along a body that does not"):
        Config(joints=(PIN,), rods=(ROD,), forces=(moving_load.Config("F", "rod.begin", way="0.1*t", force_y=1.0),))
    with pytest.raises(ValueError, match=r"rods.0.name: 'rod' is the name of another one already"):
        Config((ROD.body,), (PIN,), rods=(ROD,))
    config = Config(joints=(CLAMP,), rods=(ROD,))
    with pytest.raises(ModelError, match="above the stability limit of this method"):
        config.create(rk4.Config(step=1e-4), 1e3)
    with pytest.raises(ModelError, match=r"mechanism.rods: damping of rod is so stiff that explicit steps"):
        replace(config, rods=(replace(ROD, damping=10.0),)).create(dop853.Config(), 1e3)
    with pytest.raises(Uncovered, match="rods that give way"):
        generated.plan_of(config, started(config, 1e3))


def test_a_fixed_step_within_the_limit_that_is_told_stays_stable() -> None:
    """Which is that of the classical method on the imaginary axis, sqrt(8), at the fastest of the natural frequencies."""
    config = Config(joints=(CLAMP,), rods=(ROD,), gravity=1.0)
    with pytest.raises(ModelError) as told:
        config.create(rk4.Config(step=1.0), 1e3)
    limit = float(str(told.value).split("this method, ")[1].split(" s")[0])
    fastest = 2.0 * math.pi * frequencies(config)[-1]
    assert limit == pytest.approx(math.sqrt(8.0) / fastest, rel=0.01)
    stepper = config.create(rk4.Config(step=0.9 * limit), 1e3)
    stepper.start(np.zeros(stepper.lookahead))
    assert np.max(np.abs(stepper.advance(np.zeros(100))[:, :4])) < 1.0


def test_the_described_one_of_configs_is_the_one_by_hand_of_configs() -> None:
    """A millisecond, in which pin and guide strike: to 1e-8 of each range, with the section in all its digits instead of six."""
    files = ("slider_crank_flexible", "slider_crank_flexible_generic")
    hand, config = (load_experiment(PROJECT / f"configs/experiments/{name}.toml").experiment.mechanism for name in files)
    area, rod = hand.rod.beam.area, config.rods[0]
    assert (rod.area, rod.second_moment) == pytest.approx((area, area**2 / 12.0), rel=1e-5)
    config = replace(config, rods=(replace(rod, area=area, second_moment=area**2 / 12.0),))
    method, rate = dop853.Config(tolerance=1e-10, longest_step=1e-4), 100e3
    found = []
    for one in (hand, config):
        stepper = one.create(method, rate)
        stepper.start(np.zeros(stepper.lookahead))
        found.append(dict(zip((name for name, _ in one.channels), stepper.advance(np.zeros(101)).T, strict=True)))
    assert np.max(found[0]["joint_force"]) > 100.0
    for name, same in SAME.items():
        assert near(found[1][same], found[0][name], 1e-8), name
