"""When to draw again, and how long drawing took."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.signals.summary_statistics import statistics

REDRAWS = 25.0  # a second, at most
SHARE = 0.5  # of a core that drawing may take; on a slow machine the picture comes less often instead
KEPT = 20000  # frames that the final figures are made from


class Pacer:
    """Pace of one window; times of a monotonic clock, s."""

    def __init__(self) -> None:
        self.next = 0.0
        self.frames = 0
        self._first = self._last = 0.0
        self._wall, self._busy = np.zeros(KEPT), np.zeros(KEPT)

    def wait(self, now: float) -> float:
        """Seconds until the next frame is due."""
        return max(0.0, self.next - now)

    def drawn(self, began: float, ended: float, busy: float | None = None, counts: bool = True) -> None:
        """Note a frame; `busy` is the CPU time it took, s (the wall time where that is not known).

        Only CPU time makes the pace give way: while others have the core, drawing less often would not help them. A frame in
        which there was nothing to draw does not count.
        """
        if counts:
            self._first = self._first if self.frames else ended  # the first picture of all takes seconds where nothing is cached
            self._last = ended
            self._wall[self.frames % KEPT] = ended - began
            self._busy[self.frames % KEPT] = ended - began if busy is None else busy
            self.frames += 1
        # From when it was due rather than from now, or every late wake-up would slow the pace down.
        due = self.next if began - self.next < 1.0 / REDRAWS else began
        self.next = max(due + 1.0 / REDRAWS, began + (ended - began if busy is None else busy) / SHARE)

    def figures(self) -> dict[str, object]:
        """Frames, redraws a second, and of a frame the wall time and the CPU time, s (of the last KEPT)."""
        lasted = self._last - self._first
        kept = min(self.frames, KEPT)
        return {
            "frames": self.frames,
            "redraws_per_s": (self.frames - 1) / lasted if lasted > 0.0 else None,
            "draw_s": _spread(self._wall[:kept]),
            "draw_cpu_s": _spread(self._busy[:kept]),
        }


def _spread(times: NDArray[np.float64]) -> dict[str, object]:
    return {**statistics(times), "p95": float(np.quantile(times, 0.95)) if len(times) else None}
