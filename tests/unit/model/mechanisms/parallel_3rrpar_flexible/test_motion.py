"""The flexible 3-RRPaR: order, energy and power, its rigid limit, elasticity by a model of six springs, contact, what it refuses."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.contact.force import force
from model.errors import ModelError, NotConverged
from model.integrators import dop853, generalized_alpha
from model.integrators.generalized_alpha_kernel import OK, factor
from model.joints import contact
from model.mechanisms import parallel_3rrpar
from model.mechanisms import parallel_3rrpar_flexible as flexible
from model.mechanisms.parallel_3rrpar import ideal, kinematics
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar_flexible import Config, bodies
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible import energy as energies
from model.mechanisms.parallel_3rrpar_flexible import newton as answering
from model.mechanisms.parallel_3rrpar_flexible import stepper as motion
from model.mechanisms.parallel_3rrpar_flexible.config import Bars, Platform
from model.mechanisms.parallel_3rrpar_flexible.reduced import energy as reduced_energies
from model.mechanisms.parallel_3rrpar_flexible.reduced import kernel as reduced
from model.paths import trajectory_1
from tests.each_row import each_row

Floats = NDArray[np.float64]

PERIOD = 2.0 / 3.0  # s
POSITION, VELOCITY, ACCELERATION, TORQUE, FORCES = slice(0, 3), slice(3, 6), slice(6, 9), slice(12, 15), slice(15, 17)
MOVING, RESTED = trajectory_1.Config(blend="off").create(), trajectory_1.Config().create()


def moved(config: Config, step: float, lasting: float, samples: int, path: Any = MOVING, **settings: Any) -> tuple[Any, Floats]:
    """The stepper at the end and samples + 1 rows from 0 to `lasting`."""
    integrator = generalized_alpha.Config(**{"step": step, "tolerance": 1e-7, **settings})
    stepper = config.create(integrator, samples / lasting, path=path, lasting=lasting)
    stepper.start(np.zeros(1))
    return stepper, stepper.advance(np.zeros(samples + 1))


def ideal_joints(elements: int = 3, **bars: Any) -> Config:
    return Config(clearance=0.0, bars=Bars(elements=elements, **bars))


def turning_freely(config: Config) -> Config:
    return replace(config, platform=Platform(motion="free"))


def parameters_of(stepper: Any) -> Floats:
    return np.asarray(stepper._motion.parameters)


def test_order_two_in_coordinates_velocities_accelerations_and_joint_forces() -> None:
    """As shipped, on the smooth motion: what the start excites, in bending above all, has died by then."""
    runs = [moved(ideal_joints(3), 2.0 / steps, 2.0, 10, tolerance=1e-8) for steps in (1000, 2000, 4000)]
    ends = [[*stepper.state.reshape(3, -1), rows[-1, 12:17]] for stepper, rows in runs]
    for part in range(4):
        changes = [float(np.max(np.abs(fine[part] - coarse[part]))) for coarse, fine in pairwise(ends)]
        assert np.log2(changes[0] / changes[1]) == pytest.approx(2.0, abs=0.05), part


def balance(config: Config, lasting: float, steps: int) -> tuple[float, float]:
    """(J that the energy changed by less what the drives gave, by the trapezoidal rule; W that their powers differ by at the end)."""
    integrator = generalized_alpha.Config(step=lasting / steps, tolerance=1e-9)
    stepper = config.create(integrator, steps / lasting, path=MOVING, lasting=lasting)
    stepper.start(np.zeros(1))
    p, given, begun = parameters_of(stepper), [], 0.0
    for k in range(steps + 1):
        row = stepper.advance(np.zeros(1))[0]
        given.append(sum(float(row[12 + leg]) * rigid.drive(leg, stepper.time, p)[1] for leg in range(3)))
        if k == 0:
            begun = energies.energy(config, p, 0.0, stepper.state, stepper._s)
    work = lasting / steps * (sum(given) - 0.5 * (given[0] + given[-1]))
    taken = energies.power(config, p, stepper.time, stepper.state, stepper._s)
    return energies.energy(config, p, stepper.time, stepper.state, stepper._s) - begun - work, taken - given[-1]


@pytest.mark.parametrize("motion", flexible.config.MOTIONS)
def test_the_drives_give_what_the_bodies_take(motion: str) -> None:
    """By the bodies' own speeds, against the balance of the arms; and with the energy, but for the method's error of second order.

    What holds a platform that only translates takes no power.
    """
    config = replace(ideal_joints(2, damping=0.0), platform=Platform(motion=motion))
    (coarse, power), (fine, other) = (balance(config, 0.1, steps) for steps in (50, 100))
    assert max(abs(power), abs(other)) < 1e-6
    assert abs(coarse) < 1e-5
    assert coarse / fine == pytest.approx(4.0, rel=0.1)


@pytest.fixture(scope="module")
def elastic() -> tuple[Any, Floats]:
    return moved(ideal_joints(3), 1e-3, 1.0, 1000)


def off_by(config: Config, rows: Floats, lasting: float) -> Floats:
    """Position, (N, 3) m, less what the path has."""
    return np.asarray(rows[:, POSITION] - MOVING.evaluate(np.linspace(0.0, lasting, len(rows)))[0])


def springs(config: Config, times: Floats, turning: bool) -> Floats:
    """How far M13 gives way, (N, 3) m, if only the six bars' stretching counts, under half a bar's load; platform free to turn or not."""
    f, bars, g = kinematics.frame(config), config.bars, np.array([0.0, 0.0, config.gravity])
    stiffness, half = bars.youngs_modulus * bars.width**2 / bars.length, 0.5 * config.geometry.short_length
    point, velocity, acceleration = MOVING.evaluate(times)
    moving = kinematics.motion_along(config, point, velocity, acceleration)
    found = []
    for a, u, bent in zip(acceleration, moving.u, moving.u_acceleration, strict=True):
        system, load = np.zeros((6, 6)), np.concatenate([-config.platform.mass * (a + g), np.zeros(3)])
        for leg in range(3):
            tip = a - bars.length * bent[leg]
            pull = -config.short.mass * (a + g) - 2.0 * bars.mass * ((2.0 * a + tip) / 6.0 + 0.5 * g)
            load += np.concatenate([pull, np.cross(f.joints[leg], pull)])
            for sign in (half, -half):
                row = np.concatenate([u[leg], np.cross(f.joints[leg] + sign * kinematics.AXES[leg], u[leg])])
                system += stiffness * np.outer(row, row)
        free = 6 if turning else 3
        found.append(np.linalg.solve(system[:free, :free], load[:free])[:3])
    return np.array(found)


def test_gives_way_by_less_than_2_um_if_it_only_translates(elastic: tuple[Any, Floats]) -> None:
    """In every direction and along all of them, weight's share included; as three springs would, one for each pair of bars."""
    config, off = ideal_joints(3), off_by(ideal_joints(3), elastic[1], 1.0)
    assert np.linalg.norm(off, axis=1).max() < 2e-6
    assert off == pytest.approx(springs(config, np.linspace(0.0, 1.0, len(off)), turning=False), abs=0.03e-6)


