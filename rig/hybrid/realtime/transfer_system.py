"""The control plant of the benchmark: servo-valve, actuator, and the specimen that they move, under their own displacement loop.

    valve  a1 b0 / (s^2 + b1 s + b2)      actuator  1 / (s + a3), less a2 times the velocity      specimen  1 / (m s^2 + c s + k)

Silva et al. 2020, Fig 11, eq 21 and 22, Table 2; the digits of the nominal values, and the gain, from its package (F1_input_file.m).
The state is (valve output, its rate, force, displacement, velocity).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rig.hybrid.realtime.frame import Specimen

Floats = NDArray[np.float64]

STATES = 5
FORCE, DISPLACEMENT, VELOCITY = 2, 3, 4  # places in the state


@dataclass(frozen=True)
class Spread:
    """Standard deviations of the plant's parameters (Table 2, package); where none is published, none."""

    a3: float = 1.3
    b1: float = 3.3
    b2: float = 3.3e3
    stiffness: float = 50e3


@dataclass(frozen=True)
class TransferSystem:
    """Parameters, as the benchmark calls them, in its units (SI); `gain` multiplies the command."""

    a1_b0: float = 2.1283e13
    a2: float = 4.2297e6
    a3: float = 3.3
    b1: float = 425.0
    b2: float = 9.9976e4
    gain: float = 1.0261
    specimen: Specimen = field(default_factory=Specimen)

    def continuous(self) -> tuple[Floats, Floats]:
        """(A (5, 5), B (5,)) of the state, driven by the command, m."""
        s = self.specimen
        a = np.zeros((STATES, STATES))
        a[0, 1] = 1.0
        a[1, :2] = -self.b2, -self.b1
        a[1, DISPLACEMENT] = -self.a1_b0
        a[FORCE, [0, FORCE, VELOCITY]] = 1.0, -self.a3, -self.a2
        a[DISPLACEMENT, VELOCITY] = 1.0
        a[VELOCITY, [FORCE, DISPLACEMENT, VELOCITY]] = 1.0 / s.mass, -s.stiffness / s.mass, -s.damping / s.mass
        b = np.zeros(STATES)
        b[1] = self.gain * self.a1_b0
        return a, b

    def denominator(self) -> Floats:
        """(6,) A_0 .. A_5 over gain B_0: the inverse of the plant, command over displacement, in rising powers of s (eq 22)."""
        s, b1, b2, a3 = self.specimen, self.b1, self.b2, self.a3
        m, c, k = s.mass, s.damping, s.stiffness
        velocity = k + c * a3 + self.a2
        rising = [
            k * a3 * b2 + self.a1_b0,
            k * a3 * b1 + velocity * b2,
            k * a3 + velocity * b1 + (c + m * a3) * b2,
            velocity + (c + m * a3) * b1 + m * b2,
            c + m * a3 + m * b1,
            m,
        ]
        return np.array(rising) / (self.gain * self.a1_b0)

    @property
    def delay(self) -> float:
        """s, of slow motion."""
        inverse = self.denominator()
        return float(inverse[1] / inverse[0])

    def perturbed(self, generator: np.random.Generator, spread: Spread = Spread()) -> TransferSystem:
        """One of the family: four parameters drawn from normal distributions (section 4.3).

        A draw in which one of them is not positive is drawn again; a3 is so once in 180.
        """
        while True:
            a3, b1, b2, stiffness = (
                self.a3 + spread.a3 * generator.standard_normal(),
                self.b1 + spread.b1 * generator.standard_normal(),
                self.b2 + spread.b2 * generator.standard_normal(),
                self.specimen.stiffness + spread.stiffness * generator.standard_normal(),
            )
            if min(a3, b1, b2, stiffness) > 0.0:
                return replace(self, a3=a3, b1=b1, b2=b2, specimen=replace(self.specimen, stiffness=stiffness))
