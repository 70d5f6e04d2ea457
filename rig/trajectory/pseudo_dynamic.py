"""Pseudo-dynamic test: the displacements of a computed mass on the specimen, step by step, each held while its force is measured.

What goes out follows from what is measured (`rig.workers.bench.setpoints.pseudo_dynamic`). What is known beforehand is the motion that a
linear specimen of the initial stiffness would give: this trajectory. Length and times of the steps are the same, displacements differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rig.hybrid.ground import Ground
from rig.hybrid.growth import growth
from rig.hybrid.splitting import BETA, Splitting, Structure
from rig.hybrid.timeline import Timeline
from rig.trajectory.naming import Named

Floats = NDArray[np.float64]


LARGE = 10.0  # growth from which it is no longer told in percent


@dataclass(frozen=True)
class Config(Named):
    """The structure, how it begins, how it is stepped, and how long the loader takes for a step. In the unit of a stroke, m."""

    mass: float = field(metadata={"unit": "kg", "over": 0.0, "doc": "of the structure, computed"})
    stiffness: float = field(metadata={"unit": "N/m", "over": 0.0, "doc": "K_I: what the specimen is expected to begin with"})
    step: float = field(metadata={"unit": "s", "over": 0.0, "doc": "of the model's time"})
    steps: int = field(metadata={"at_least": 1})
    damping: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0, "doc": "of the structure, computed"})
    scheme: str = field(default="fourth_order", metadata={"choices": tuple(BETA)})
    initial_displacement: float = field(default=0.0, metadata={"unit": "m"})
    initial_velocity: float = field(default=0.0, metadata={"unit": "m/s"})
    ground: Ground | None = field(default=None, metadata={"doc": "acceleration of the ground; none: free vibration"})
    correct: bool = field(default=True, metadata={"doc": "bring the force along K_I from where the loader came to where it should be"})
    undershoot: float = field(
        default=0.01, metadata={"unit": "1", "at_least": 0.0, "below": 1.0, "doc": "share of an increment that the loader may miss"}
    )
    stiffness_error: float = field(
        default=0.1, metadata={"unit": "1", "at_least": 0.0, "below": 1.0, "doc": "how far the specimen may be from K_I"}
    )
    allowed_growth: float = field(
        default=0.05, metadata={"unit": "1", "over": 0.0, "doc": "of the amplitude over the test, by the undershoot alone"}
    )
    tolerance: float | None = field(
        default=None, metadata={"unit": "m", "over": 0.0, "doc": "a loader further from its target is stopped; none: told only"}
    )
    ramp: float = field(default=0.1, metadata={"unit": "s", "over": 0.0, "doc": "to the next displacement"})
    hold: float = field(default=0.2, metadata={"unit": "s", "over": 0.0, "doc": "settle, average, and what is filled ahead"})
    settle: float = field(default=0.05, metadata={"unit": "s", "at_least": 0.0, "doc": "in the hold, before it is averaged"})
    average: float = field(default=0.02, metadata={"unit": "s", "over": 0.0, "doc": "in the hold"})
    soft_start: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "to the initial displacement"})
    soft_stop: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "from the last displacement to 0"})

    def __post_init__(self) -> None:
        if self.settle + self.average >= self.hold:
            need = f"settle + average = {self.settle + self.average:g} s"
            raise ValueError(f"hold: expected more than {need}, by what is filled ahead (command.ahead) and a block; got {self.hold:g} s")

    @property
    def method(self) -> Splitting:
        """How it is stepped."""
        return Splitting(Structure(self.mass, self.damping, self.stiffness), self.step, BETA[self.scheme])

    @property
    def timeline(self) -> Timeline:
        """When the loader does what."""
        return Timeline(self.soft_start, self.ramp, self.hold, self.steps, self.soft_stop)

    @property
    def stiffest(self) -> float:
        """Stiffest specimen that is reckoned with, N/m."""
        return (1.0 + self.stiffness_error) * self.stiffness

    def loads(self) -> Floats:
        """Load on the mass at every step, N, (steps + 1,). Raises ConfigError for a file of the ground that cannot be read."""
        if self.ground is None:
            return np.zeros(self.steps + 1)
        return -self.mass * self.ground.acceleration(np.arange(self.steps + 1, dtype=np.float64) * self.step)

    def growth(self) -> float:
        """Factor by which the stated undershoot makes amplitudes grow over the test, on the worst of the specimens reckoned with."""
        specimens = [self.stiffness * (1.0 + share) for share in (-self.stiffness_error, 0.0, self.stiffness_error)]
        return max(growth(self.method, one, self.undershoot, self.correct, self.steps) for one in specimens)

    def create(self) -> Expected:
        """The trajectory."""
        return Expected(self)


@dataclass(frozen=True)
class Expected:
    """A `rig.trajectory.Trajectory`: the test on a linear specimen of stiffness K_I and a loader without error."""

    config: Config
    frequency: float | None = None

    @property
    def duration(self) -> float:
        """Length in s: of the test, not of the motion."""
        return self.config.timeline.duration

    @property
    def cycles(self) -> int:
        """Steps, the initial displacement among them as step 0."""
        return self.config.steps + 1

    @cached_property
    def levels(self) -> Floats:
        """(steps + 3,): 0, what the loader goes to in steps 0 .. steps, 0."""
        c, method, loads = self.config, self.config.method, self.config.loads()
        state = method.start(c.initial_displacement, c.initial_velocity, c.stiffness * c.initial_displacement, loads[0])
        levels = [0.0, c.initial_displacement]
        for load in loads[1:].tolist():
            target = method.target(state)
            levels.append(target)
            state = method.complete(state, target, c.stiffness * target, load)
        return np.array([*levels, 0.0])

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase 0, step) at t (N,); -1 in soft start and stop."""
        timeline = self.config.timeline
        value, part = timeline.levels_at(self.levels, t)
        return value, np.zeros_like(value), counted(timeline, part, t)

    def bounds(self) -> tuple[float, float, float]:
        """Attained, all three."""
        return self.config.timeline.bounds(self.levels)

    def steady(self) -> Expected:
        """The same: every step is a ramp and a hold."""
        return self


