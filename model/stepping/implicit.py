"""A mechanism in motion by generalised-alpha: the interface of model.stepping.explicit.Stepper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from model.compiled.pinned import Pinned, entry
from model.compiled.signatures import CHANNELS, GUARDS, LAW, SWITCH, Channels, ContactLaw, Guards, Switch
from model.errors import InconsistentStart, ModelError
from model.floats import Floats
from model.integrators import generalized_alpha_kernel as core
from model.integrators.generalized_alpha import Config, coefficients
from model.stepping.fixed_steps import FixedSteps, shortened


class Kernels(NamedTuple):
    """The compiled functions of a mechanism and of its contact law; see
    model.integrators.generalized_alpha_kernel and model.compiled.signatures."""

    residual: core.Residual
    tangent: core.Tangent
    guards: Guards
    switch: Switch
    channels: Channels
    law: ContactLaw
    solve: core.Solve = core.dense


@dataclass(frozen=True)
class Constrained:
    """What the method needs of a mechanism with n coordinates and m constraints."""

    kernels: Kernels
    parameters: Floats
    coordinates: int
    constraints: int
    guards: int
    channels: int
    force: float  # N: usual size of the forces, to which the tolerance is a share
    length: float  # m: usual size of the coordinates, to which the tolerance is a share
    mass: float  # kg: usual size of the masses
    scratch: int = 0  # > 0: the mechanism solves its own equations (kernels.solve), and its tangent works in a table of this size


def pinned(kernels: Kernels) -> Kernels:
    """The same with their addresses looked up."""
    return Kernels._make([
        Pinned(kernels.residual, core.RESIDUAL), Pinned(kernels.tangent, core.TANGENT), Pinned(kernels.guards, GUARDS),
        Pinned(kernels.switch, SWITCH), Pinned(kernels.channels, CHANNELS), Pinned(kernels.law, LAW), Pinned(kernels.solve, core.SOLVE),
    ])  # fmt: skip


CONSISTENT = 1e-6  # share of the usual force and length, up to which a start fulfils its equations


class Floor(NamedTuple):
    """The tolerance below which rounding may keep the iteration from its end, and what makes it so."""

    tolerance: float = 0.0
    since: str = ""


class ImplicitStepper(FixedSteps):
    """A mechanism moved by generalised-alpha."""

    STEPS, EVENTS, FULL = core.STEPS, core.EVENTS, core.EVENTS_FULL
    floor = Floor()
    advice = ""  # beside the reason for which it stops

    def __init__(self, motion: Constrained, config: Config, rate: float, start: Callable[[], tuple[Floats, Floats, Floats]]) -> None:
        """start() -> (y, s, jerk) at t = 0: y = (q, v, v', lam), and dv'/dt (n,). Raises ModelError for a rate that is not positive."""
        super().__init__(rate, config.step, motion.channels)
        self._motion, self._start = motion, start
        self.remarks = shortened(config.step, self.step)
        settings = np.zeros(core.SETTINGS)
        settings[core.STEP], settings[core.TOLERANCE], settings[core.ITERATIONS] = self.step, config.tolerance, config.iterations
        settings[core.ALPHA_M : core.BETA + 1] = coefficients(config.rho_inf)
        settings[core.COORDINATES] = motion.coordinates
        settings[core.FORCE], settings[core.LENGTH], settings[core.MASS] = motion.force, motion.length, motion.mass
        settings[core.STRUCTURED] = motion.scratch > 0
        self._settings = settings
        self._kernels, self._advanced = pinned(motion.kernels), entry(core.advance)

    def start(self, samples: Floats) -> None:
        """Put it at t = 0. Raises InconsistentStart when the constraints do not hold there."""
        self._take_first(samples)
        y, s, jerk = self._start()
        m = self._motion
        self._s = np.array(s)
        self._work = core.work(self._settings, m.constraints, m.guards, m.channels, m.scratch)
        self._begin(self._work.clock)
        self._work.states[core.Y] = self._work.states[core.Y_NEW] = y
        alpha_m, alpha_f = self._settings[core.ALPHA_M], self._settings[core.ALPHA_F]
        n = m.coordinates
        self._work.own[core.Y] = y[2 * n : 3 * n] + (alpha_m - alpha_f) * self.step * jerk
        self._work.own[core.Y_NEW] = y[2 * n : 3 * n]
        residual = np.zeros(n + m.constraints)
        m.kernels.residual(0.0, self._work.states[core.Y], residual, m.parameters, self._s, m.kernels.law)
        for name, values, size, unit in (("constraints", residual[n:], m.length, "m"), ("equations of motion", residual[:n], m.force, "N")):
            worst = float(np.max(np.abs(values), initial=0.0))
            enough = max(CONSISTENT, self._settings[core.TOLERANCE], self.floor.tolerance) * size
            if not worst <= enough:
                raise InconsistentStart(f"start: {name} violated by {worst:.3g} {unit}; expected less than {enough:.3g} {unit}")

    def _fill(self, out: Floats, low: Floats, high: Floats) -> int:
        return self._advanced(
            *self._kernels, self._work, self._motion.parameters, self._s, self._next, self._part, out, low, high, self._events
        )

    def _reason(self, status: int) -> str:
        if status == core.NO_CONVERGENCE and self._settings[core.TOLERANCE] < self.floor.tolerance:
            raise ModelError(
                f"integrator.tolerance: below what double precision can keep at {self.time:.6g} s with {self.floor.since}; "
                f"expected at least {self.floor.tolerance:.2g}, got {self._settings[core.TOLERANCE]:g}"
            )
        return f"{core.REASONS[status]}{self.advice}"

    @property
    def state(self) -> Floats:
        """(q, v, v', lam) at `time`."""
        return np.array(self._work.states[core.Y])

    @property
    def work(self) -> dict[str, int]:
        """Steps, evaluations of the residual, factored matrices and repeated steps since the start."""
        clock = self._work.clock
        names = (("accepted", core.STEPS), ("rejected", core.REPEATS), ("evaluations", core.RESIDUALS), ("factored", core.FACTORINGS))
        return {name: int(clock[place]) for name, place in names}
