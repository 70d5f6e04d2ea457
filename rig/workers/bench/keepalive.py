"""What keeps the bench alive, and what it says: the hardware watchdog, and all that the actuation attends to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from drivers.daq.contract import Daq
from drivers.errors import DriverError
from rig.host import clock as host_clock
from rig.workers.bench.actuation.interface import Actuation

WATCHDOG_SHARE = 0.25  # of the watchdog's time-out after which it is reset


class Keepalive:
    """Called once a block of `block` s: of the device's time, and on a computer that has fallen behind blocks take longer than that."""

    def __init__(
        self, daq: Daq, actuation: Actuation, block: float, watchdog: float | None, clock: Callable[[], float] = host_clock.now
    ) -> None:
        self._daq, self._actuation, self._clock = daq, actuation, clock
        self._every = WATCHDOG_SHARE * watchdog if watchdog else 0.0
        self._watchdog_blocks = max(1, int(WATCHDOG_SHARE * watchdog / block)) if watchdog else 0
        self._blocks, self._reset_at = self._watchdog_blocks, clock()

    def attend(self, more: bool = False) -> str | None:
        """What is due; returns what speaks against going on. `more`: see `Actuation.attend`."""
        fault = self._actuation.attend(more)
        if self._due():
            self._daq.reset_watchdog()
        return fault

    def keep(self) -> None:
        """After a trip: the device is kept at work, as one whose watchdog has expired takes no line any more."""
        if self._due():
            with contextlib.suppress(DriverError):  # it is safe already, and what can be done still is
                self._daq.reset_watchdog()

    def _due(self) -> bool:
        """Whichever comes first, by the device's time (the only one in lockstep) or by the computer's."""
        now = self._clock()
        due = self._watchdog_blocks > 0 and (self._blocks >= self._watchdog_blocks or now - self._reset_at >= self._every)
        if due:
            self._blocks, self._reset_at = 0, now
        self._blocks += 1
        return due
