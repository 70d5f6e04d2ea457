"""What keeps the bench alive, and what it says: the hardware watchdog, and all that the actuation attends to."""

from __future__ import annotations

import contextlib
from typing import Any

from drivers.errors import DriverError
from rig.workers.actuation import Actuation

WATCHDOG_SHARE = 0.25  # of the watchdog's time-out after which it is reset


class Attending:
    """Called once a block of `block` s."""

    def __init__(self, daq: Any, actuation: Actuation, block: float, watchdog: float | None) -> None:
        self._daq, self._actuation = daq, actuation
        self._blocks = 0
        self._watchdog_blocks = max(1, int(WATCHDOG_SHARE * watchdog / block)) if watchdog else 0

    def attend(self) -> str | None:
        """What is due; returns what speaks against going on."""
        fault = self._actuation.attend()
        if self._due():
            self._daq.reset_watchdog()
        return fault

    def keep(self) -> None:
        """After a trip: the device is kept at work, as one whose watchdog has expired takes no line any more."""
        if self._due():
            with contextlib.suppress(DriverError):  # it is safe already, and what can be done still is
                self._daq.reset_watchdog()

    def _due(self) -> bool:
        n, self._blocks = self._blocks, self._blocks + 1
        return self._watchdog_blocks > 0 and n % self._watchdog_blocks == 0
