"""Whether the recorder keeps up with the test: told when the disk, or the computer, is too slow for it, long before a sample is lost."""

from __future__ import annotations

from rig.streaming.heartbeat_table import GONE

SLOW = "disk_slow"
"""Kind of the events."""
TOLD, QUIET = 0.3, 0.05
"""Shares of what the rings hold: behind by the first it is told, once; by the second it may be told again."""


class RecordingDelay:
    """Asked now and then while a test runs."""

    def __init__(self, ring: float) -> None:
        """ring: s of samples that the rings hold; what waits longer is lost."""
        self._ring, self._told = ring, False

    def look(self, sample: int | None, recorded: int, rate: float | None) -> str | None:
        """At sample n, when the recorder is done with those before `recorded`; in words what is new to be told."""
        if sample is None or not rate or recorded >= GONE:
            return None
        behind = (sample - recorded) / rate
        if behind < QUIET * self._ring:
            self._told = False
        if self._told or behind < TOLD * self._ring:
            return None
        self._told = True
        return f"recording is {behind:.1f} s behind: its disk or its computer is too slow; from {self._ring:g} s on samples are lost"
