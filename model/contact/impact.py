"""A free impact of two bodies, integrated by the program's own adaptive method: m delta'' = -K delta^n (1 + a delta'/v0).

The check on model.contact.restitution, and the speed profile that hu2016 fits (eq 11, corrected: square root, exponent on delta/delta_m):
delta' = v0 sqrt(1 - (delta/delta_m)^beta).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from model.compiled.parameters import packed
from model.contact import impact_kernel as kernel
from model.contact.force import force, parameters
from model.contact.restitution import energy_shares, largest_penetration, restitution, speed_profile
from model.errors import NotConverged
from model.integrators.dop853 import tableau as dop853
from model.integrators.tableau import Tableau
from model.stepping.explicit import Kernels, Motion, Stepper

TOLERANCE = 1e-12
KERNELS = Kernels(kernel.rhs, kernel.guards, kernel.switch, kernel.channels, force)
STEPS_AN_IMPACT = 5.0  # the fewest in delta_max/v0; the tolerance asks for more
PATIENCE = 1000  # delta_max/v0 until which a rebound must have come
FIT_POINTS = 1001


@dataclass(frozen=True)
class Impact:
    """Two bodies that meet. stiffness K N/m^n, exponent n, mass kg (reduced), speed m/s, damping a."""

    stiffness: float
    exponent: float
    mass: float
    speed: float
    damping: float

    @property
    def largest_penetration(self) -> float:
        """delta_max, m."""
        return largest_penetration(self.damping, self.stiffness, self.exponent, self.mass, self.speed)

    @property
    def restitution(self) -> float:
        """Closed form."""
        return restitution(self.damping)

    @property
    def energy_lost_share(self) -> float:
        """Of m v0^2/2."""
        return sum(energy_shares(self.damping))


def integrated_restitution(
    impact: Impact, tableau: Tableau | None = None, tolerance: float = TOLERANCE, steps: float = STEPS_AN_IMPACT
) -> float:
    """Rebound speed / approach speed of the integrated motion, by default to 1e-11; `steps` that delta_max/v0 takes at least.

    Raises NotConverged if the bodies do not part.
    """
    depth = impact.largest_penetration
    unit = depth / impact.speed
    law = parameters(impact.stiffness, impact.exponent, impact.damping, impact.speed)
    motion = Motion(KERNELS, packed(kernel.PARAMETERS, {kernel.MASS: impact.mass}), np.array([depth, impact.speed]), 1, 1, 1, 0.0)
    stepper = Stepper(motion, tableau or dop853(), tolerance, unit / steps, 1.0 / unit, lambda _: (np.array([0.0, impact.speed]), law))
    stepper.start(np.zeros(stepper.lookahead))
    for _ in range(PATIENCE):
        stepper.advance(np.zeros(1))
        if stepper.events:
            return stepper.events[0].noted / impact.speed
    raise NotConverged(f"impact: still in contact after {PATIENCE * unit:.3g} s")


def profile_exponent(impact: Impact) -> float:
    """beta of delta' = v0 sqrt(1 - (delta/delta_m)^beta) fitted to the compression, samples uniform in delta, errors in delta'."""
    share = np.linspace(0.0, 1.0, FIT_POINTS)
    speed = speed_profile(impact.damping, impact.exponent, share)

    def errors(beta: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.sqrt(1.0 - share ** beta[0]) - speed)

    return float(scipy.optimize.least_squares(errors, x0=[impact.exponent + 1.0], xtol=1e-12, ftol=1e-14, gtol=1e-14).x[0])
