"""What the table of a bench's DAQ devices has to have: the `Config` of each way to reach them derives from this."""

from __future__ import annotations

from abc import ABC, abstractmethod

from drivers.daq.contract import Daq
from drivers.daq.wiring import Wiring


class DaqSettings(ABC):
    """Of any."""

    device: str
    watchdog: float | None = None

    @abstractmethod
    def unguarded(self) -> DaqSettings:
        """The same without a watchdog, whose lines would drop where nobody resets it."""

    @abstractmethod
    def create(self, wiring: Wiring, address: str | None = None) -> Daq:
        """A device that is not connected yet. address: HOST:PORT of a device server; None: the driver of this machine."""
