"""The command stream, block by block: lead-in at the present feedback, the trajectory, a ramped stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.trajectory.stop import StopRamp

Column = NDArray[np.float64]
NOT_COUNTED = -1.0


@dataclass(frozen=True)
class Timing:
    """Lengths in samples: waiting at the feedback before the trajectory, and fading its offset out of it."""

    lead_in: int
    fade: int


class Setpoint:
    """Values of the command in the order in which they go out; the first equals the present feedback (bumpless)."""

    def __init__(self, trajectory: Any, rate: float, feedback: float, timing: Timing) -> None:
        self._trajectory, self._rate, self._timing = trajectory, rate, timing
        start = float(trajectory.evaluate(np.zeros(1))[0][0])
        self._offset = feedback - start
        self._ramp: tuple[int, StopRamp] | None = None
        self._last, self._last_rate = (feedback, 0.0), 0.0
        self.position = 0
        self.end = timing.lead_in + int(np.ceil(trajectory.duration * rate))

    @property
    def finished(self) -> bool:
        """Every sample of the trajectory, or of the ramp that ends it, has been given out."""
        return self.position >= self.end

    def next(self, count: int) -> Column:
        """The next `count` samples: (count, 3) value, phase, cycle."""
        n = np.arange(self.position, self.position + count)
        block = self._ramped(n) if self._ramp else self._followed(n)
        self.position += count
        before = float(block[-2, 0]) if count > 1 else self._last[0]
        self._last_rate = (float(block[-1, 0]) - before) * self._rate
        self._last = (float(block[-1, 0]), float(block[-1, 1]))
        return block

    def stop(self, target: float, duration: float) -> None:
        """From the next sample on ramp to `target` in `duration` s; the phase is held."""
        if self._ramp is None:
            self._ramp = (self.position, StopRamp(self._last[0], target, duration, self._last_rate))
            self.end = self.position + int(np.ceil(duration * self._rate))

    def _followed(self, n: NDArray[np.int64]) -> Column:
        since = n - self._timing.lead_in
        value, phase, cycle = self._trajectory.evaluate(np.maximum(since, 0) / self._rate)
        fading = np.clip(since / self._timing.fade, 0.0, 1.0)
        waiting = since < 0
        block = np.column_stack([value + self._offset * 0.5 * (1.0 + np.cos(np.pi * fading)), phase, cycle])
        block[waiting, 2] = NOT_COUNTED
        return block

    def _ramped(self, n: NDArray[np.int64]) -> Column:
        assert self._ramp is not None
        first, ramp = self._ramp
        value = ramp.evaluate((n - first + 1) / self._rate)
        return np.column_stack([value, np.full(len(n), self._last[1]), np.full(len(n), NOT_COUNTED)])
