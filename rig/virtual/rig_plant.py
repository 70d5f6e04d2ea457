"""The contract of a plant of a virtual bench: a `drivers.simulated.plant.plant.Plant` that may have serial sides, and goes on without
its program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.plant.load_frame import LoadFrame
from drivers.simulated.plant.shaft import Shaft
from drivers.simulated.serial.serial_side import SerialSide

Floats = NDArray[np.float64]


class RigPlant(ABC):
    """What most plants have not is none here."""

    analogue_inputs: tuple[str, ...]
    analogue_outputs: tuple[str, ...]
    digital_inputs: tuple[str, ...]
    digital_outputs: tuple[str, ...]
    alternating: tuple[str, ...] = ()
    """See `CoupledSource`."""
    edge_outputs: tuple[str, ...] = ()
    """See `EdgeSource`."""
    edge_levels: tuple[bool, ...] = ()
    heartbeat_timeout: float = 0.0
    """Time (s) after the death of its program in which it is to come to rest by itself."""
    shafts: Mapping[str, Shaft] = {}
    """What serial drives turn, by name."""
    load_frames: Mapping[str, LoadFrame] = {}
    """What controllers on serial lines move, by name."""
    takes_sides = False
    """Whether there may be serial sides."""

    @abstractmethod
    def advance(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        """See `Plant`."""

    @abstractmethod
    def take_events(self) -> list[tuple[float, str, str]]:
        """See `Plant`."""

    def read_lines(self) -> NDArray[np.bool_]:
        """See `Plant`."""
        return np.empty(0, dtype=np.bool_)

    def take_edges(self) -> list[Floats]:
        """See `EdgeSource`."""
        return []

    def attach(self, side: SerialSide) -> None:
        """Take a serial side (made with paced=False) along. Raises ValueError for a device that is not this plant's."""
        raise ValueError(f"{side.device.name}: nothing of this plant is on a serial line")

    @property
    def armed(self) -> bool:
        """Whether it moves, or will by itself."""
        return False

    @property
    def turning(self) -> Mapping[str, float]:
        """Speed (rad/s) of each axis that turns."""
        return {}


class NothingWired(RigPlant):
    """Devices alone."""

    analogue_inputs = analogue_outputs = digital_inputs = digital_outputs = ()

    def advance(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        """Return (m, 0)."""
        return np.empty((len(times), 0))

    def take_events(self) -> list[tuple[float, str, str]]:
        """Return no events."""
        return []
