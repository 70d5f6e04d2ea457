"""How long a fixed step may be: the fastest mode with every contact closed, the constraints kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import block_diag, cholesky, null_space, solve_triangular

from model.assembly import layout as at
from model.assembly.description import Body
from model.assembly.elements import Constraint, Elements
from model.assembly.rank import DEPENDENT
from model.assembly.system import System, assembled
from model.floats import Floats
from model.integrators.tableau import Tableau

FORCE, SPEED = 1e3, 0.1  # N, m/s: force and approach speed of a contact that a fixed step must at least bear


def stable_step(system: System, state: Floats, parts: Sequence[Elements], bodies: Sequence[Body], tableau: Tableau) -> float:
    """Longest stable step of the method, s; infinite for a mechanism in which nothing is elastic. The rods as they stand at the start."""
    z, v = system.parted(state)
    rods, first = system.rods, at.TRIPLE * len(bodies)
    root = np.sqrt(np.array([[body.mass, body.mass, body.inertia] for body in bodies]).ravel())
    inertia = block_diag(np.zeros((0, 0)), *(cholesky(rod.beam.mass_matrix()) for rod in rods.rods))

    def by_mass(rows: Floats) -> Floats:
        """Rows (any, coordinates), with coordinates in which the mass matrix is 1."""
        if not rods.rods:
            return np.asarray(rows / root)
        return np.hstack([rows[:, :first] / root, solve_triangular(inertia, rows[:, first:].T, trans="T").T])

    jacobian = by_mass(system.violated(0.0, z, v)[2])
    free = null_space(jacobian, rcond=DEPENDENT) if len(jacobian) else np.eye(len(z))
    stiff = np.zeros((free.shape[1],) * 2)
    damped = np.zeros_like(stiff)
    for n, rod in enumerate(rods.rods):
        here = slice(first + rods.places[n], first + rods.places[n + 1])
        rows = np.zeros((rod.beam.coordinates, len(z)))
        rows[:, here] = np.eye(rod.beam.coordinates)
        moved = by_mass(rows) @ free
        stiff += moved.T @ rod.beam.stiffness(z[here]) @ moved
        damped += moved.T @ rod.beam.damping_matrix(z[here]) @ moved
    for part in parts:
        for touch in part.contacts:
            stiffness, exponent, damping = touch.law
            k = exponent * stiffness * (FORCE / stiffness) ** (1.0 - 1.0 / exponent)
            rows = by_mass(assembled(bodies, [Constraint(at.COINCIDENT, touch.i, touch.j, "")], rods=rods).violated(0.0, z, v)[2]) @ free
            stiff += k * rows.T @ rows
            damped += FORCE * damping / max(SPEED, touch.floor) * rows.T @ rows
        for spring in part.springs:
            kind = at.ANGLE if spring.way == at.TURNED else at.COINCIDENT
            rows = by_mass(assembled(bodies, [Constraint(kind, spring.i, spring.j, "")], rods=rods).violated(0.0, z, v)[2]) @ free
            stiff += spring.steepest * rows.T @ rows
            damped += spring.damping * rows.T @ rows
    size = len(stiff)
    chain = np.block([[np.zeros((size, size)), np.eye(size)], [-stiff, -damped]])
    own = [-actuator.fastest for part in parts for actuator in part.actuators if actuator.fastest > 0.0]
    return tableau.stable_step(np.append(np.linalg.eigvals(chain), own).astype(np.complex128))
