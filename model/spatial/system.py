"""Bodies and joints together: which constraints are independent, accelerations, multipliers.

M V' + J^T lam = Q, J V' = -rest. Where rows depend on each other the matrix of both is singular; an independent set of rows is chosen by
a QR decomposition with pivoting. With x = M^1/2 V', W = J M^-1/2 of that set and W^T = Q_1 R (QR),
x = -Q_1 R^-T rest + (1 - Q_1 Q_1^T) M^-1/2 Q is the motion nearest to the free one that the constraints allow (Gauss), and
lam = R^-1 Q_1^T (M^-1/2 Q - x). No normal equations are formed. Motion is unique, and so is the multiplier of a row that depends on no
others (a drive); how redundant rows share a load is not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from model.assembly.rank import Independence, independent
from model.floats import Floats
from model.spatial.bodies import Body, State, energy, gyroscopic, root_inverse
from model.spatial.joints import Joint
from model.spatial.rows import Rows


@dataclass(frozen=True)
class Solution:
    """a (n, 3) and w' (n, 3), m/s^2 and rad/s^2; lam of all rows, 0 for those that were not chosen."""

    acceleration: Floats
    turning: Floats
    multipliers: Floats
    independence: Independence


@dataclass(frozen=True)
class System:
    """gravity: (3,) m/s^2."""

    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    gravity: Floats

    def rows(self, state: State) -> Rows:
        """Of all joints, in their order."""
        none = Rows(np.zeros(0), np.zeros((0, 6 * len(self.bodies))), np.zeros(0), np.zeros(0))
        return Rows.joined([none, *(row.rows(state) for joint in self.joints for row in joint.rows)])

    def places(self) -> dict[str, slice]:
        """Joint's name -> its rows."""
        ends = np.cumsum([joint.count for joint in self.joints])
        return {joint.name: slice(int(end) - joint.count, int(end)) for joint, end in zip(self.joints, ends, strict=True)}

    def independence(self, state: State) -> Independence:
        """How many rows there are, their rank, and an independent set."""
        return independent(self.rows(state).jacobian)

    def violation(self, state: State) -> tuple[float, float]:
        """Largest |Phi| and |Phi'|; m, rad or 1, and per second."""
        rows = self.rows(state)
        return float(np.abs(rows.phi).max(initial=0.0)), float(np.abs(rows.jacobian @ state.speeds + rows.rate).max(initial=0.0))

    def energy(self, state: State) -> float:
        """J."""
        return energy(self.bodies, state, self.gravity)

    def loads(self, state: State) -> Floats:
        """Q, (6 n,): weight and gyroscopic moments."""
        weight = np.outer([body.mass for body in self.bodies], self.gravity)
        return np.hstack([weight, -gyroscopic(self.bodies, state)]).ravel()

    def solve(self, state: State, applied: Floats | None = None) -> Solution:
        """Accelerations and multipliers; applied: forces and moments on the mass centres beside, (n, 6), N and N m in the fixed axes."""
        rows = self.rows(state)
        found = independent(rows.jacobian)
        root = root_inverse(self.bodies, state)
        free = root @ (self.loads(state) + (0.0 if applied is None else applied.ravel()))
        q, r = np.linalg.qr((rows.jacobian[found.chosen] @ root).T)
        x = free + q @ (solve_triangular(r, -rows.rest[found.chosen], trans="T") - q.T @ free)
        multipliers = np.zeros(found.rows)
        multipliers[found.chosen] = solve_triangular(r, q.T @ (free - x))
        a = (root @ x).reshape(-1, 6)
        return Solution(a[:, :3], a[:, 3:], multipliers, found)