def test_gives_way_as_six_springs_would_if_free_to_turn() -> None:
    """Nothing else is elastic enough to be seen; most of it is the platform's turning, by some 20 urad."""
    config = turning_freely(ideal_joints(3))
    off = off_by(config, moved(config, 1e-3, 1.0, 1000)[1], 1.0)
    assert off == pytest.approx(springs(config, np.linspace(0.0, 1.0, len(off)), turning=True), abs=0.06e-6)
    assert 3e-6 < np.abs(off).max() < 3.5e-6


@pytest.mark.parametrize("clearance", [0.0, 0.1e-3])
def test_a_platform_that_only_translates_never_turns(clearance: float) -> None:
    config = Config(clearance=clearance, bars=Bars(elements=1))
    for chosen, turned in ((config, False), (turning_freely(config), True)):
        stepper, _ = moved(chosen, 2e-4, 0.02, 20)
        q = stepper.state.reshape(3, -1)
        z = q[:, -(bodies.IDEAL if clearance == 0.0 else bodies.WITH_CLEARANCE) :]
        assert np.any(z[:, bodies.PHI : bodies.PHI + 3]) == turned


def test_drive_torques_and_joint_forces_are_nearly_those_of_rigid_bars(elastic: tuple[Any, Floats]) -> None:
    rows = elastic[1]
    assert rows[0, TORQUE] == pytest.approx([0.7728, 0.3543, 8.1467], abs=1e-3)
    loads = ideal.loads(ideal_joints(3), *MOVING.evaluate(np.linspace(0.0, 1.0, len(rows))))
    assert rows[:, TORQUE] == pytest.approx(loads.torque, abs=1e-2)
    assert rows[:, FORCES] == pytest.approx(loads.radial, abs=5e-2)


