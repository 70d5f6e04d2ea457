"""The flexible 3-RRPaR whose pins have no friction, against closed form: rolling pins, compressed contacts, stretched bars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.integrators import generalized_alpha
from model.joints import contact
from model.mechanisms.parallel_3rrpar import ideal, kinematics
from model.mechanisms.parallel_3rrpar.config import contact_stiffness
from model.mechanisms.parallel_3rrpar_flexible import Config, bodies
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible import start as begin
from model.mechanisms.parallel_3rrpar_flexible import stepper as motion
from model.mechanisms.parallel_3rrpar_flexible.config import Bars
from model.paths import trajectory_1

Floats = NDArray[np.float64]
PERIOD = 2.0 / 3.0  # s
MOVING = trajectory_1.Config(blend="off").create()


def rolled(config: Config, times: Floats) -> Floats:
    """M13 off its path, (N, 3) m: pins away by the clearance and the contact's compression against the ideal force, three springs.

    A spring bears what the platform does to the leg, its far short bar and the far end's share of two bars.
    """
    f, path, bars, up = kinematics.frame(config), MOVING.evaluate(times), config.bars, np.array([0.0, 0.0, config.gravity])
    found, far = ideal.loads(config, *path), path[2][:, None, :]
    near = far - bars.length * found.motion.u_acceleration
    own = config.short.mass * (far + up) + 2.0 * bars.mass * ((2.0 * far + near) / 6.0 + 0.5 * up)
    stretch = np.sum((found.force - own) * found.motion.u, axis=-1) * bars.length / (2.0 * bars.youngs_modulus * bars.width**2)
    tips = kinematics.tips(config, found.motion.theta)
    away = np.zeros_like(found.force)
    for leg, size in zip((0, 2), np.moveaxis(found.radial, -1, 0), strict=True):
        depth = (size / contact_stiffness(config)) ** (1.0 / config.contact.exponent)
        away[:, leg, ideal.PLANE] = ((config.clearance + depth) / size)[:, None] * found.force[:, leg, ideal.PLANE]
    place = path[0] - f.offset
    for _ in range(4):
        along = place[:, None, :] + f.joints - away - tips
        left = np.sum(along**2, axis=-1) - (f.bar + stretch) ** 2
        place = place - np.linalg.solve(2.0 * along, left[..., None])[..., 0]
    return np.asarray(place + f.offset - path[0])


def equilibria(config: Config, times: Floats) -> Floats:
    """M13 off its path, (N, 3) m, with bars and pins in equilibrium under the velocities and accelerations of rigid motion."""
    p = begin.with_matrices(config, motion.parameters(config, MOVING, 1.0, motion.factors(1e-4, 0.7)), 0.0)
    free, held = motion.room(config), motion.room(config)
    held[pins.HELD] = 1.0
    free[contact.SPEED] = free[contact.EACH + contact.SPEED] = config.contact.approach_floor
    places = []
    for t, y in zip(times, begin.rigid_states(config, MOVING, times), strict=True):
        tight = begin.equilibrium(config, t, y, p, held)
        found = begin.equilibrium(config, t, begin.with_gaps(config, MOVING, t, tight, p, held), p, free)
        places.append(found[: len(found) // 3][-bodies.WITH_CLEARANCE :][:3])
    return np.asarray(np.array(places) + kinematics.frame(config).offset - MOVING.evaluate(times)[0])


@pytest.mark.parametrize("elements", [1, 3])
def test_equilibria_along_the_path_roll(elements: int) -> None:
    """To a micrometre where the force turns fastest, whose direction strains move a little; mostly to hundredths of one."""
    config, times = Config(friction=0.0, bars=Bars(elements=elements)), np.linspace(0.0, PERIOD, 61)
    found, expected = equilibria(config, times), rolled(config, times)
    assert np.abs(found).max(axis=0) == pytest.approx(np.abs(expected).max(axis=0), rel=1e-3)
    assert np.median(np.abs(found - expected), axis=0) == pytest.approx(0.0, abs=0.05e-6)
    bare = np.abs(ideal.rolling(config, *MOVING.evaluate(times)) - MOVING.evaluate(times)[0]).max(axis=0)
    assert np.abs(found).max(axis=0) == pytest.approx(bare, rel=8e-3)


def swing(clearance: float, step: float) -> Any:
    """Share by which Z is larger in the first turn than that of rolling pins, whose way the integrated motion swings about."""
    config, samples = Config(friction=0.0, clearance=clearance, bars=Bars(elements=1, damping=1e-4)), 2000
    stepper = config.create(generalized_alpha.Config(step=step), samples / PERIOD, path=MOVING, lasting=PERIOD)
    stepper.start(np.zeros(1))
    times = np.linspace(0.0, PERIOD, samples + 1)
    off = stepper.advance(np.zeros(samples + 1))[:, 2] - MOVING.evaluate(times)[0][:, 2]
    return np.abs(off).max() / np.abs(rolled(config, times)[:, 2]).max() - 1.0


def test_what_the_motion_has_beyond_rolling_dies_with_the_clearance() -> None:
    """A pin is a pendulum in its bush and swings after a force whose direction turns; not a matter of the steps."""
    wide, middle, narrow = (swing(clearance, 2e-4) for clearance in (0.1e-3, 0.03e-3, 0.01e-3))
    assert 0.008 < wide < 0.011
    assert wide > 1.5 * middle > 3.0 * narrow
    assert swing(0.1e-3, 1e-4) == pytest.approx(wide, rel=0.01)
