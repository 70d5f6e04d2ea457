"""Generalised-alpha for constrained motion (index 3), M v' = f(q, v, t) - Phi_q^T lam, Phi(q, t) = 0 (Arnold and Bruels 2007, in chen2026).

Order 2 in q, v and lam; rho_inf is what is left of the fastest oscillation after a step. Implicit: no stability limit. Contacts begin and
end at whole steps; the step in which one begins is taken again with the contact closed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from model.integrators.method import Integrator


@dataclass(frozen=True)
class Config(Integrator):
    """Fixed steps. `step` is the largest: it is made to fit a whole number of times between two output samples.

    tolerance: what may be left of the equations of motion, as a share of the mechanism's usual force and length.
    """

    KIND: ClassVar[str] = "generalized_alpha"

    step: float = field(default=2e-6, metadata={"unit": "s", "over": 0.0, "at_most": 1e-2})
    rho_inf: float = field(default=0.7, metadata={"unit": "1", "at_least": 0.0, "at_most": 1.0})
    tolerance: float = field(default=1e-6, metadata={"unit": "1", "over": 0.0, "at_most": 1e-2})
    iterations: int = field(default=100, metadata={"at_least": 1, "doc": "Newton's, at most, in a step"})

    def __post_init__(self) -> None:
        if not 0.0 <= self.rho_inf <= 1.0:
            raise ValueError(f"rho_inf: expected 0 to 1, got {self.rho_inf:g}")
        for name in ("step", "tolerance"):
            if not 0.0 < getattr(self, name) < float("inf"):
                raise ValueError(f"{name}: expected more than 0 and finite, got {getattr(self, name):g}")
        if self.iterations < 1:
            raise ValueError(f"iterations: expected at least 1, got {self.iterations}")

    def not_finer(self, tolerance: float) -> Config:
        """See `Integrator`."""
        return replace(self, tolerance=max(self.tolerance, tolerance))

    def finer(self, step: float, tolerance: float, least: float) -> Config:
        """See `Integrator`."""
        return replace(self, step=step * self.step)


def coefficients(rho: float) -> tuple[float, float, float, float]:
    """(alpha_m, alpha_f, gamma, beta) for rho_inf."""
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    return alpha_m, alpha_f, gamma, 0.25 * (gamma + 0.5) ** 2