def test_stiff_bars_are_rigid() -> None:
    """What is left falls as the stiffness grows."""
    softest, stiff = (ideal_joints(2, youngs_modulus=116e9 * more) for more in (1.0, 100.0))
    off = [np.abs(off_by(config, moved(config, 1e-3, 0.1, 100)[1], 0.1)).max() for config in (softest, stiff)]
    assert off[0] / off[1] == pytest.approx(100.0, rel=0.02)
    assert moved(stiff, 1e-3, 1e-3, 1)[1][0, TORQUE] == pytest.approx([0.7728, 0.3543, 8.1467], abs=1e-3)


def test_started_from_rest_nothing_rings() -> None:
    """The blend has three continuous derivatives: accelerations stay with the path's, but for 5 mm/s^2."""
    _, rows = moved(ideal_joints(3), 1e-3, 0.6, 600, path=RESTED)
    assert rows[0, VELOCITY] == pytest.approx(0.0, abs=1e-7)
    assert rows[:, ACCELERATION] == pytest.approx(RESTED.evaluate(np.linspace(0.0, 0.6, 601))[2], abs=5e-3)


@pytest.mark.parametrize(("bars", "step"), [(Bars(elements=2), 2e-4), (Bars(formulation=flexible.config.REDUCED), 2e-4)])
def test_a_start_with_a_jerk_dies_away(bars: Bars, step: float) -> None:
    """All but the arms at rest where the path has 0.47 m/s; the bars' damping makes it the motion of a consistent start."""
    jerked, smooth = (moved(Config(clearance=0.0, bars=bars, start=start), step, 1.0, 1000)[1] for start in ("rest", "moving"))
    assert jerked[0, VELOCITY] == pytest.approx(0.0, abs=1e-12)
    apart = np.abs(jerked[:, POSITION] - smooth[:, POSITION]).max(axis=1)
    assert apart.max() > 10e-6
    assert apart[800:].max() < min(1e-6, 0.1 * apart.max())


def test_a_start_with_a_jerk_and_clearance_settles(loose: tuple[Any, Floats]) -> None:
    stepper, rows = moved(Config(bars=Bars(elements=2), start="rest"), 1e-4, 2.0 * PERIOD, 1333)
    assert len(stepper.events) > 0
    assert deviation(rows, 2.0 * PERIOD)[0] == pytest.approx(deviation(loose[1], 2.0 * PERIOD)[0], rel=0.01)


def test_more_elements_change_less_and_less() -> None:
    """Behind the start, whose five differences leave 0.7 mm/s^2 that die within 0.1 s."""
    runs = [moved(ideal_joints(elements), 1e-3, 0.2, 200)[1][100:] for elements in (1, 2, 3, 4)]
    for columns in (POSITION, ACCELERATION, FORCES):
        changes = [float(np.abs(fine[:, columns] - coarse[:, columns]).max()) for coarse, fine in pairwise(runs)]
        assert changes[0] > 2.0 * changes[1] > 4.0 * changes[2]
    assert np.abs(runs[3][:, POSITION] - runs[2][:, POSITION]).max() < 1e-10


