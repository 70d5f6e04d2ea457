"""How the rigid 3-RRPaR mechanism begins: on its path with the pins in the middle, or at rest on what gravity presses together."""

from __future__ import annotations

import numpy as np

from model.contact import force as law
from model.errors import InconsistentStart
from model.floats import Floats
from model.joints import contact
from model.mechanisms.parallel_3rrpar import ideal, kernel, kinematics
from model.mechanisms.parallel_3rrpar import pin_loads as pressing
from model.mechanisms.parallel_3rrpar.config import Config, contact_stiffness
from model.paths.course import Course
from model.stepping import inputs

TURN = 1e-10  # rad, for differences: a bar's end then moves by less than a tenth of a nanometre
STEPS = 30  # of Newton at most
STILL = 1e-8  # rad/s^2 that counts as none; gravity on a bar alone makes some ten


def start(config: Config, path: Course, states: int) -> tuple[Floats, Floats]:
    """(y, s) on the path at t = 0 with the speeds of ideal joints, the journals centred, all contacts open."""
    y = np.zeros(states)
    y[: 2 * kernel.FREEDOMS] = _swing(kinematics.swing(kinematics.motion_along(config, *path.evaluate(np.zeros(1)))))
    return y, _open(config)


def resting(config: Config, path: Course, p: Floats, states: int, samples: Floats, rate: float) -> tuple[Floats, Floats]:
    """(y, s) where the first of the samples (s) is on the path: the platform hung in its pins as gravity and the contacts have it.

    Samples that move from the beginning on move all with them, as ideal joints would. Without gravity the pins are in the middle. Raises
    InconsistentStart where no equilibrium is found.
    """
    _, speed, _ = inputs.course(inputs.window(0.0, rate, samples[:4]), 0.0)
    point, along, _ = path.evaluate(samples[:1])
    still = np.zeros((1, 3))
    y, s = np.zeros(states), _open(config)
    moving = kinematics.swing(kinematics.motion_along(config, point, along * speed, still))
    y[: 2 * kernel.FREEDOMS] = _swing(moving)
    if config.gravity == 0.0:
        return y, s
    hung = ideal.loads(config, point, still, still)
    for pin in pressing.loose(config):
        s[contact.EACH * pin + contact.SPEED] = config.contact.approach_floor
    y[: kernel.FREEDOMS] = _settled(config, p, _hung(config, point, hung), s, hung.motion.theta[0])
    return y, s


def _open(config: Config) -> Floats:
    """s with all contacts open."""
    s = np.zeros(contact.EACH * kernel.PINS)
    for pin in pressing.loose(config):
        own = law.parameters(contact_stiffness(config, pin), config.contact.exponent, config.contact.damping)
        s[contact.EACH * pin : contact.EACH * (pin + 1)] = own
    return s


def _swing(moving: tuple[Floats, ...]) -> Floats:
    """The coordinates and their rates, (8,), from what kinematics.swing has of one time."""
    beta, gamma, beta_rate, gamma_rate, *_ = moving
    return np.array([
        beta[0, 0], beta[0, 2], beta[0, 1], gamma[0, 1], beta_rate[0, 0], beta_rate[0, 2], beta_rate[0, 1], gamma_rate[0, 1],
    ])  # fmt: skip


def _hung(config: Config, point: Floats, hung: ideal.Loads) -> Floats:
    """The coordinates, (4,), with each pin as deep in its bush as the force of ideal joints presses it."""
    sizes = np.array(config.clearances)
    for pin in pressing.loose(config):
        sizes[pin] += (hung.radial[0, pin] / contact_stiffness(config, pin)) ** (1.0 / config.contact.exponent)
    away = ideal.eccentricities(hung, sizes)
    u = ideal.carried_away(config, hung, point, away)[1][0]
    out, aside, lean = (float(u[1] @ axis) for axis in (kinematics.X_AXIS, kinematics.SIDES[1], kinematics.AXES[1]))
    first, third = (np.arctan2(float(u[leg] @ kinematics.SIDES[leg]), float(u[leg][0])) for leg in kernel.ALONG_Y)
    return np.array([first, third, np.arctan2(aside, out), np.arcsin(lean)])


def _settled(config: Config, p: Floats, guess: Floats, s: Floats, theta: Floats) -> Floats:
    """The coordinates at which nothing accelerates, by Newton from the guess. Raises InconsistentStart."""
    first, second, third = (kernel.tip_of(leg, (float(theta[leg]), 0.0, 0.0), p) for leg in range(kernel.LEGS))

    def pulled(q: Floats) -> Floats:
        still = np.concatenate([q, np.zeros(kernel.FREEDOMS)])
        return np.array(kernel.motion(first, second, third, still, p, s, config.contact.force)[: kernel.FREEDOMS])

    q = guess.copy()
    for _ in range(STEPS):
        now = pulled(q)
        if np.abs(now).max() < STILL:
            break
        slopes = np.column_stack([(pulled(q + h) - pulled(q - h)) / (2.0 * TURN) for h in TURN * np.eye(kernel.FREEDOMS)])
        step = np.linalg.solve(slopes, -now)
        if np.abs(step).max() < np.finfo(np.float64).eps:
            break
        q += step
    if not np.abs(pulled(q)).max() < 1e-3:
        raise InconsistentStart(
            f"at rest, under a gravity of {config.gravity:g} m/s^2, the platform finds no place in its pins; "
            "choose another start of the path, or less clearance"
        )
    return q
