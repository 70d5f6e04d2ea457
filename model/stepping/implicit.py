"""A mechanism in motion by generalised-alpha: the interface of model.stepping.explicit.Stepper for one that brings its own drive."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from model.compiled.pinned import Pinned
from model.compiled.signatures import CHANNELS, GUARDS, LAW, SWITCH, Channels, ContactLaw, Guards, Switch
from model.errors import InconsistentStart, ModelError, NotConverged
from model.integrators import generalized_alpha_kernel as core
from model.integrators.generalized_alpha import Config, coefficients
from model.stepping.contract import Event
from model.stepping.crushing import Joint
from model.stepping.explicit import EVENT_ROOM
from model.stepping.interruptible import Watched

Floats = NDArray[np.float64]


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


def shortened(asked: float, taken: float) -> tuple[str, ...]:
    """A remark where the steps taken (s) are not those that were asked for."""
    if taken > 0.999 * asked:
        return ()
    return (
        f"integrator.step: {taken * 1e6:.4g} us is taken in place of {asked * 1e6:.4g} us: "
        "steps fit a whole number of times between two output samples (simulate.output_rate)",
    )


class ImplicitStepper(Watched):
    """Predicts sample after sample; its input is not read. joint: looked at for being crushed; remarks: what its user should know."""

    lookahead = 1
    joint: Joint | None = None
    floor = Floor()
    remarks: tuple[str, ...] = ()
    advice = ""  # beside the reason for which it stops

    def __init__(self, motion: Constrained, config: Config, rate: float, start: Callable[[], tuple[Floats, Floats, Floats]]) -> None:
        """start() -> (y, s, jerk) at t = 0: y = (q, v, v', lam), and dv'/dt (n,). Raises ModelError for a rate that is not positive."""
        if not 0.0 < rate < math.inf:
            raise ModelError(f"sample rate must be more than 0 Hz and finite, got {rate:g}")
        self.rate, self._motion, self._start = rate, motion, start
        self._part = math.ceil(1.0 / (rate * config.step) - 1e-9)
        self.step = 1.0 / (rate * self._part)
        self.remarks = shortened(config.step, self.step)
        settings = np.zeros(core.SETTINGS)
        settings[core.STEP], settings[core.TOLERANCE], settings[core.ITERATIONS] = self.step, config.tolerance, config.iterations
        settings[core.ALPHA_M : core.BETA + 1] = coefficients(config.rho_inf)
        settings[core.COORDINATES] = motion.coordinates
        settings[core.FORCE], settings[core.LENGTH], settings[core.MASS] = motion.force, motion.length, motion.mass
        settings[core.STRUCTURED] = motion.scratch > 0
        self._settings = settings
        self._events = np.zeros((EVENT_ROOM, 3))
        self._kernels = pinned(motion.kernels)

    def start(self, samples: Floats) -> None:
        """Put it at t = 0. Raises InconsistentStart when the constraints do not hold there."""
        y, s, jerk = self._start()
        m = self._motion
        self._s, self._next = np.array(s), 0
        self.events: list[Event] = []
        self._work = core.work(self._settings, m.constraints, m.guards, m.channels, m.scratch)
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
        self._work.trace[core.LOW], self._work.trace[core.HIGH] = np.inf, -np.inf

    def advance(self, samples: Floats) -> Floats:
        """The next len(samples) output samples, (k, channels). Raises NotConverged with time and reason.

        Raises ModelError for a tolerance that rounding keeps it from.
        """
        return self._advance(len(samples), watched=False)[0]

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest): as `advance`, with the extremes at the steps' ends since the sample before."""
        return self._advance(len(samples), watched=True)

    def _advance(self, count: int, watched: bool) -> tuple[Floats, Floats, Floats]:
        out = np.empty((count, self._motion.channels))
        low, high = (np.empty((count if watched else 0, self._motion.channels)) for _ in range(2))
        status = core.EVENTS_FULL
        while status == core.EVENTS_FULL:
            status = core.advance(
                *self._kernels, self._work, self._motion.parameters, self._s, self._next, self._part, out, low, high, self._events
            )
            clock = self._work.clock
            self.events += [Event(t, int(guard), noted) for t, guard, noted in self._events[: int(clock[core.EVENTS])].tolist()]
            clock[core.EVENTS] = 0.0
            self._looked_at()
        if status == core.NO_CONVERGENCE and self._settings[core.TOLERANCE] < self.floor.tolerance:
            raise ModelError(
                f"integrator.tolerance: below what double precision can keep at {self.time:.6g} s with {self.floor.since}; "
                f"expected at least {self.floor.tolerance:.2g}, got {self._settings[core.TOLERANCE]:g}"
            )
        if status != core.OK:
            raise NotConverged(f"stopped at {self.time:.6g} s: {core.REASONS[status]}{self.advice}")
        if self.joint is not None:
            self.joint.check((high if watched else out)[:, self.joint.column], self._next, self.rate)
        self._next += count
        return out, low, high

    @property
    def time(self) -> float:
        """Time that the solver has reached, s."""
        return float(self._work.clock[core.STEPS] * self.step)

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
