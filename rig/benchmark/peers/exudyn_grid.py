"""Exudyn's solvers and steps, case by case: all that is tried of it. A better one belongs in here."""

from __future__ import annotations

from dataclasses import dataclass

Newton = tuple[float, float] | None


@dataclass(frozen=True)
class Setting:
    """solver: name in exudyn.DynamicSolverType, with fixed steps (s) or a tolerance.

    locate: it shortens steps to where contact begins and ends. radius: of generalised alpha, at infinity, 0.9 if not given.
    newton: absolute and relative tolerance of its iteration, 1e-10 and 1e-8 if not given. linear: name in exudyn.LinearSolverType,
    dense if not given.
    """

    solver: str
    step: float
    tolerance: float | None = None
    locate: bool = True
    radius: float | None = None
    newton: Newton = None
    linear: str | None = None


def _fixed(solver: str, *steps: float, locate: bool = True) -> tuple[Setting, ...]:
    return tuple(Setting(solver, step, locate=locate) for step in steps)


def _adaptive(solver: str, first: float, *tolerances: float) -> tuple[Setting, ...]:
    return tuple(Setting(solver, first, tolerance) for tolerance in tolerances)


def _sparse(solver: str, newton: Newton, *steps: float, radius: float | None = None) -> tuple[Setting, ...]:
    return tuple(Setting(solver, step, None, False, radius, newton, "EigenSparse") for step in steps)


RIGID = (
    *_fixed("VelocityVerlet", 8e-6, 4e-6, 2e-6, 1e-6, 5e-7, 2.5e-7),
    *_fixed("RK33", 4e-6, 1e-6),
    *_fixed("RK44", 1.6e-5, 8e-6, 4e-6, 2e-6, 1e-6, 5e-7),
    *_fixed("RK67", 8e-6, 4e-6, 2e-6),
    *_adaptive("DOPRI5", 1e-5, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9),
    *_fixed("TrapezoidalIndex2", 4e-6, 1e-6),
    *_fixed("GeneralizedAlpha", 8e-6, 4e-6, 2e-6, 1e-6, 5e-7, 2.5e-7),
)
"""Rod and slider in minimal coordinates: two revolute joints of a kinematic tree, a mass on a line."""

FLEXIBLE = (
    *_fixed("GeneralizedAlpha", 4e-6, 2e-6, 1e-6, 5e-7, 2e-7, 1e-7, 5e-8, locate=False),
    *_fixed("TrapezoidalIndex2", 4e-6, 2e-6, 1e-6, 5e-7, 2e-7, 1e-7, 5e-8, locate=False),
    *_fixed("TrapezoidalIndex2", 2e-6, 5e-7),
    *_fixed("GeneralizedAlpha", 1e-6),
    *(Setting("TrapezoidalIndex2", step, None, False, None, (1e-7, 1e-4)) for step in (1e-6, 5e-7, 2e-7, 1e-7)),
)
"""The rod's first node is held on the crank by constraints. Where steps are located, generalised alpha gives up at the second contact."""
FLEXIBLE_CONVERGED = Setting("TrapezoidalIndex2", 1e-8, locate=False), Setting("TrapezoidalIndex2", 2e-8, locate=False)

PENDULUM = (
    *_fixed("GeneralizedAlpha", 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, locate=False),
    *_fixed("TrapezoidalIndex2", 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, locate=False),
    *_sparse("GeneralizedAlpha", None, 1e-3, 5e-4, 2e-4),
    *_sparse("GeneralizedAlpha", (1e-7, 1e-4), 2e-3, 1e-3, 5e-4),
)
"""A soft bar on a spherical joint: constraints again. Looser iterations cost half as much, but then shorter steps gain nothing."""
PENDULUM_CONVERGED = Setting("GeneralizedAlpha", 1e-5, locate=False), Setting("GeneralizedAlpha", 2e-5, locate=False)


PARALLEL_FLEXIBLE = (
    *_sparse("GeneralizedAlpha", None, 1e-3, 5e-4, 2e-4, radius=0.7),
    *_sparse("GeneralizedAlpha", (1e-7, 1e-4), 1e-3, 5e-4, 2e-4, radius=0.7),
    *_sparse("GeneralizedAlpha", (1e-5, 1e-3), 1e-3, 5e-4, 2e-4, radius=0.7),
    *_sparse("TrapezoidalIndex2", (1e-7, 1e-4), 1e-3, 5e-4, 2e-4),
)
"""A sample each ms is asked for, so no step is longer. With dense factors it takes twice as long, with a matrix made anew for each
iteration four times, for each step twice (its own choice: when contraction is poor). Looser tolerances gain little and lose forces."""
(PARALLEL_SETTLING,) = _sparse("GeneralizedAlpha", (1e-7, 1e-4), 2e-4, radius=0.7)
PARALLEL_FLEXIBLE_CONVERGED = _sparse("GeneralizedAlpha", None, 5e-5, 1e-4, radius=0.7)

PARALLEL_RIGID = (
    *(Setting("GeneralizedAlpha", step, None, False, 0.7, (1e-6, 1e-3)) for step in (1e-4, 5e-5, 2e-5, 1e-5)),
    *(Setting("GeneralizedAlpha", step, None, False, 0.7, (1e-8, 1e-5)) for step in (2e-4, 1e-4, 5e-5, 2e-5, 1e-5)),
    *(Setting("TrapezoidalIndex2", step, None, False, None, (1e-8, 1e-5)) for step in (2e-4, 1e-4, 5e-5, 2e-5)),
)
"""Few coordinates: dense. It gives up where steps are located, and soon with a spectral radius of 1."""
