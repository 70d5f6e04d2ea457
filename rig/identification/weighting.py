"""How figures of right specimens differ from the model's, and together: what each of them says of a parameter is weighed by that."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, cholesky, solve_triangular

Floats = NDArray[np.float64]

FLOOR = 1e-12
"""Of the largest deviation: what differs in no specimen, as a figure that is zero in all, says nothing and must not be divided by."""


class Weighting:
    """By a covariance (d, d) of the figures' errors."""

    def __init__(self, covariance: Floats) -> None:
        self.covariance = covariance
        self._factor = cholesky(covariance, lower=True)

    @classmethod
    def of(cls, errors: Floats, more: Floats, together: bool = True) -> Weighting:
        """Of errors (n, d) of n specimens and the further variance (d,) of a measured mean. together: whether it counts how errors of
        several figures go together; if not, the same specimens may be fitted by it as well."""
        return cls((shrunk(errors) if together else np.diag(_deviations(errors) ** 2)) + np.diag(more))

    def whitened(self, errors: Floats) -> Floats:
        """Errors (d,) or (d, k) in deviations that are independent of each other."""
        return np.asarray(solve_triangular(self._factor, errors, lower=True))

    def weighed(self, errors: Floats) -> Floats:
        """Inverse of the covariance times errors (d,) or (d, k)."""
        return np.asarray(cho_solve((self._factor, True), errors))


def shrunk(errors: Floats) -> Floats:
    """Covariance (d, d) of errors (n, d), its correlations drawn to zero by the share that their own uncertainty asks for.

    Schäfer and Strimmer, Stat. Appl. Genet. Mol. Biol. 4 (2005) 32: of fewer specimens than figures the sample's own has no inverse.
    """
    n = len(errors)
    centred = errors - errors.mean(axis=0)
    deviations = _deviations(errors)
    z = centred / deviations
    correlations = z.T @ z / (n - 1)
    squares = (z**2).T @ (z**2) / n - (z.T @ z / n) ** 2
    uncertain = n**2 / (n - 1) ** 3 * squares
    off = ~np.eye(len(correlations), dtype=bool)
    total = float(np.sum(correlations[off] ** 2))
    share = min(1.0, max(0.0, float(np.sum(uncertain[off])) / total)) if total > 0.0 else 1.0
    correlations *= 1.0 - share
    np.fill_diagonal(correlations, 1.0)
    return np.asarray(correlations * np.outer(deviations, deviations))


def _deviations(errors: Floats) -> Floats:
    found = errors.std(axis=0, ddof=1)
    return np.asarray(np.maximum(found, FLOOR * found.max()))
