"""Parts that the driven plants have in common: how they come to rest, and how an individual differs from its drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.serial.serial_device import TICK
from rig.virtual.plants.motor_rig import kernel

GIVEN_BACK = 0.9132
"""Restitution of the surfaces of a default plant: what the law of Lankarani and Nikravesh really gives back where 0.9 is put in."""


def refuse_step(step: float) -> None:
    """Raise ValueError for a step (s) that does not come out even with the drives' ticks."""
    steps = TICK / step
    if abs(steps - round(steps)) > 1e-6:
        near = TICK / math.ceil(steps)
        raise ValueError(f"step: expected a whole share of 1 ms, got {step * 1e6:g} us; {near * 1e6:g} us would do")


SETTLING = 40000
"""Steps in which a mechanism comes to rest under its weight."""


def settle(
    motion: kernel.Motion, state: NDArray[np.float64], p: NDArray[np.float64], seen: NDArray[np.float64], rates: Sequence[int], step: float
) -> NDArray[np.float64]:
    """The state in which a mechanism comes to rest from `state`, power off; `rates`: places of the speeds in it."""
    axes = rates[0]  # the speeds of the axes come right behind their angles
    held = np.concatenate([np.zeros(axes), np.full(axes, np.inf)])  # the axes stay where they are
    kernel.relax(motion, SETTLING, step, state, p, np.array(rates), held, np.zeros(1), seen)
    state[[*rates, 2 * axes, 2 * axes + 1]] = 0.0
    return state


class Individual:
    """Draws how one workpiece differs from its drawing; without `perturb` it does not. In the order asked, so ask in a fixed one."""

    LENGTH = 2e-5
    """m, largest error of a length: between bores, on a jig borer."""
    PLAY = 2e-6
    """m, largest error of a clearance: ground pins, honed bushes."""
    SPREAD = 0.01
    """Standard deviation, as a share, of masses, inertias, stiffness, as weighed and swung; clipped at two of them."""
    SHAPE = 0.003
    """Standard deviation of what an inertia differs by beyond its mass, as swung: a body of more mass has more inertia."""
    ROUGH = 0.08
    """The same of friction, after it has been measured once."""
    GAUGED = 0.005
    """Largest error, as a share, of a sensitivity: what its calibration leaves."""
    MOUNTED = math.radians(0.05)
    """Largest error of an angle at which something is mounted, rad."""

    def __init__(self, seed: int, perturb: bool) -> None:
        self._rng = np.random.default_rng([seed, 7])
        self._scale = 1.0 if perturb else 0.0

    def length(self, nominal: float) -> float:
        """A length, m."""
        return nominal + self._uniform(self.LENGTH)

    def play(self, nominal: float) -> float:
        """A clearance, m."""
        return max(0.5 * nominal, nominal + self._uniform(self.PLAY))

    def mass(self, nominal: float) -> float:
        """A mass, an inertia, a stiffness."""
        return nominal * (1.0 + self._normal(self.SPREAD))

    def shape(self) -> float:
        """An inertia as a share of that which the body's mass and its drawing give."""
        return 1.0 + self._normal(self.SHAPE)

    def friction(self, nominal: float) -> float:
        """A coefficient, or a torque of friction."""
        return nominal * (1.0 + self._normal(self.ROUGH))

    def restitution(self) -> float:
        """What to add to a restitution."""
        return self._uniform(0.02)

    def gain(self) -> float:
        """What a sensitivity really is, as a share."""
        return 1.0 + self._uniform(self.GAUGED)

    def angle(self) -> float:
        """How far something is turned when it is mounted, rad."""
        return self._uniform(self.MOUNTED)

    def _uniform(self, most: float) -> float:
        return self._scale * float(self._rng.uniform(-most, most))

    def _normal(self, deviation: float) -> float:
        return self._scale * deviation * float(np.clip(self._rng.standard_normal(), -2.0, 2.0))
