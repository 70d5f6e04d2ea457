"""Where the flexible slider-crank begins: straight at crank angle 0, or where samples have the crank, at rest as gravity has it."""

from __future__ import annotations

import math

import numpy as np

from model.bodies.ancf_beam2d.beam import ELEMENT, NODE
from model.bodies.ancf_beam2d.kernel import TANGENT_WORK
from model.contact import force as law
from model.errors import InconsistentStart
from model.floats import Floats
from model.joints import contact
from model.mechanisms.slider_crank.config import contact_stiffness, guide_stiffness
from model.mechanisms.slider_crank.start import posture
from model.mechanisms.slider_crank_flexible import kernel
from model.mechanisms.slider_crank_flexible.config import Config

SHIFT = 1e-10  # m, for differences
STEPS = 30  # of Newton at most
STILL = 1e-3  # m/s^2 that an equilibrium may leave
RESTS = 1e-6  # rad/s of the crank: samples that rest differ by rounding


def start(config: Config) -> tuple[Floats, Floats]:
    """(y, s) at crank angle 0: straight, without strain, eccentricity or contact, with the velocities of the rigid mechanism."""
    length, speed = config.rod.length, config.speed * config.crank.length
    position, velocity = [0.0, config.crank.length + length, 0.0, 0.0], [-speed / length, 0.0, 0.0, 0.0]
    y = _straight(config, np.array([config.crank.length, 0.0]), np.array([0.0, speed]), position, velocity)
    return y, _open(config, len(y))


def resting(config: Config, p: Floats, samples: Floats, rate: float) -> tuple[Floats, Floats]:
    """(y, s) where the first of the samples (rad) has the crank: rod and slider hang as gravity has them, the rod bent by its weight.

    p: of the kernel, led by the samples. Samples that move from the beginning on move a straight rod with them, as the rigid mechanism.
    Raises InconsistentStart for a crushed joint, or where nothing rests.
    """
    position, velocity, closed = posture(config, samples, rate)
    theta, omega, _ = kernel.turned(0.0, p)
    crank = config.crank.length * np.array([math.cos(theta), math.sin(theta)])
    begin = crank.copy()
    if config.clearance_joint == "crank_rod" and config.clearance > 0.0:
        begin[1] = position[2] - config.rod.length * math.sin(position[0])
    y = _straight(config, begin, omega * np.array([-crank[1], crank[0]]), position, velocity)
    s = _open(config, len(y))
    for k in range(kernel.CONTACTS):
        s[contact.EACH * k + contact.SPEED] = closed[contact.EACH * k + contact.SPEED]
    return (_settled(config, y, p, s) if config.gravity != 0.0 and abs(omega) < RESTS else y), s


def _straight(config: Config, begin: Floats, speed: Floats, position: list[float], velocity: list[float]) -> Floats:
    """y of a straight rod from `begin` (2,), which moves with `speed` (2,); position, velocity: phi, x, y, psi, and their rates."""
    beam, (phi, *slider), (rate, *moving) = config.rod.beam, position, velocity
    e = beam.straight(begin, np.array([math.cos(phi), math.sin(phi)]))
    return np.concatenate([e, slider, beam.turning(e, speed, rate), moving])


def _open(config: Config, states: int) -> Floats:
    """s with all contacts open."""
    s = np.zeros(kernel.ROOM + max(states, ELEMENT * TANGENT_WORK))
    s[: kernel.ROOM] = np.tile(law.parameters(guide_stiffness(config), 1.0, 0.0), kernel.CONTACTS)
    pin = law.parameters(contact_stiffness(config), config.contact.exponent, config.contact.damping)
    s[kernel.PIN_CONTACT : kernel.PIN_CONTACT + contact.EACH] = pin
    return s


def _free(p: Floats) -> list[int]:
    """Places of the coordinates that nothing holds."""
    size, guided = kernel.rod_size(p), p[kernel.GUIDE] == 0.0
    held = [] if p[kernel.PIN] == kernel.CRANK_ROD else [0, 1]
    found = [] if guided else [size + kernel.PHI]
    if p[kernel.PIN] == kernel.ROD_SLIDER:
        found += [size + kernel.X] if guided else [size + kernel.X, size + kernel.Y]
    elif guided:
        held.append(size - NODE + 1)
    return [k for k in range(size) if k not in held] + found


def _settled(config: Config, y: Floats, p: Floats, s: Floats) -> Floats:
    """y at which nothing accelerates, by Newton with the crank where it is. Raises InconsistentStart."""
    free, size, n = _free(p), kernel.rod_size(p), len(y) // 2
    rates, unused = np.zeros_like(y), np.zeros(1)

    def placed(x: Floats) -> Floats:
        z = y.copy()
        z[free] = x
        if p[kernel.PIN] != kernel.ROD_SLIDER:
            z[size + kernel.X : size + kernel.PHI] = z[size - NODE : size - NODE + 2]
        return z

    def pulled(x: Floats) -> Floats:
        kernel.rhs(0.0, placed(x), rates, p, s, unused, config.contact.force)
        return rates[n:][free].copy()

    x = y[free]
    for _ in range(STEPS):
        slopes = np.column_stack([(pulled(x + h) - pulled(x - h)) / (2.0 * SHIFT) for h in SHIFT * np.eye(len(x))])
        change = np.linalg.solve(slopes, -pulled(x))
        x = x + change
        if np.abs(change).max() < np.finfo(np.float64).eps:
            break
    if not np.abs(pulled(x)).max() < STILL * max(1.0, abs(config.gravity)):
        raise InconsistentStart(f"at rest, under a gravity of {config.gravity:g} m/s^2, rod and slider find no place in their joints")
    return placed(x)
