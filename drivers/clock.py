"""What a driver waits by: the wall's clock, or one that somebody else moves (a bench in lockstep)."""

from __future__ import annotations

import time
from typing import Protocol

from drivers import host_clock


class Clock(Protocol):
    """Time as a driver sees it while a device takes its time."""

    def now(self) -> float:
        """Seconds since some moment."""

    def sleep(self, seconds: float) -> None:
        """Let at least so much time pass; 0: a moment, as between two questions."""


class WallClock:
    """See `Clock`."""

    def now(self) -> float:
        """See `Clock`."""
        return host_clock.now()

    def sleep(self, seconds: float) -> None:
        """See `Clock`."""
        time.sleep(seconds)


WALL = WallClock()
