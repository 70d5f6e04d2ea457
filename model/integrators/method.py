"""What a mechanism asks of the method that is to move it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from model.errors import ModelError
from model.integrators.tableau import Tableau


@dataclass(frozen=True)
class Explicit:
    """An explicit Runge-Kutta method and its steps. tolerance: local error of a step; longest: s; fixed: each step is `longest`."""

    tableau: Tableau
    tolerance: float
    longest: float
    fixed: bool

    @property
    def steps(self) -> tuple[Tableau, float, float]:
        """(tableau, tolerance, longest), as a stepper takes them."""
        return self.tableau, self.tolerance, self.longest


class Integrator:
    """Base of every method's `Config`."""

    KIND: ClassVar[str]
    """Its name in a configuration."""

    def explicit(self) -> Explicit | None:
        """Coefficients and steps of an explicit Runge-Kutta method; None for another."""
        return None

    def not_finer(self, tolerance: float) -> Integrator:
        """The same with at least this tolerance, where it has one."""
        return self

    def finer(self, step: float, tolerance: float, least: float) -> Integrator:
        """The same with `step` of its fixed step; or with `tolerance` of its tolerance, `least` at least."""
        raise NotImplementedError


def explicit(integrator: Integrator, mechanism: str, expected: str) -> Explicit:
    """Return the explicit method that `mechanism` is to be moved by. Raises ModelError for another, with the kinds that are `expected`."""
    method = integrator.explicit()
    if method is None:
        raise ModelError(f"integrator.kind {integrator.KIND!r} does not suit {mechanism}; expected {expected}")
    return method
