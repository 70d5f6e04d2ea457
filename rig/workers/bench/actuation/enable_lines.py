"""The lines of the DAQ device as the drivers of axes get them: several threads write them, and after a trip none rises again."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from drivers.daq.digital_lines import Lines


class EnableLines:
    """`drivers.daq.digital_lines.Lines`, the output lines of a rig's axes among them, all of which are low when nothing may move."""

    def __init__(self, lines: Lines, names: tuple[str, ...]) -> None:
        self._lines, self._names = lines, names
        self._lock = threading.Lock()
        self._tripped = False

    def write_lines(self, states: Mapping[str, bool]) -> None:
        """Set the named lines in one call; after a trip they stay low, whoever was still about to raise one."""
        with self._lock:
            self._lines.write_lines({name: high and not self._tripped for name, high in states.items()})

    def read_lines(self) -> dict[str, bool]:
        """State of the input lines."""
        return self._lines.read_lines()

    def trip(self) -> None:
        """All low, in one call, for good."""
        self._tripped = True
        if self._names:
            self.write_lines(dict.fromkeys(self._names, False))
