"""What is known of the passes of an iterated drive."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.control import iteration
from rig.control.iteration import Errors
from rig.trajectory import Trajectory

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Target:
    """What is asked for at the device's rate: value, phase, cycle (N, 3); which samples count; the learning window."""

    rate: float
    table: Floats
    counted: NDArray[np.bool_]
    window: Floats

    @property
    def value(self) -> Floats:
        """(N,)."""
        return self.table[:, 0]

    @classmethod
    def from_trajectory(cls, trajectory: Trajectory, rate: float) -> Target:
        """Sampled; where no cycle is counted all of it is."""
        count = int(np.ceil(trajectory.duration * rate - 1e-9)) + 1
        value, phase, cycle = trajectory.evaluate(np.arange(count, dtype=np.float64) / rate)
        cycle = cycle if np.any(cycle >= 0.0) else np.zeros(count)
        inside = np.flatnonzero(cycle >= 0.0)
        counted = np.zeros(count, dtype=np.bool_)
        counted[inside[0] : inside[-1] + 1] = True
        return cls(rate, np.column_stack([value, phase, cycle]), counted, iteration.window(counted))


@dataclass
class Row:
    """One pass. Contractions are of the rms error in the band; `step` is the share of the correction that the limits left."""

    iteration: int
    run: str
    errors: Errors
    peak_command: float
    predicted: float | None = None
    measured: float | None = None
    step: float = 1.0

    def to_json(self) -> dict[str, Json]:
        """As it stands in summary.json."""
        return {
            "iteration": self.iteration, "run": self.run, "error_full_band": self.errors.full, "error_in_band": self.errors.in_band,
            "error_outside_band": self.errors.outside, "mean_error": self.errors.mean, "contraction_predicted": self.predicted,
            "contraction_measured": self.measured, "peak_command": self.peak_command, "step": self.step,
        }  # fmt: skip


@dataclass(eq=False)
class Lines:
    """What is known of the lines of the band after a pass, (K,) each: error, how it should go on in the next pass, how it did."""

    frequency: Floats
    error: Floats
    predicted: Floats
    measured: Floats = field(default_factory=lambda: np.empty(0))
