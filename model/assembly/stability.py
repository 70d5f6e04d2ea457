"""How long a fixed step may be: the fastest mode with every contact closed, the constraints kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import null_space

from model.assembly import layout as at
from model.assembly.description import Body
from model.assembly.elements import Constraint, Elements
from model.assembly.rank import DEPENDENT
from model.assembly.system import System, assembled
from model.floats import Floats
from model.integrators.tableau import Tableau

FORCE, SPEED = 1e3, 0.1  # N, m/s: force and approach speed of a contact that a fixed step must at least bear


def stable_step(system: System, state: Floats, parts: Sequence[Elements], bodies: Sequence[Body], tableau: Tableau) -> float:
    """Longest stable step of the method, s; infinite for a mechanism in which nothing is elastic."""
    q, v = np.split(state[: 2 * at.TRIPLE * len(bodies)], 2)
    root = np.sqrt(np.array([[body.mass, body.mass, body.inertia] for body in bodies]).ravel())
    jacobian = system.violated(0.0, q, v)[2] / root
    free = null_space(jacobian, rcond=DEPENDENT) if len(jacobian) else np.eye(len(q))
    stiff = np.zeros((free.shape[1],) * 2)
    damped = np.zeros_like(stiff)
    for part in parts:
        for touch in part.contacts:
            stiffness, exponent, damping = touch.law
            k = exponent * stiffness * (FORCE / stiffness) ** (1.0 - 1.0 / exponent)
            rows = assembled(bodies, [Constraint(at.COINCIDENT, touch.i, touch.j, "")]).violated(0.0, q, v)[2] / root @ free
            stiff += k * rows.T @ rows
            damped += FORCE * damping / max(SPEED, touch.floor) * rows.T @ rows
        for spring in part.springs:
            kind = at.ANGLE if spring.way == at.TURNED else at.COINCIDENT
            rows = assembled(bodies, [Constraint(kind, spring.i, spring.j, "")]).violated(0.0, q, v)[2] / root @ free
            stiff += spring.steepest * rows.T @ rows
            damped += spring.damping * rows.T @ rows
    size = len(stiff)
    chain = np.block([[np.zeros((size, size)), np.eye(size)], [-stiff, -damped]])
    own = [-actuator.fastest for part in parts for actuator in part.actuators if actuator.fastest > 0.0]
    return tableau.stable_step(np.append(np.linalg.eigvals(chain), own).astype(np.complex128))
