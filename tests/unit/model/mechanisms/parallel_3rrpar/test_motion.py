"""The rigid 3-RRPaR mechanism with clearance at R1 and R3: what its motion must keep to, and the reference values of chen2026's case."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from model.contact.force import force
from model.errors import ModelError
from model.integrators import dop853, newmark, rk4
from model.mechanisms import parallel_3rrpar
from model.mechanisms.parallel_3rrpar import bodies, ideal, kinematics
from model.mechanisms.parallel_3rrpar import kernel as parallel_3rrpar_kernel
from model.mechanisms.parallel_3rrpar.start import start
from model.mechanisms.parallel_3rrpar.stepper import energy, parameters, stepper
from model.paths import trajectory_1, trajectory_2
from model.stepping.explicit import Stepper

PERIOD = 2.0 / 3.0  # s
RATE = 10e3
POSITION, ACCELERATION, R1, R3, R1_ECCENTRICITY, R3_ECCENTRICITY = slice(0, 3), slice(6, 9), 15, 16, slice(17, 20), slice(20, 23)
FIRST, SECOND = trajectory_1.Config(blend="off").create(), trajectory_2.Config(blend="off").create()


def run(
    config: parallel_3rrpar.Config, lasting: float, path: Any = FIRST, integrator: Any = None, work: bool = False
) -> tuple[Any, Stepper]:
    moving = stepper(config, integrator or dop853.Config(tolerance=1e-7), RATE, path, lasting, work)
    moving.start(np.zeros(moving.lookahead))
    return moving.advance(np.zeros(round(lasting * RATE) + 1)), moving


def deviation(values: Any, path: Any = FIRST) -> tuple[Any, Any]:
    """(largest position deviation, m, RMS acceleration deviation, m/s^2) over the last period."""
    times = np.arange(len(values)) / RATE
    last = times > times[-1] - PERIOD
    point, _, acceleration = path.evaluate(times[last])
    off = values[last][:, ACCELERATION] - acceleration
    return np.abs(values[last][:, POSITION] - point).max(axis=0), np.sqrt(np.mean(off**2, axis=0))


@pytest.fixture(scope="module")
def settled() -> tuple[Any, Stepper]:
    return run(parallel_3rrpar.Config(), 3 * PERIOD)


def test_small_clearance_settles_where_the_reference_does(settled: tuple[Any, Stepper]) -> None:
    values, moving = settled
    place, acceleration = deviation(values)
    np.testing.assert_allclose(place, [0.202e-3, 0.250e-3, 0.115e-3], rtol=0.02)
    np.testing.assert_allclose(acceleration[:2], [0.222, 0.287], rtol=0.10)
    last = values[-round(PERIOD * RATE) :]
    assert last[:, [R1, R3]].min() > 0.0  # never apart once settled
    assert max(event.time for event in moving.events) < 2 * PERIOD


def test_the_joints_keep_what_they_hold(settled: tuple[Any, Stepper]) -> None:
    """Every long bar keeps its length, from the channels alone: no drift, however long it runs."""
    values, _ = settled
    config = parallel_3rrpar.Config()
    f = kinematics.frame(config)
    tips = kinematics.tips(config, values[:, 9:12])
    ends = values[:, None, POSITION] - f.offset + f.joints
    ends[:, 0] -= values[:, R1_ECCENTRICITY]
    ends[:, 2] -= values[:, R3_ECCENTRICITY]
    assert np.abs(np.linalg.norm(ends - tips, axis=-1) - f.bar).max() < 1e-12


def test_closed_pins_are_at_the_clearance(settled: tuple[Any, Stepper]) -> None:
    values, _ = settled
    for force_at, at in ((R1, R1_ECCENTRICITY), (R3, R3_ECCENTRICITY)):
        away = np.linalg.norm(values[:, at], axis=1)
        pressed = values[:, force_at] > 0.0
        assert np.all(away[~pressed] <= 0.1e-3 * (1 + 1e-9))
        assert np.all(away[pressed] >= 0.1e-3 * (1 - 1e-9))
        assert away[-round(PERIOD * RATE) :].max() < 0.101e-3  # less than a micrometre goes into the settled contact


def test_other_trajectory_is_followed_as_closely() -> None:
    values, _ = run(parallel_3rrpar.Config(), 3 * PERIOD, SECOND)
    place, acceleration = deviation(values, SECOND)
    assert np.all(place < 0.27e-3)
    assert np.all(acceleration < 0.5)


@pytest.mark.parametrize("variant", [{"a2x": 0.0}, {"elbow2": "-x"}, {"point": "r2"}])
def test_variants_follow_the_path_within_the_play(variant: dict[str, Any]) -> None:
    values, _ = run(parallel_3rrpar.Config(variant=parallel_3rrpar.config.Variant(**variant)), 1.5 * PERIOD)
    place, _ = deviation(values)
    assert np.all(place < 0.5e-3)


def test_energy_goes_where_the_drives_put_it() -> None:
    """Restitution 1, no friction: energy changes by the drives' work alone."""
    config = parallel_3rrpar.Config(friction=0.0, contact=parallel_3rrpar.config.Contact(restitution=1.0))
    _, moving = run(config, 0.5, integrator=dop853.Config(tolerance=1e-9), work=True)
    p = parameters(config, FIRST, 1.0)
    y, s = start(config, FIRST, 9)
    before = energy(config, p, 0.0, y, s)
    after = energy(config, p, moving.time, moving.state, moving._s)
    assert len(moving.events) > 100
    assert after - before == pytest.approx(moving.state[8], abs=1e-7)
    assert abs(moving.state[8]) > 0.1


