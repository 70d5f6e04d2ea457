"""Digital lines of the DAQ device by name, as the drivers of other instruments get them from the bench."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class OutputLines(Protocol):
    """Lines that are set."""

    def write_lines(self, states: Mapping[str, bool]) -> None:
        """Set the named output lines in one call; the others keep their state."""


class Lines(OutputLines, Protocol):
    """Lines that are set, and lines that are read."""

    def read_lines(self) -> dict[str, bool]:
        """State of the input lines."""
