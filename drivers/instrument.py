"""An instrument that is read beside the DAQ device, on a line of its own: a gauge, a thermometer, a balance. Nothing is moved by it.

A driver of one is a module with `ROLE = "instrument"`, a `Config` and `create(config, name)`; `kind` of `[[instruments]]` chooses it.
"""

from __future__ import annotations

from typing import Protocol


class Instrument(Protocol):
    """One instrument, from `connect` to `close`. Every method but `close` raises DriverError that names the instrument."""

    name: str
    unit: str
    """SI unit of what it reads."""

    def connect(self) -> None:
        """Reach it, and see that it is the right one; changes nothing in it."""

    def identity(self) -> str:
        """What it says it is, for the record."""

    def read(self) -> float:
        """What it reads now."""

    def close(self) -> list[str]:
        """Let go, from any state; returns what went wrong, in words."""
