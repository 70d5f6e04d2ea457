"""The rigid 3-RRPaR mechanism with clearance at R1 and R3: what its motion must keep to, and the reference values of chen2026's case."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from model.contact.force import force
from model.errors import ModelError
from model.integrators import dop853, newmark, rk4
from model.mechanisms import parallel_3rrpar, parallel_3rrpar_kernel, parallel_3rrpar_kinematics
from model.mechanisms.parallel_3rrpar_motion import energy, parameters, start, stepper
from model.paths import create, trajectory_1, trajectory_2
from model.stepper import Stepper

PERIOD = 2.0 / 3.0  # s
RATE = 10e3
POSITION, ACCELERATION, R1, R3, R1_ECCENTRICITY, R3_ECCENTRICITY = slice(0, 3), slice(6, 9), 15, 16, slice(17, 20), slice(20, 23)
FIRST, SECOND = create(trajectory_1.Config(blend="off")), create(trajectory_2.Config(blend="off"))


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
    f = parallel_3rrpar_kinematics.frame(config)
    tips = parallel_3rrpar_kinematics.tips(config, values[:, 9:12])
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
    values, _ = run(parallel_3rrpar.Config(variant=parallel_3rrpar.Variant(**variant)), 1.5 * PERIOD)
    place, _ = deviation(values)
    assert np.all(place < 0.5e-3)


def test_energy_goes_where_the_drives_put_it() -> None:
    """Restitution 1, no friction: energy changes by the drives' work alone."""
    config = parallel_3rrpar.Config(friction=0.0, contact=parallel_3rrpar.Contact(restitution=1.0))
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
    contact = parallel_3rrpar.Contact(stiffness=1.0)  # not reached, and no hindrance to a long step
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
    with pytest.raises(ModelError, match=r"integrator\.step 0\.001 s is above the stability limit of this method, 4\.\d+e-05 s"):
        stepper(parallel_3rrpar.Config(), rk4.Config(step=1e-3), RATE, FIRST, 1.0)
    with pytest.raises(ModelError, match="'newmark' does not suit the rigid 3-RRPaR"):
        stepper(parallel_3rrpar.Config(), newmark.Config(), RATE, FIRST, 1.0)


def test_contact_force_is_the_law() -> None:
    """r1_force is the law's force at the channel's own eccentricity (Hertz: no rate needed)."""
    config = parallel_3rrpar.Config(friction=0.0, contact=parallel_3rrpar.Contact(law="hertz"))
    values, _ = run(config, 0.05)
    stiffness = np.array([parallel_3rrpar.contact_stiffness(config), 1.5, 0.0, 1.0])
    pressed = np.flatnonzero(values[:, R1] > 1.0)
    assert len(pressed) > 3
    for row in pressed:
        depth = float(np.linalg.norm(values[row, R1_ECCENTRICITY])) - config.clearance
        assert values[row, R1] == pytest.approx(force(depth, 0.0, stiffness), rel=1e-6)
    assert parallel_3rrpar_kernel.PINS == 2