def counted(timeline: Timeline, part: NDArray[np.int64], t: Floats) -> Floats:
    """Step (N,) as a cycle is counted: -1 in the ramp of the soft start and in the soft stop."""
    outside = (np.asarray(t) < timeline.soft_start) | (part > timeline.steps)
    return np.where(outside, -1.0, part.astype(np.float64))


def faults(config: Config) -> Iterator[tuple[str, str]]:
    """(key, what is wrong) with the method: a step beyond the stability limit, an undershoot that makes the test grow."""
    if config.ground is not None and (wrong := list(config.ground.faults())):
        yield from ((f"ground.{key}", text) for key, text in wrong)
        return
    largest = config.method.largest_step(config.stiffest)
    if config.step >= largest:
        on = f"on a specimen of up to {config.stiffest:.6g} N/m (stiffness and stiffness_error)"
        text = f"{config.scheme} is stable below {largest:.6g} s {on}, got {config.step:g} s; shorten it, or take average_acceleration"
        yield "step", text
        return
    grown = config.growth() - 1.0
    if grown > config.allowed_growth:
        how = "shorten the step, add damping, or make the loader follow better"
        how = how if config.correct else f"set correct = true, {how}"
        by = f"by {grown:.2%}" if grown < LARGE else f"{1.0 + grown:.3g} times"
        missed = f"a loader that misses {config.undershoot:.2%} of each increment makes the amplitude grow {by}"
        yield "undershoot", f"{missed} over {config.steps} steps, allowed are {config.allowed_growth:.2%} (allowed_growth); {how}"
