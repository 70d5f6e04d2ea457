"""The 3-RRPaR mechanism with ideal joints along a path: nothing is left to integrate, every sample is computed (chen2026)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from model.mechanisms import parallel_3rrpar_ideal as ideal
from model.mechanisms.parallel_3rrpar import CHANNELS
from model.stepper import Event

Floats = NDArray[np.float64]


class Prescribed:
    """A stepper that its input does not move; see model.stepper.Stepper."""

    lookahead = 1

    def __init__(self, config: Any, rate: float, path: Any) -> None:
        """path: as for model.mechanisms.parallel_3rrpar_motion. Raises ModelError for a rate that is not positive."""
        if not 0.0 < rate < math.inf:
            raise ModelError(f"sample rate must be more than 0 Hz and finite, got {rate:g}")
        self.rate, self._config, self._path, self._next = rate, config, path, 0
        self.events: list[Event] = []

    def start(self, samples: Floats) -> None:
        """Put it at t = 0."""
        self._next = 0

    def advance(self, samples: Floats) -> Floats:
        """The next len(samples) output samples, (k, channels)."""
        times = (self._next + np.arange(len(samples))) / self.rate
        self._next += len(samples)
        point, velocity, acceleration = self._path.evaluate(times)
        loads = ideal.loads(self._config, point, velocity, acceleration)
        still = np.zeros((len(times), 6))
        values = np.column_stack([point, velocity, acceleration, loads.motion.theta, loads.torque, loads.radial, still])
        assert values.shape[1] == len(CHANNELS)
        return values

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest): as `advance`, with the extremes at the samples."""
        before = self._next
        values = self.advance(samples)
        first = values[:1]
        if before > 0 and len(values):
            self._next = before - 1
            first = self.advance(samples[:1])
            self._next = before + len(samples)
        earlier = np.concatenate([first, values[:-1]]) if len(values) else values
        return values, np.minimum(earlier, values), np.maximum(earlier, values)

    @property
    def time(self) -> float:
        """Of the last sample, s."""
        return max(0, self._next - 1) / self.rate

    @property
    def work(self) -> dict[str, int]:
        """Nothing is integrated."""
        return {"accepted": 0, "rejected": 0, "evaluations": self._next}
