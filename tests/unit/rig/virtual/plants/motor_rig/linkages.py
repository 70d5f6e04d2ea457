"""Planar linkages of a plant without motors on shafts, stepped from given speeds: what tests of its parts look at."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.planar import Config
from rig.virtual.plants.motor_rig import kernel as advancing
from rig.virtual.plants.motor_rig import planar_kernel as kernel
from rig.virtual.plants.motor_rig import planar_layout as at
from rig.virtual.plants.motor_rig.parts import Individual
from rig.virtual.plants.motor_rig.planar_bodies import bodies_at
from rig.virtual.plants.motor_rig.planar_tables import Linkage, Stiffness
from rig.virtual.plants.surfaces import Surfaces

Floats = NDArray[np.float64]
STEP = 2e-6
NONE = np.zeros(0, np.int64)


class Coasting:
    """A linkage as drawn, its bodies at q (3 bodies,) with the velocities v of the same form."""

    def __init__(
        self, config: Config, q: Sequence[float], v: Sequence[float], surfaces: Surfaces | None = None, wear: float = 0.0,
        stiffness: Stiffness | None = None,
    ) -> None:  # fmt: skip
        self.linkage = Linkage(config, surfaces or Surfaces(), stiffness or Stiffness(), Individual(1, False), wear)
        self.p, self.y = self.linkage.parameters((), ()), self.linkage.state(np.array(q, dtype=np.float64), ())
        self.first = bodies_at(self.p)
        for n, (vx, vy, w) in enumerate(np.reshape(v, (-1, 3))):
            self.body(n)[[at.VX, at.VY, at.W]] = vx, vy, w
        for n in range(len(self.linkage.bodies) + 1):
            self.body(n)[[at.COS, at.SIN]] = math.cos(self.body(n)[at.PHI]), math.sin(self.body(n)[at.PHI])

    def body(self, n: int) -> Floats:
        """Its part of y."""
        return self.y[self.first + at.BODY_STATES * n :][: at.BODY_STATES]

    def run(self, seconds: float, every: float = 1e-3) -> Floats:
        """(k, bodies, 6): places and velocities of the bodies from now on, each `every` (s)."""
        steps, rows = round(every / STEP), [self.look()]
        for _ in range(round(seconds / every)):
            advancing.relax(kernel.motion, steps, STEP, self.y, self.p, NONE, np.zeros(0), np.zeros(1), np.zeros(1))
            rows.append(self.look())
        return np.array(rows)

    def look(self) -> Floats:
        """(bodies, 6)."""
        return np.array([self.body(n)[[at.X, at.Y, at.PHI, at.VX, at.VY, at.W]] for n in range(len(self.linkage.bodies))])

    @property
    def energy(self) -> float:
        """What it has, and what it has lost, less the work of its motors, J: always the same."""
        return kernel.energy(self.y, self.p) + float(self.y[1] - self.y[0])