def test_friction_and_restitution_only_take_energy() -> None:
    config = parallel_3rrpar.Config()
    _, moving = run(config, 0.5, work=True)
    p = parameters(config, FIRST, 1.0)
    lost = moving.state[8] + energy(config, p, 0.0, *start(config, FIRST, 9)) - energy(config, p, moving.time, moving.state, moving._s)
    assert lost > 1e-4


def test_fixed_steps_converge_to_the_adaptive_ones() -> None:
    """Before the first contact, with the order of the method."""
    contact = parallel_3rrpar.config.Contact(stiffness=1.0)  # not reached, and no hindrance to a long step
    config = parallel_3rrpar.Config(clearance=3e-3, friction=0.0, contact=contact)
    exact, moving = run(config, 0.02, integrator=dop853.Config(tolerance=1e-12))
    assert not moving.events
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        coarse, _ = run(config, 0.02, integrator=rk4.Config(step=step))
        errors.append(np.abs(coarse[::10, POSITION] - exact[::10, POSITION]).max())
    slopes = np.diff(np.log(errors)) / math.log(0.5)
    assert np.all(slopes > 3.5)


def test_acceleration_is_the_rate_of_velocity(settled: tuple[Any, Stepper]) -> None:
    values, _ = settled
    last = values[-3000:]
    # Within 1e-4 of half a metre a second: the trapezoid rule misses where friction turns.
    gained = np.cumsum(0.5 * (last[1:, ACCELERATION] + last[:-1, ACCELERATION]), axis=0) / RATE
    assert np.abs(last[1:, 3:6] - last[0, 3:6] - gained).max() < 1e-4


def test_bodies_without_gravity_at_rest_stay() -> None:
    """The drives hold still, nothing pulls: nothing moves."""

    class Still:
        def evaluate(self, t: Any) -> tuple[Any, Any, Any]:
            point, _, _ = FIRST.evaluate(np.zeros(1))
            return np.repeat(point, len(t), axis=0), np.zeros((len(t), 3)), np.zeros((len(t), 3))

    values, moving = run(parallel_3rrpar.Config(gravity=0.0), 0.1, Still())
    assert np.abs(values[:, POSITION] - values[0, POSITION]).max() < 1e-12
    assert not moving.events


def test_refusals() -> None:
    with pytest.raises(ModelError, match=r"integrator\.step 0\.001 s is above what this method bears, 2\.\de-05 s"):
        stepper(parallel_3rrpar.Config(), rk4.Config(step=1e-3), RATE, FIRST, 1.0)
    with pytest.raises(ModelError, match="'newmark' does not suit the rigid 3-RRPaR"):
        stepper(parallel_3rrpar.Config(), newmark.Config(), RATE, FIRST, 1.0)


def test_contact_force_is_the_law() -> None:
    """r1_force is the law's force at the channel's own eccentricity (Hertz: no rate needed)."""
    config = parallel_3rrpar.Config(friction=0.0, contact=parallel_3rrpar.config.Contact(law="hertz"))
    values, _ = run(config, 0.05)
    stiffness = np.array([parallel_3rrpar.config.contact_stiffness(config), 1.5, 0.0, 1.0])
    pressed = np.flatnonzero(values[:, R1] > 1.0)
    assert len(pressed) > 3
    for row in pressed:
        depth = float(np.linalg.norm(values[row, R1_ECCENTRICITY])) - config.clearance
        assert values[row, R1] == pytest.approx(force(depth, 0.0, stiffness), rel=1e-6)
    assert parallel_3rrpar_kernel.PINS == 2


def scattered(config: parallel_3rrpar.Config, dice: np.random.Generator) -> tuple[float, Any, Any]:
    """(t, y, s): a state off the path in which both pins may press."""
    y, s = start(config, FIRST, 8)
    s[3] = s[7] = 0.3
    y += dice.normal(size=8) * np.array([*[1e-3] * 4, *[0.5] * 4])
    return float(dice.uniform(0.0, 0.02)), y, s


def bodies_at(config: parallel_3rrpar.Config, p: Any, t: float, y: Any) -> tuple[Any, Any]:
    """The 16 bodies where the minimal coordinates have them; and E_1, E_3."""
    kernel = parallel_3rrpar_kernel
    second = kernel.platform(y, p, kernel.tip(1, t, p))
    drives = np.array([kernel.drive(leg, t, p) for leg in range(3)])
    angles, rates = np.zeros((3, 3)), np.zeros((3, 3))
    angles[0], rates[0] = drives[:, 0], drives[:, 1]
    angles[1:, 1], rates[1:, 1] = y[2:4], y[6:8]
    for pin, leg in ((0, 0), (1, 2)):
        swung = kernel.swung(pin, y, p, second, kernel.tip(leg, t, p))
        angles[1:, leg], rates[1:, leg] = (y[pin], math.asin(swung[6])), (y[4 + pin], swung[9])
    return bodies.placed(config, t, np.array(second[:3]), np.array(second[3:6]), angles, rates), angles


