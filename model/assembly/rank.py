"""Which constraints depend on others: rank-revealing QR, and whether that is the linkage or only the position it stands in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space, qr

from model.floats import Floats

DEPENDENT = 1e-6
"""Share of the largest below which a diagonal element of R counts as 0. Where a position has two solutions Newton finds it, and J's zero,
to the root of the rounding error only."""


@dataclass(frozen=True)
class Independence:
    """An independent set of rows: `chosen` (rows,) True for those in it."""

    rows: int
    rank: int
    chosen: NDArray[np.bool_]


def independent(jacobian: Floats, last: NDArray[np.bool_] | None = None, dependent: float = DEPENDENT) -> Independence:
    """A largest independent set of the rows (rows, columns). last: rows that are taken only if the others leave room.

    dependent: share of the largest below which what a row adds to the others counts as nothing.
    """
    size = len(jacobian)
    chosen = np.zeros(size, dtype=np.bool_)
    if size == 0:
        return Independence(0, 0, chosen)
    length = np.linalg.norm(jacobian, axis=1)
    unit = jacobian / np.where(length > 0.0, length, 1.0)[:, None]
    late = np.zeros(size, dtype=np.bool_) if last is None else last
    basis = np.zeros((jacobian.shape[1], 0))
    for group in (np.flatnonzero(~late), np.flatnonzero(late)):
        rest = unit[group].T - basis @ (basis.T @ unit[group].T)
        q, r, order = qr(rest, mode="economic", pivoting=True)
        found = int(np.sum(np.abs(np.diag(r)) > dependent))
        chosen[group[order[:found]]] = True
        basis = np.hstack([basis, q[:, :found]])
    return Independence(size, int(chosen.sum()), chosen)


def free_directions(jacobian: Floats) -> Floats:
    """Orthonormal directions (columns, freedoms) in which no row of the Jacobian changes."""
    return np.asarray(null_space(jacobian, rcond=DEPENDENT)) if len(jacobian) else np.eye(jacobian.shape[1])
