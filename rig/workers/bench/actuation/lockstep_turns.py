"""Turns between a bench in lockstep and a thread that talks to a drive.

The bench stands while the thread works, and goes on while it sleeps: what the drive is told, it is told at the same
sample in every run, however busy the computer is.
"""

from __future__ import annotations

import threading
import time

from rig.host import clock

PATIENCE = 5.0  # s of wall time that the bench waits for one turn: longer than any driver waits for its line


class LockstepTurns:
    """The clock (drivers.clock.Clock) of the thread, moved by the bench's samples at `rate` (Hz); by the wall once nobody moves it."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._change = threading.Condition()
        self._sample = 0
        self._working = True  # until it sleeps for the first time
        self._released: float | None = None  # host_clock.now()

    def tick(self, sample: int) -> None:
        """Bench: it is at `sample`. Returns when the thread sleeps again, or was released."""
        with self._change:
            self._wait()  # a thread that has only just begun finds its first block all the same
            self._sample, self._working = sample, True
            self._change.notify_all()
            self._wait()

    def _wait(self) -> None:
        self._change.wait_for(lambda: not self._working or self._released is not None, PATIENCE)

    def release(self) -> None:
        """From now on time goes by the wall's clock, and nobody waits for the other."""
        with self._change:
            if self._released is None:
                self._released = clock.now()
            self._change.notify_all()

    def now(self) -> float:
        """See `Clock`."""
        with self._change:
            return self._sample / self._rate + (0.0 if self._released is None else clock.now() - self._released)

    def sleep(self, seconds: float) -> None:
        """See `Clock`; until the bench's next block at least."""
        with self._change:
            until = self._sample + max(1, round(seconds * self._rate))
            while self._released is None and self._sample < until:
                self._working = False
                self._change.notify_all()
                self._change.wait_for(lambda: self._working or self._released is not None)
            if self._released is None:
                return
        time.sleep(seconds)
