"""When to draw again, and how long drawing took."""

from __future__ import annotations

import numpy as np

from rig.figures import statistics

REDRAWS = 25.0  # a second, at most
SHARE = 0.5  # of its own time that drawing may take; on a slow machine the picture comes less often instead
KEPT = 20000  # frames that the final figures are made from


class Pacer:
    """Pace of one window; times of a monotonic clock, s."""

    def __init__(self) -> None:
        self.next = 0.0
        self.frames = 0
        self._first = self._last = 0.0
        self._wall: list[float] = []

    def wait(self, now: float) -> float:
        """Seconds until the next frame is due."""
        return max(0.0, self.next - now)

    def drawn(self, began: float, ended: float) -> None:
        """Note a frame."""
        self._first = self._first if self.frames else began
        self._last = ended
        self.frames += 1
        if len(self._wall) < KEPT:
            self._wall.append(0.0)
        self._wall[(self.frames - 1) % KEPT] = ended - began
        # From when it was due rather than from now, or every late wake-up would slow the pace down.
        due = self.next if began - self.next < 1.0 / REDRAWS else began
        self.next = max(due + 1.0 / REDRAWS, began + (ended - began) / SHARE)

    def figures(self) -> dict[str, object]:
        """Redraws a second and the wall time of a frame, s."""
        lasted = self._last - self._first
        wall = statistics(self._wall)
        p95 = float(np.quantile(self._wall, 0.95)) if self._wall else None
        return {
            "frames": self.frames,
            "frames_per_s": (self.frames - 1) / lasted if lasted > 0.0 else None,
            "frame_wall_s": {**wall, "p95": p95},
        }