def test_accelerations_and_torques_are_those_of_the_sixteen_bodies() -> None:
    """At 100 random states, pins pressed and rubbing, against the constrained equations of all bodies."""
    config, dice, kernel = parallel_3rrpar.Config(clearance=0.5e-3), np.random.default_rng(1), parallel_3rrpar_kernel
    p = parameters(config, FIRST, 0.1)
    made = bodies.system(config, FIRST, clearance=True)
    places, pressed = made.places(), 0
    for _ in range(100):
        t, y, s = scattered(config, dice)
        state, _ = bodies_at(config, p, t, y)
        assert max(made.violation(state)) < 1e-9
        arms = kernel.tip(0, t, p), kernel.tip(1, t, p), kernel.tip(2, t, p)
        now = kernel.motion(*arms, y, p, s, force)
        pressed += (now[7] != 0.0) + (now[10] != 0.0)
        applied = np.zeros((16, 6))
        for pin, leg in ((0, 0), (1, 2)):
            swung = kernel.swung(pin, y, p, kernel.platform(y, p, kernel.tip(1, t, p)), kernel.tip(leg, t, p))
            fx, fz, moment = kernel.pressed(pin, swung, p, s, force)
            far = bodies.number(leg, bodies.FAR)
            applied[far] += [fx, 0.0, fz, 0.0, -moment, 0.0]  # from X towards Z is about -Y
            applied[0, :3] -= [fx, 0.0, fz]  # its moment is taken by the joints, the platform does not turn
        found = made.solve(state, applied)
        size = 1.0 + np.abs(found.acceleration).max()
        np.testing.assert_allclose(now[4:7], found.acceleration[0], rtol=0.0, atol=1e-9 * size)
        assert np.abs(found.turning[0]).max() < 1e-7 * size
        for pin, leg in ((0, 0), (1, 2)):
            far = bodies.number(leg, bodies.FAR)
            assert now[pin] == pytest.approx(found.turning[far, 1], abs=1e-9 * (1.0 + np.abs(found.turning).max()))
        torques = [-found.multipliers[places[f"drive {leg}"]][0] for leg in (1, 2, 3)]
        np.testing.assert_allclose(kernel.torques(*arms, y, p, now), torques, rtol=0.0, atol=1e-8 * size)
    assert pressed > 50


def test_without_clearance_it_is_the_ideal_mechanism() -> None:
    """clearance = 0: the channels are those of the ideal loads, at any block size."""
    config = parallel_3rrpar.Config(clearance=0.0)
    whole, pieces = (config.create(dop853.Config(), RATE, path=FIRST, lasting=0.1) for _ in range(2))
    whole.start(np.zeros(1)), pieces.start(np.zeros(1))
    values, low, high = whole.advance_with_extremes(np.zeros(1000))
    parts = [pieces.advance_with_extremes(np.zeros(count)) for count in (1, 399, 600)]
    for at_once, one_by_one in zip((values, low, high), zip(*parts, strict=True), strict=True):
        np.testing.assert_array_equal(at_once, np.concatenate(one_by_one))
    loads = ideal.loads(config, *FIRST.evaluate(np.arange(1000) / RATE))
    np.testing.assert_array_equal(values[:, 12:15], loads.torque)
    np.testing.assert_array_equal(values[:, [R1, R3]], loads.radial)
    assert np.all(low <= values)
    assert np.all(high >= values)


def test_rolling_limit() -> None:
    """Frictionless, small clearance: largest deviation of M13, X, Y, Z; and the contact run keeps near it."""
    config = parallel_3rrpar.Config()
    times = np.arange(2000) * PERIOD / 2000
    along = FIRST.evaluate(times)
    off = np.abs(ideal.rolling(config, *along) - along[0]).max(axis=0)
    np.testing.assert_allclose(off, [0.2000e-3, 0.2454e-3, 0.1125e-3], rtol=0.005)
    tenth = parallel_3rrpar.Config(clearance=0.01e-3)
    smaller = np.abs(ideal.rolling(tenth, *along) - along[0]).max(axis=0)
    np.testing.assert_allclose(smaller, 0.1 * off, rtol=1e-3)


def test_contact_tends_to_the_rolling_limit(settled: tuple[Any, Stepper]) -> None:
    values, _ = settled
    times = np.arange(len(values)) / RATE
    last = times > times[-1] - PERIOD
    rolling = ideal.rolling(parallel_3rrpar.Config(), *FIRST.evaluate(times[last]))
    # Friction and penetration are the rest; where a force is least its direction turns too fast for the pin to follow at once.
    assert np.median(np.abs(values[last][:, POSITION] - rolling)) < 2e-6
