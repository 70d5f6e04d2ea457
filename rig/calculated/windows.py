"""Mean and RMS over the last T seconds; rate of change. Each keeps what the next block needs: results do not depend on blocks."""

from __future__ import annotations

import numpy as np

from rig.calculated.rows import Floats

PARTS = 16
"""A window moves on by a sixteenth of itself: a sum that is kept sample by sample would drift over a long test, and keep a NaN for ever."""
RATE_WINDOW = 1e-3
"""s over which a rate is taken, as of a limit."""


class Window:
    """Mean, or RMS, over `seconds`, rounded up to sixteen equal parts of whole samples; `rate` in Hz."""

    def __init__(self, seconds: float, rate: float, squared: bool) -> None:
        samples = max(1, round(seconds * rate))
        self._parts = min(PARTS, samples)
        self._part = -(-samples // self._parts)
        self._squared = squared
        self._waiting = np.empty(0)
        self._sums = np.empty(0)  # of the last parts
        self._value = np.nan
        self._seen = 0
        self.begun: int | None = None
        """Sample from which on there is a value, counted from the first one taken."""

    def take(self, x: Floats) -> Floats:
        """Return the value at each of the next samples (k,): of the last parts that are whole; NaN before there are enough."""
        before = len(self._waiting)
        longer = np.concatenate([self._waiting, x * x if self._squared else x])
        whole = len(longer) // self._part
        self._waiting = longer[whole * self._part :].copy()
        fresh = np.ascontiguousarray(longer[: whole * self._part]).reshape(whole, self._part).sum(axis=1)
        values = np.concatenate([[self._value], self._slid(fresh)])
        self._value = float(values[-1])
        self._seen += len(x)
        if self.begun is None and self._seen >= self._parts * self._part:
            self.begun = self._parts * self._part - 1
        return values[(before + 1 + np.arange(len(x))) // self._part]

    def _slid(self, fresh: Floats) -> Floats:
        """Value after each new part."""
        known = np.concatenate([self._sums, fresh])
        self._sums = known[-(self._parts - 1) :] if self._parts > 1 else np.empty(0)
        missing = np.full(max(0, min(len(fresh), self._parts - 1 - (len(known) - len(fresh)))), np.nan)
        if len(known) < self._parts:
            return np.full(len(fresh), np.nan)
        sums = np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(known, self._parts)).sum(axis=1)
        mean = sums / (self._parts * self._part)
        return np.concatenate([missing, np.sqrt(mean) if self._squared else mean])


class Rate:
    """Change over the last millisecond, a second; before the first sample the value stood still."""

    def __init__(self, rate: float) -> None:
        self._window = max(1, round(RATE_WINDOW * rate))
        self._per_second = rate / self._window
        self._before: Floats | None = None

    def take(self, x: Floats) -> Floats:
        """(k,) -> (k,)."""
        if self._before is None:
            self._before = np.repeat(x[:1], self._window)
        longer = np.concatenate([self._before, x])
        self._before = longer[-self._window :].copy()
        changes: Floats = longer[self._window :] - longer[: -self._window]
        return changes * self._per_second
