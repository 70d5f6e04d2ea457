"""The benchmark's structure with a specimen of another stiffness: what is computed beside it, sample by sample, without compiled code.

The specimen is a spring at the first floor; its mass and damping count as the structure's. A scale multiplies mass, damping and stiffness
alike, so that the frequencies stay those of the case.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.hybrid.realtime.frame import CASES, Partition, Specimen, Structure, continuous, reference
from rig.hybrid.realtime.sampling import held, straight

Floats = NDArray[np.float64]


def scaled(case: int, scale: float) -> Structure:
    """The whole structure of a case."""
    whole = reference(CASES[case])
    return Structure(scale * whole.mass, scale * whole.damping, scale * whole.stiffness)


@dataclass
class Floors:
    """The computed part; `state` is (displacements, velocities) of three floors, m and m/s."""

    whole: Structure
    specimen: float
    rate: float

    def __post_init__(self) -> None:
        partition = Partition(self.whole, Specimen(mass=0.0, damping_ratio=0.0, stiffness=self.specimen))
        a, ground, force = partition.continuous()
        self._a, self._before, self._after = straight(a, ground, 1.0 / self.rate)
        self._force = held(a, force, 1.0 / self.rate)[1]
        self.damping = partition.numerical.damping
        self.state = np.zeros(6)

    def advance(self, before: float, after: float, force: float) -> None:
        """One sample on: acceleration of the ground before and after it, m/s^2, straight between; the specimen's force, N, held."""
        self.state = self._a @ self.state + self._before * before + self._after * after + self._force * force


def undivided(whole: Structure, ground: Floats, rate: float) -> Floats:
    """(N, 3) floors, m, of the whole under a ground (N + 1,), m/s^2, that is straight between the samples: exact."""
    a, before, after = straight(*continuous(whole), 1.0 / rate)
    state, floors = np.zeros(6), np.zeros((len(ground) - 1, 3))
    for k in range(len(floors)):
        floors[k] = state[:3]
        state = a @ state + before * ground[k] + after * ground[k + 1]
    return floors
