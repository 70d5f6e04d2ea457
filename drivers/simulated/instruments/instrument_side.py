"""The device side of an instrument that is only read, and what its table in a bench file has to have."""

from __future__ import annotations

from abc import ABC, abstractmethod

from drivers.simulated.serial.serial_device import SerialDevice


class InstrumentSide(SerialDevice, ABC):
    """One instrument that looks at a signal of the plant."""

    @abstractmethod
    def look(self, value: float) -> None:
        """What hangs on it now, in the instrument's SI unit."""


class InstrumentSideSettings(ABC):
    """Keys of its table."""

    @abstractmethod
    def create(self, name: str) -> InstrumentSide:
        """An instrument with nothing on it."""
