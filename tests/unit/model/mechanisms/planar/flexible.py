"""Mechanisms with rods that give way, run; their energy, and their natural frequencies by differences of the whole right-hand side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space

from model.assembly import layout as at
from model.assembly.rods.rod import Rod
from model.contact.force import force
from model.integrators import dop853
from model.mechanisms import slider_crank_flexible as by_hand
from model.mechanisms.planar import Config, kernel
from model.mechanisms.planar import stepper as motion
from model.mechanisms.planar.stepper import PlanarStepper
from tests.unit.model.mechanisms.planar.described import slider_crank

Floats = NDArray[np.float64]
NO_INPUT = np.zeros(8)
EXACT = dop853.Config(tolerance=1e-10, longest_step=1e-3)


def described(like: by_hand.Config, outputs: tuple[str, ...] = (), stiffer: float = 1.0) -> Config:
    """The same mechanism, described; stiffer: factor on the rod's modulus."""
    rigid, given = slider_crank(like, outputs, felt=True), like.rod
    area = given.beam.area
    rod = Rod(
        "rod", given.length, given.mass, stiffer * given.youngs_modulus, area, area**2 / 12.0, given.elements, given.damping
    )  # fmt: skip
    joints = []
    for joint in rigid.joints:
        between = tuple(point.replace("rod.B", "rod.end").replace("rod.origin", "rod.begin") for point in getattr(joint, "between"))  # noqa: B009
        joints.append(replace(joint, between=between))  # type: ignore[type-var]
    return replace(rigid, bodies=tuple(body for body in rigid.bodies if body.name != "rod"), joints=tuple(joints), rods=(rod,))


def started(config: Config, rate: float, method: dop853.Config = EXACT) -> PlanarStepper:
    """Its stepper at the start."""
    stepper = config.create(method, rate)
    assert isinstance(stepper, PlanarStepper)
    stepper.start(np.zeros(stepper.lookahead))
    return stepper


def run(config: Config, seconds: float, rate: float = 1e3, method: dop853.Config = EXACT) -> dict[str, Floats]:
    """Channels (k,)."""
    stepper = started(config, rate, method)
    values = stepper.advance(np.zeros(round(seconds * rate) + 1))
    return {name: values[:, k] for k, (name, _) in enumerate(config.channels)}


def energy(stepper: PlanarStepper, config: Config) -> tuple[float, float]:
    """(kinetic, potential) of bodies and rods, J, from the state."""
    z, rates = stepper.system.parted(stepper.state)
    bodies, weight = 3 * len(config.bodies), np.array(config.weight)
    kinetic = 0.5 * float(stepper.system.masses[:bodies] @ rates[:bodies] ** 2)
    potential = -sum(body.mass * float(weight @ z[3 * n : 3 * n + 2]) for n, body in enumerate(config.bodies))
    first = bodies
    for rod in config.rods:
        here = slice(first, first + rod.beam.coordinates)
        mass = rod.beam.mass_matrix()
        kinetic += 0.5 * float(rates[here] @ mass @ rates[here])
        potential += rod.beam.strain_energy(z[here]) - float(np.tile([*weight, 0.0, 0.0], rod.elements + 1) @ mass @ z[here])
        first = here.stop
    return kinetic, potential


def frequencies(config: Config) -> Floats:
    """Natural frequencies about the start, Hz, ascending: of the accelerations' derivatives along what the constraints leave free."""
    start = motion.assemble(config)
    system, size = start.system, 1e-6
    z, rates = system.parted(start.state)
    still = np.zeros_like(rates)
    free = null_space(system.violated(0.0, z, still)[2])

    def accelerations(moved: Floats) -> Floats:
        y = system.renewed(start.state, moved, still)
        dy, p, s = np.zeros_like(y), system.p.copy(), system.s.copy()
        p[at.STABILISATION] = 0.0
        kernel.rhs(0.0, y, dy, p, s, NO_INPUT, force)
        return system.parted(dy)[1]

    columns = [(accelerations(z + size * n) - accelerations(z - size * n)) / (2.0 * size) for n in free.T]
    squares = np.linalg.eigvals(-np.linalg.lstsq(free, np.column_stack(columns), rcond=None)[0])
    return np.asarray(np.sqrt(np.sort(np.abs(squares.real))) / (2.0 * np.pi))