@pytest.mark.parametrize("formulation", ["enhanced_continuum", "paper"])
def test_other_formulations_move_the_platform_alike(formulation: str, elastic: tuple[Any, Floats]) -> None:
    """They stretch alike; `paper` is too stiff in bending, which hardly counts here."""
    config = ideal_joints(3, formulation=formulation)
    off = off_by(config, moved(config, 1e-3, 0.02, 20)[1], 0.02)
    assert off == pytest.approx(off_by(config, elastic[1], 1.0)[:21], abs=0.1e-6)


def test_three_iterations_a_step() -> None:
    """Factors made once serve all six bars for good. What a step costs is for `rig benchmark parallel_flexible`."""
    stepper = ideal_joints(3).create(generalized_alpha.Config(step=1e-3, tolerance=1e-7), 1e3, path=MOVING, lasting=1.0)
    stepper.start(np.zeros(1))
    stepper.advance(np.zeros(500))
    assert stepper.work["evaluations"] <= 3.5 * stepper.work["accepted"]
    assert stepper.work["factored"] <= 2


def deviation(rows: Floats, lasting: float) -> tuple[Floats, Floats]:
    """(largest position deviation, RMS acceleration deviation) over the last period."""
    times = np.linspace(0.0, lasting, len(rows))
    last = times > lasting - PERIOD
    point, _, acceleration = MOVING.evaluate(times[last])
    off = rows[last][:, ACCELERATION] - acceleration
    return np.abs(rows[last][:, POSITION] - point).max(axis=0), np.sqrt(np.mean(off**2, axis=0))


@pytest.fixture(scope="module")
def loose() -> tuple[Any, Floats]:
    return moved(Config(bars=Bars(elements=2)), 2e-4, 2.0 * PERIOD, 1333)


def test_with_clearance_the_platform_hangs_in_its_bushes(loose: tuple[Any, Floats]) -> None:
    """By 0.202, 0.250 and 0.115 mm with rigid bars; these add some micrometres. The pins never lift."""
    stepper, rows = loose
    assert deviation(rows, 2.0 * PERIOD)[0] == pytest.approx([0.202e-3, 0.250e-3, 0.115e-3], rel=0.02)
    assert stepper.events == []
    for first in (17, 20):
        assert np.hypot(rows[:, first], rows[:, first + 2]) == pytest.approx(0.1e-3, abs=1e-6)


def test_stiff_bars_with_clearance_are_rigid() -> None:
    rows = moved(Config(bars=Bars(elements=1, youngs_modulus=30.0 * 116e9)), 1e-4, 2.0 * PERIOD, 1333)[1]
    place, acceleration = deviation(rows, 2.0 * PERIOD)
    assert place == pytest.approx([0.202e-3, 0.250e-3, 0.115e-3], rel=0.02)
    assert acceleration[:2] == pytest.approx([0.222, 0.287], rel=0.1)
    assert 0.09 < acceleration[2] < 0.14


def test_half_the_step_moves_the_acceleration_by_less_than_2_percent(loose: tuple[Any, Floats]) -> None:
    fine = moved(Config(bars=Bars(elements=2)), 1e-4, 2.0 * PERIOD, 1333)[1]
    size = [np.sqrt(np.mean(rows[667:, ACCELERATION] ** 2)) for rows in (loose[1], fine)]
    assert size[0] == pytest.approx(size[1], rel=2e-3)
    assert deviation(loose[1], 2.0 * PERIOD)[1][:2] == pytest.approx(deviation(fine, 2.0 * PERIOD)[1][:2], rel=0.02)


def test_without_friction_the_pins_begin_where_they_would_roll() -> None:
    config = Config(friction=0.0, bars=Bars(elements=1, youngs_modulus=30.0 * 116e9))
    rows = moved(config, 1e-4, 0.01, 10)[1]
    rolled = ideal.rolling(config, *MOVING.evaluate(np.linspace(0.0, 0.01, 11)))
    assert rows[:, POSITION] == pytest.approx(rolled, abs=2e-6)


