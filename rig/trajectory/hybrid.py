"""Real-time hybrid test: one floor of a computed frame is the specimen; at every sample the loader goes where the frame has its floor.

What goes out follows from what is measured, sample by sample (`rig.workers.bench.setpoints.hybrid`). What is known beforehand is the motion
of the frame with a linear specimen of the stated stiffness and a loader without error: this trajectory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rig.hybrid.ground import Ground
from rig.hybrid.realtime.excitation import GroundNoise
from rig.hybrid.realtime.floors import scaled, undivided
from rig.hybrid.realtime.frame import CASES
from rig.hybrid.realtime.monitor import Monitor
from rig.trajectory.naming import Named

Floats = NDArray[np.float64]

COMPENSATORS = ("none", "extrapolation", "inverse_2", "inverse_3", "time_series", "kalman")
EXPECTED_RATE = 2048.0  # Hz at which the motion is reckoned beforehand


@dataclass(frozen=True)
class Config(Named):
    """The frame of the published benchmark, scaled; what the specimen is of it, what shakes it, and how the loader's delay is made up."""

    stiffness: float = field(metadata={"unit": "N/m", "over": 0.0, "doc": "of the specimen, which is taken out of the first floor"})
    duration: float = field(metadata={"unit": "s", "over": 0.0, "doc": "of the ground"})
    delay: float = field(metadata={"unit": "s", "over": 0.0, "doc": "of the loader, what is filled ahead among it, that is made up"})
    case: int = field(default=1, metadata={"doc": "of the benchmark, 1 to 4"})
    scale: float = field(default=1.0, metadata={"unit": "1", "over": 0.0, "doc": "of mass, damping and stiffness of the frame"})
    compensator: str = field(default="inverse_3", metadata={"choices": COMPENSATORS})
    ground: Ground | None = field(default=None, metadata={"doc": "a record; one of ground and ground_noise"})
    ground_noise: GroundNoise | None = field(default=None, metadata={"doc": "made here"})
    monitor: Monitor = field(default_factory=Monitor)
    soft_stop: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "from the last displacement to 0"})

    def acceleration(self, rate: float) -> Floats:
        """(N + 1,) m/s^2 at `rate`, Hz, as long as the test. Raises ConfigError for a record that cannot be read."""
        times = np.arange(round(self.duration * rate) + 1) / rate
        if self.ground is not None:
            return self.ground.acceleration(times)
        assert self.ground_noise is not None
        made = self.ground_noise.acceleration(rate)
        return np.asarray(np.interp(times, np.arange(len(made)) / rate, made, right=0.0))

    def create(self) -> Expected:
        """The trajectory."""
        return Expected(self)


@dataclass(frozen=True)
class Expected:
    """A `rig.trajectory.Trajectory`: the test on a linear specimen and a loader without error."""

    config: Config
    frequency: float | None = None
    cycles: int = 1

    @property
    def duration(self) -> float:
        """Length in s, soft stop included."""
        return self.config.duration + self.config.soft_stop

    @cached_property
    def motion(self) -> Floats:
        """(N,) m of the first floor, at EXPECTED_RATE."""
        c = self.config
        return undivided(scaled(c.case, c.scale), c.acceleration(EXPECTED_RATE), EXPECTED_RATE)[:, 0]

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, phase 0, cycle) at t (N,); the ground is cycle 0, nothing is counted in the soft stop."""
        t = np.asarray(t, dtype=np.float64)
        value = np.interp(t, np.arange(len(self.motion)) / EXPECTED_RATE, self.motion)
        share = np.clip((t - self.config.duration) / self.config.soft_stop, 0.0, 1.0)
        return value * 0.5 * (1.0 + np.cos(np.pi * share)), np.zeros_like(value), np.where(share > 0.0, -1.0, 0.0)

    def bounds(self) -> tuple[float, float, float]:
        """Of the motion between its samples, and of the soft stop."""
        last = 0.5 * np.pi * abs(float(self.motion[-1])) / self.config.soft_stop
        fastest = float(np.max(np.abs(np.diff(self.motion)))) * EXPECTED_RATE
        return min(float(self.motion.min()), 0.0), max(float(self.motion.max()), 0.0), max(fastest, last)

    def steady(self) -> Expected:
        """The same."""
        return self


def faults(config: Config) -> Iterator[tuple[str, str]]:
    """(key, what is wrong) with values that are right one by one."""
    if config.case not in CASES:
        yield "case", f"expected one of 1, 2, 3, 4; got {config.case}"
        return
    floor = float(scaled(config.case, config.scale).stiffness[0, 0])
    if config.stiffness >= floor:
        yield "stiffness", f"expected less than the first floor has in all, {floor:.4g} N/m; got {config.stiffness:.4g} N/m; enlarge scale"
    if (config.ground is None) == (config.ground_noise is None):
        yield "ground", "expected one of [trajectory.ground] and [trajectory.ground_noise]"
    if config.ground is not None:
        yield from ((f"ground.{key}", text) for key, text in config.ground.faults())
