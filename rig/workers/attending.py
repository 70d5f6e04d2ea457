"""What keeps a loader that runs by itself alive, and what it says: heartbeat, hardware watchdog, the controller's own lines."""

from __future__ import annotations

from typing import Any

STATUS_EVERY = 0.02  # s between two looks at the controller's lines
WATCHDOG_SHARE = 0.25  # of the watchdog's time-out after which it is reset


class Attending:
    """Called once a block of `block` s."""

    def __init__(self, daq: Any, loader: Any, block: float, heartbeat_period: float, watchdog: float | None) -> None:
        self._daq, self._loader = daq, loader
        self._blocks = 0
        self._status_blocks = max(1, round(STATUS_EVERY / block))
        self._beat_blocks = max(1, round(heartbeat_period / block))
        self._watchdog_blocks = max(1, int(WATCHDOG_SHARE * watchdog / block)) if watchdog else 0

    def attend(self) -> str | None:
        """What is due; returns what the controller says against going on."""
        n, self._blocks = self._blocks, self._blocks + 1
        if n % self._beat_blocks == 0:
            self._loader.beat()
        if self._watchdog_blocks and n % self._watchdog_blocks == 0:
            self._daq.reset_watchdog()
        return self._loader.fault() if n % self._status_blocks == 0 else None