@each_row("variant", [{"a2x": 0.0}, {"elbow2": "-x"}, {"point": "r2"}])
@each_row("bars", [Bars(elements=1), Bars(formulation=flexible.config.REDUCED)])
@each_row("clearance", [0.02e-3, 0.5e-3])
def test_begins_in_its_bushes_in_every_variant(variant: dict[str, Any], bars: Bars, clearance: float) -> None:
    """At rest before the blend: next to nothing moves in the first steps, and the pins carry what the bars do."""
    config = Config(variant=parallel_3rrpar.config.Variant(**variant), bars=bars, clearance=clearance)
    stepper, rows = moved(config, 5e-5, 1e-3, 10, path=RESTED)
    assert np.abs(rows[:, POSITION] - rows[0, POSITION]).max() < 1e-7
    assert np.abs(rows[:, ACCELERATION] - RESTED.evaluate(np.linspace(0.0, 1e-3, 11))[2]).max() < 0.1  # the pins' way as the load turns
    for first in (17, 20):
        assert np.all(np.hypot(rows[:, first], rows[:, first + 2]) > clearance)
    assert stepper.events == []


def test_energy_with_elastic_contact() -> None:
    """No friction, restitution 1, bars undamped: the drives' work is all that changes it, but for an error of second order and 5e-9 J."""
    config = Config(friction=0.0, bars=Bars(elements=1, damping=0.0), contact=parallel_3rrpar.config.Contact(restitution=1.0))
    left = [abs(balance(config, 0.1, steps)[0]) for steps in (500, 1000)]
    assert left[0] < 1e-7
    assert left[1] < 0.3 * left[0]


def test_large_clearance_knocks_and_lifts() -> None:
    stepper, rows = moved(Config(clearance=0.5e-3, bars=Bars(elements=1)), 1e-4, 0.5, 500)
    kinds = [told[0] for event in stepper.events if (told := Config().event(event.guard, event.noted))]
    assert {"contact_start", "contact_end"} == set(kinds)
    assert np.hypot(rows[:, 17], rows[:, 19]).max() < 0.52e-3


