"""An instrument that is read beside the DAQ device, on a line of its own: a gauge, a thermometer, a balance. Nothing is moved by it.

A driver of one is a file with a `Config` that derives from `InstrumentSettings`; `kind` of `[[instruments]]` chooses it.
"""

from __future__ import annotations

import math
import numbers
from abc import ABC, abstractmethod
from typing import Protocol, runtime_checkable

from drivers.errors import BadReply
from drivers.serial.serial_line import SerialLine


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


@runtime_checkable
class OnALine(Protocol):
    """One whose driver has a line: it can be hurried, and messages name its port."""

    line: SerialLine


class InstrumentSettings(ABC):
    """What its table in a bench file has to have."""

    port: str
    """Of its line; empty where it has none."""
    capacity: float | None = None
    """Largest reading, in its unit."""

    @abstractmethod
    def create(self, name: str) -> Instrument:
        """A driver that is not connected yet."""


def number(value: object, name: str, unit: str) -> float:
    """What an instrument gave as a reading. Raises BadReply for what is no finite number."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise BadReply(f"{name}: expected a finite number in {unit}, its driver gave {value!r}")
    return float(value)
