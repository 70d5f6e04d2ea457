"""What the table of a drive's device side has to have, where the bench file finds it by its kind (`[serial.drive]`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from drivers.simulated.plant.shaft import Shaft
from drivers.simulated.serial.serial_device import SerialDevice


class DriveSideSettings(ABC):
    """Keys of its table."""

    BITS: ClassVar[int] = 10
    """On the wire for a byte: start, data, parity, stop."""

    @abstractmethod
    def create(self, shafts: Sequence[Shaft], name: str) -> SerialDevice:
        """A device at rest whose `drives` turn these shafts, one each. Raises ValueError for a number of shafts that it cannot turn."""