def led(stiffer: float, friction: float, lasting: float = 0.4) -> tuple[Floats, Floats]:
    """Rows with one-way coupling, and those of the rigid mechanism that leads; from the middle on, where the pins have come to rest."""
    config = Config(coupling=flexible.config.ONE_WAY, friction=friction, bars=Bars(elements=1, youngs_modulus=stiffer * 116e9))
    samples = round(lasting * 1e4)
    leader = parallel_3rrpar.Config.create(config, dop853.Config(tolerance=1e-7), 1e4, path=MOVING, lasting=lasting)
    leader.start(np.zeros(leader.lookahead))
    rows = moved(config, 1e-4, lasting, samples)[1]
    return rows[samples // 2 :], leader.advance(np.zeros(samples + 1))[samples // 2 :]


def test_one_way_coupling_leads_the_pins_and_the_bars_give_way() -> None:
    """The pins are where the rigid mechanism has them; the platform is off it by what the bars give way, which falls as they grow stiff."""
    off = []
    for stiffer in (1.0, 30.0):
        rows, leader = led(stiffer, 0.05)
        assert rows[:, 17:23] == pytest.approx(leader[:, 17:23], abs=1e-12)
        off.append(np.abs(rows[:, POSITION] - leader[:, POSITION]).max())
    assert 0.5e-6 < off[0] < 1.5e-6
    assert off[0] / off[1] == pytest.approx(30.0, rel=0.3)


def test_one_way_coupling_hands_over_the_friction() -> None:
    """Stiff bars: the drives have to give what they give the rigid mechanism, the work of friction included."""
    rows, leader = led(300.0, 0.2)
    assert np.mean(rows[:, TORQUE] - leader[:, TORQUE], axis=0) == pytest.approx(0.0, abs=5e-4)
    assert rows[:, FORCES].mean(axis=0) == pytest.approx(leader[:, FORCES].mean(axis=0), abs=2e-3)


def test_one_way_coupling_takes_large_steps_and_any_start() -> None:
    """It has no contact of its own that a step could miss; with ideal joints there is nothing to couple."""
    for config in (
        Config(coupling=flexible.config.ONE_WAY, bars=Bars(elements=1)),
        Config(coupling=flexible.config.ONE_WAY, bars=Bars(elements=1), clearance=0.0),
    ):
        stepper, rows = moved(config, 1e-3, 0.2, 200)
        assert stepper.events == []
        assert any("contacts are not counted" in remark for remark in stepper.remarks) == (config.clearance > 0.0)
        assert np.abs(rows[:, POSITION] - MOVING.evaluate(np.linspace(0.0, 0.2, 201))[0]).max() < 0.3e-3
    rows = moved(Config(coupling=flexible.config.ONE_WAY, bars=Bars(elements=1), start="rest"), 2e-4, 0.01, 50)[1]
    assert rows[0, VELOCITY] == pytest.approx(0.0, abs=1e-12)


REDUCED = Bars(formulation=flexible.config.REDUCED)


def test_reduced_bars_stretch_as_springs_of_a_platform_that_cannot_turn() -> None:
    config = Config(clearance=0.0, bars=REDUCED)
    _, rows = moved(config, 1e-3, 1.0, 1000)
    off = off_by(config, rows, 1.0)
    assert off == pytest.approx(springs(config, np.linspace(0.0, 1.0, len(off)), turning=False), abs=0.03e-6)
    assert np.abs(off).max() < 1e-6
    assert rows[0, TORQUE] == pytest.approx([0.7728, 0.3543, 8.1467], abs=1e-3)


def test_reduced_bars_are_as_good_for_the_acceleration(loose: tuple[Any, Floats]) -> None:
    """RMS within 2 % of the elements' (their own step 2e-4 s as well), place within 2 %."""
    stepper, rows = moved(Config(bars=REDUCED), 2e-4, 2.0 * PERIOD, 1333)
    size = [np.sqrt(np.mean(values[667:, ACCELERATION] ** 2)) for values in (rows, loose[1])]
    assert size[0] == pytest.approx(size[1], rel=0.02)
    assert deviation(rows, 2.0 * PERIOD)[0] == pytest.approx([0.202e-3, 0.250e-3, 0.115e-3], rel=0.02)
    apart = rows[667:, TORQUE] - loose[1][667:, TORQUE]
    assert np.sqrt(np.mean(apart**2, axis=0)).max() < 0.15  # of 8 N m
    assert stepper.events == []


@pytest.mark.parametrize(("clearance", "damping"), [(0.0, 0.0), (0.0, 2e-5), (0.1e-3, 0.0)])
def test_the_reduced_drives_give_what_its_bodies_take(clearance: float, damping: float) -> None:
    """By the field of the bars; where pins neither rub nor lose energy, with that of the contacts, to second order in the steps."""
    elastic = parallel_3rrpar.config.Contact(restitution=1.0)
    config = Config(clearance=clearance, friction=0.0, contact=elastic, bars=Bars(formulation=flexible.config.REDUCED, damping=damping))
    left = []
    for steps in (500, 1000):
        integrator = generalized_alpha.Config(step=0.1 / steps, tolerance=1e-10)
        stepper = config.create(integrator, steps / 0.1, path=MOVING, lasting=0.1)
        stepper.start(np.zeros(1))
        p, given, begun = parameters_of(stepper), [], 0.0
        for k in range(steps + 1):
            row = stepper.advance(np.zeros(1))[0]
            given.append(sum(float(row[12 + leg]) * rigid.drive(leg, stepper.time, p)[1] for leg in range(3)))
            if clearance == 0.0 and k % 100 == 0:
                assert reduced_energies.power(config, p, stepper.time, stepper.state) == pytest.approx(given[-1], abs=1e-7)
            if k == 0:
                begun = reduced_energies.energy(config, p, 0.0, stepper.state, stepper._s)
        work = 0.1 / steps * (sum(given) - 0.5 * (given[0] + given[-1]))
        left.append(abs(reduced_energies.energy(config, p, stepper.time, stepper.state, stepper._s) - begun - work))
    assert left[0] < 1e-6
    if damping == 0.0:
        assert left[1] < 0.3 * left[0]


def test_reduced_tangents_by_differences() -> None:
    """But for the forces of inertia on bars whose direction changes."""
    config = Config(bars=REDUCED, contact=parallel_3rrpar.config.Contact(stiffness=1e8), gravity=0.0)
    stepper, _ = moved(config, 1e-4, 2e-3, 2)
    y, p, s, c_a, c_v = stepper.state, parameters_of(stepper), np.array(stepper._s), 1e8, 1e4
    n = len(y) // 3
    found = np.zeros((n, n))
    reduced.tangent(stepper.time, y, found, c_a, c_v, p, s, force)
    for k in range(n):
        rows = np.zeros((2, n))
        for row, sign in zip(rows, (1.0, -1.0), strict=True):
            moved_by = sign * 1e-10 * np.eye(n)[k]
            reduced.residual(stepper.time, y + np.concatenate([moved_by, c_v * moved_by, c_a * moved_by]), row, p, s, force)
        assert found[:, k] == pytest.approx((rows[0] - rows[1]) / 2e-10, rel=2e-3, abs=1e4), k


def test_a_knock_costs_hardly_more_than_any_other_millisecond() -> None:
    """Residuals, in ten steps with pins that part and come again: two a step at least, and what the contacts' kinks take beyond."""
    config, taken, seen = Config(clearance=0.5e-3, start="rest", bars=Bars(elements=2)), [], 0
    stepper = config.create(generalized_alpha.Config(step=1e-4, tolerance=1e-7), 1e4, path=RESTED, lasting=0.3)
    stepper.start(np.zeros(1))
    for _ in range(300):
        stepper.advance(np.zeros(10))
        taken.append(stepper.work["evaluations"] - seen)
        seen += taken[-1]
    assert len(stepper.events) > 50
    assert max(taken) <= 55
    assert np.median(taken) <= 30


def test_reduced_bars_with_a_large_clearance_start_and_knock() -> None:
    stepper, rows = moved(Config(clearance=0.5e-3, bars=REDUCED), 1e-4, 0.5, 500)
    assert len(stepper.events) > 0
    assert np.hypot(rows[:, 17], rows[:, 19]).max() < 0.52e-3


@pytest.mark.parametrize("sliding", [0.3e-4, 3e-3, -0.5e-4])
def test_tangents_of_the_contact_by_differences(sliding: float) -> None:
    config = Config()
    p, s = motion.parameters(config, MOVING, 0.01, motion.factors(1e-4, 0.7)), motion.room(config)
    s[contact.SPEED] = s[contact.EACH + contact.SPEED] = 5e-3
    w, v, c_v = np.array([60.1e-6, 80.4e-6, 0.0, -30e-6, 95.6e-6, 0.0]), np.array([1e-4, 2e-4, 0.0, -1e-4, 1e-5, 0.0]), 300.0
    for pin in range(2):
        v[pins.PIN * pin + pins.BETA] = (pins.pressed(pin, w, v, p, s, force)[4] - sliding) / config.bush_radius
    found = np.zeros((6, 6))
    pins.subtract_tangents(w, v, found, c_v, p, s, force)
    for k in range(6):
        small = 1e-11
        rows = np.zeros((2, 6))
        for row, sign in zip(rows, (1.0, -1.0), strict=True):
            moved_by = sign * small * np.eye(6)[k]
            pins.subtract_forces(w + moved_by, v + c_v * moved_by, row, p, s, force)
        assert found[:, k] == pytest.approx((rows[0] - rows[1]) / (2.0 * small), rel=2e-4, abs=50.0)


@given(
    depths=st.tuples(st.floats(-5e-6, 5e-6), st.floats(-5e-6, 5e-6)),
    rates=st.lists(st.floats(-0.05, 0.05), min_size=6, max_size=6),
    loads=st.lists(st.floats(-200.0, 200.0), min_size=16, max_size=16),
)
def test_a_correction_goes_through_the_kinks_of_the_contact(depths: tuple[float, float], rates: list[float], loads: list[float]) -> None:
    """A x = r + what the contacts' forces change by on the way, for pins that part, come, knock, rub and stop."""
    config, rng = Config(clearance=0.5e-3), np.random.default_rng(1)
    p, s = motion.parameters(config, MOVING, 0.01, motion.factors(1e-4, 0.7)), motion.room(config)
    s[contact.SPEED] = s[contact.EACH + contact.SPEED] = 5e-3
    half = rng.normal(size=(16, 16))
    a, c_v = (half @ half.T / 16.0 + np.eye(16)) * 1e8, 2e4
    places = [pins.place_of(k) for k in range(6)]
    a[[9, 11]] *= config.bush_radius  # turns of the bushes, rad, have moments
    a[:, [9, 11]] *= config.bush_radius
    z, v = np.zeros(16), np.zeros(16)
    for pin, depth in enumerate(depths):
        z[places[3 * pin]], z[places[3 * pin + 1]] = (config.clearance + depth) * np.array([0.6, 0.8])
    v[places] = rates
    room, rows = np.zeros(answering.room_size(16)), np.array(loads)
    answering.subtract_forces(z, v, rows, room, p, s, force)
    factors, exchanges = np.array(a), np.zeros(16)
    assert factor(factors, exchanges) == answering.condense(factors, exchanges, room) == OK
    x = np.array(rows)
    answering.answer(x, c_v, factors, exchanges, room, p, s, force)
    left = np.array(loads)
    answering.subtract_forces(z - x, v - c_v * x, left, room, p, s, force)
    in_newtons = np.ones(16)
    in_newtons[[9, 11]] /= config.bush_radius
    assert np.abs(in_newtons * (a @ x - left)).max() <= 1e-2 * np.abs(in_newtons * rows).max()


@pytest.mark.parametrize(
    ("bars", "message"),
    [
        ({"elements": 0}, "bars.elements: expected 1 to 8, got 0"),
        ({"elements": 9}, "bars.elements: expected 1 to 8, got 9"),
        ({"formulation": "cable"}, "bars.formulation: expected one of .*, got 'cable'"),
        ({"damping": -1.0}, "bars.damping: expected at least 0 s and finite, got -1 s"),
        ({"youngs_modulus": 0.0}, "bars.youngs_modulus"),
    ],
)
def test_bars_that_cannot_be_built_are_named(bars: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Config(bars=Bars(**bars))


def test_what_does_not_suit_is_refused_or_stops_with_the_time() -> None:
    with pytest.raises(ModelError, match="'dop853' does not suit the flexible 3-RRPaR"):
        Config().create(dop853.Config(), 1e3, path=MOVING, lasting=1.0)
    with pytest.raises(ModelError, match=r"step 0\.001 s is too large for the contact.*2\d\.\d N.*period of 0\.00029"):
        moved(Config(), 1e-3, 0.01, 10)
    with pytest.raises(NotConverged, match=r"stopped at [\d.]+ s: Newton's iteration did not reach the tolerance"):
        moved(Config(), 1e-4, 0.01, 10, iterations=1, tolerance=4e-9)
    with pytest.raises(ModelError, match=r"a jerk: .* integrator\.step 1 ms cannot follow; choose at most 0\.0002 s"):
        moved(Config(clearance=0.0, start="rest"), 1e-3, 0.1, 100)
    with pytest.raises(ValueError, match="start: expected one of moving, rest, got 'soft'"):
        Config(start="soft")
    with pytest.raises(ValueError, match="coupling: expected one of together, one_way, got 'both'"):
        Config(coupling="both")
    with pytest.raises(ValueError, match="coupling: one_way needs bars of elements"):
        Config(coupling=flexible.config.ONE_WAY, bars=REDUCED)
    with pytest.raises(ValueError, match=r"platform.motion: expected one of translating, free, got 'fixed'"):
        Config(platform=Platform(motion="fixed"))
    with pytest.raises(ValueError, match=r"platform.motion: with bars.formulation 'reduced' the platform cannot turn"):
        turning_freely(Config(bars=REDUCED))
    far = replace(trajectory_1.Config(), radius=0.9)
    with pytest.raises(ModelError, match="cannot reach"):
        moved(Config(), 1e-4, 0.01, 10, path=far.create())
