"""A plant with something around it: all that is not changed is the plant's own."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.serial.serial_side import SerialSide
from rig.virtual.rig_plant import RigPlant

Floats = NDArray[np.float64]


class WrappedPlant(RigPlant):
    """Hands everything on to the plant."""

    def __init__(self, plant: RigPlant) -> None:
        self._plant = plant
        self.analogue_inputs, self.analogue_outputs = plant.analogue_inputs, plant.analogue_outputs
        self.digital_inputs, self.digital_outputs = plant.digital_inputs, plant.digital_outputs
        self.alternating, self.edge_outputs, self.edge_levels = plant.alternating, plant.edge_outputs, plant.edge_levels
        self.heartbeat_timeout, self.takes_sides = plant.heartbeat_timeout, plant.takes_sides
        self.shafts, self.load_frames = plant.shafts, plant.load_frames

    @property
    def inner(self) -> RigPlant:
        """The plant that it is around."""
        return self._plant

    def advance(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        """See `Plant`."""
        return self._plant.advance(times, volts, lines)

    def read_lines(self) -> NDArray[np.bool_]:
        """See `Plant`."""
        return self._plant.read_lines()

    def take_events(self) -> list[tuple[float, str, str]]:
        """See `Plant`."""
        return self._plant.take_events()

    def take_edges(self) -> list[Floats]:
        """See `RigPlant`."""
        return self._plant.take_edges()

    def attach(self, side: SerialSide) -> None:
        """See `RigPlant`."""
        self._plant.attach(side)

    @property
    def armed(self) -> bool:
        """See `RigPlant`."""
        return self._plant.armed

    @property
    def turning(self) -> Mapping[str, float]:
        """See `RigPlant`."""
        return self._plant.turning
