"""How much an actuator that stops short of its target makes a pseudo-dynamic test grow.

The loader comes to x_n+1 = x_n + (1 - e)(d~ - x_n): e is the share of each increment that is missing. Its force then comes late, as a
negative damping of about e omega h / 2 (Shing, Mahin 1983); with the force brought to the target along K_I only e (K - K_I)/K of it is
left. One step of a linear specimen is a matrix; what its spectral radius is above 1, amplitudes grow by a step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.hybrid.splitting import Splitting, State


def amplification(method: Splitting, specimen: float, undershoot: float, corrected: bool) -> NDArray[np.float64]:
    """(4, 4) map of (displacement, velocity, acceleration, where the loader stands) over a step of free vibration.

    specimen: its stiffness, N/m. undershoot: e. corrected: the force is brought to the target.
    """
    return np.column_stack([_stepped(method, specimen, undershoot, corrected, *unit) for unit in np.eye(4).tolist()])


def growth(method: Splitting, specimen: float, undershoot: float, corrected: bool, steps: int) -> float:
    """Factor by which amplitudes grow over so many steps; 1 where nothing grows, below 1 where they die out."""
    eigenvalues = np.linalg.eigvals(amplification(method, specimen, undershoot, corrected))
    return float(np.exp(min(steps * np.log(np.max(np.abs(eigenvalues))), 700.0)))


def _stepped(
    method: Splitting, specimen: float, undershoot: float, corrected: bool, d: float, v: float, a: float, x: float
) -> tuple[float, float, float, float]:
    state = State(d, v, a, 0.0)  # the force of the state before is in its acceleration already
    target = method.target(state)
    x += (1.0 - undershoot) * (target - x)
    force = method.at_target(target, x, specimen * x) if corrected else specimen * x
    after = method.complete(state, target, force, 0.0)
    return after.displacement, after.velocity, after.acceleration, x
