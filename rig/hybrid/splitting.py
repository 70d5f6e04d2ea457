"""One step of a structure whose restoring force is measured: Newmark's method with the force split at an initial stiffness.

    M a + C v + r(d) = f        r(d_n+1) = r(d~) + K_I (d_n+1 - d~)

    d~    = d_n + h v_n + h^2 (1/2 - beta) a_n                      what the loader goes to
    a_n+1 = (f_n+1 - r(d~) - C (v_n + h/2 a_n)) / (M + h/2 C + beta h^2 K_I)
    d_n+1 = d~ + beta h^2 a_n+1        v_n+1 = v_n + h/2 (a_n + a_n+1)

Explicit: the loader goes to each displacement once, nothing is iterated on the specimen (Nakashima, Kaminosono, Ishida, Ando 1990: operator
splitting; Combescure, Pegon 1997). beta = 0 is the central difference; 1/12 is of fourth order where K_I is the specimen's stiffness;
1/4 is the average acceleration.

| symbol | name | unit |
|---|---|---|
| M, C, K_I | mass, damping, stiffness | kg, N s/m, N/m |
| d, v, a, r, f | displacement, velocity, acceleration, force, load | m, m/s, m/s^2, N, N |
| h | step | s |
"""

from __future__ import annotations

import math
from dataclasses import dataclass

BETA = {"central_difference": 0.0, "fourth_order": 1.0 / 12.0, "average_acceleration": 0.25}


@dataclass(frozen=True)
class Structure:
    """M in kg, C in N s/m, and K_I in N/m, the stiffness that the specimen is expected to begin with."""

    mass: float
    damping: float
    stiffness: float


@dataclass(frozen=True)
class State:
    """Of the structure at the end of a step; `force` is the restoring force at `displacement`. SI."""

    displacement: float
    velocity: float
    acceleration: float
    force: float


@dataclass(frozen=True)
class Splitting:
    """The method for one structure; `step` in s."""

    structure: Structure
    step: float
    beta: float

    def start(self, displacement: float, velocity: float, force: float, load: float) -> State:
        """The first state: where it stands, how fast it is let go, the force measured there."""
        s = self.structure
        return State(displacement, velocity, (load - force - s.damping * velocity) / s.mass, force)

    def target(self, state: State) -> float:
        """d~, where the loader has to go next."""
        h = self.step
        return state.displacement + h * state.velocity + h * h * (0.5 - self.beta) * state.acceleration

    def complete(self, state: State, target: float, force: float, load: float) -> State:
        """The next state, from the restoring force at the target."""
        s, h = self.structure, self.step
        velocity = state.velocity + 0.5 * h * state.acceleration
        mass = s.mass + 0.5 * h * s.damping + self.beta * h * h * s.stiffness
        acceleration = (load - force - s.damping * velocity) / mass
        beyond = self.beta * h * h * acceleration
        return State(target + beyond, velocity + 0.5 * h * acceleration, acceleration, force + s.stiffness * beyond)

    def at_target(self, target: float, displacement: float, force: float) -> float:
        """The force that the specimen would have at the target, from the one at the displacement that the loader came to.

        Along K_I: what is left of an actuator's error e is (K - K_I) e in place of K e (Shing, Mahin 1987).
        """
        return force + self.structure.stiffness * (target - displacement)

    def largest_step(self, stiffest: float) -> float:
        """Longest stable step, s, on a specimen of at most that stiffness, N/m; inf where every step is stable.

        The targets follow a central difference of the mass M + beta h^2 K_I, so that h^2 K < 4 (M + beta h^2 K_I). Damping does not
        change it.
        """
        beyond = stiffest - 4.0 * self.beta * self.structure.stiffness
        return 2.0 * math.sqrt(self.structure.mass / beyond) if beyond > 0.0 else math.inf
