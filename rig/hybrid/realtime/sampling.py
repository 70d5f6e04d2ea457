"""Linear equations of motion at the instants of a sample clock, exactly: no step that a fast mode could make unstable.

Van Loan, Computing integrals involving the matrix exponential, IEEE Trans. Autom. Control 23 (1978) 395.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def held(a: Floats, b: Floats, step: float) -> tuple[Floats, Floats]:
    """(A (n, n), B (n,)) of x_k+1 = A x_k + B u_k, for an input that stands still over a step (s)."""
    n = len(a)
    whole = np.zeros((n + 1, n + 1))
    whole[:n, :n], whole[:n, n] = a, b
    e = scipy.linalg.expm(whole * step)
    return np.ascontiguousarray(e[:n, :n]), np.ascontiguousarray(e[:n, n])


def straight(a: Floats, b: Floats, step: float) -> tuple[Floats, Floats, Floats]:
    """(A, B_0, B_1) of x_k+1 = A x_k + B_0 u_k + B_1 u_k+1, for an input that is straight between the instants."""
    n = len(a)
    whole = np.zeros((n + 2, n + 2))
    whole[:n, :n], whole[:n, n], whole[n, n + 1] = a, b, 1.0 / step
    e = scipy.linalg.expm(whole * step)
    after = np.ascontiguousarray(e[:n, n + 1])
    return np.ascontiguousarray(e[:n, :n]), np.ascontiguousarray(e[:n, n] - after), after
