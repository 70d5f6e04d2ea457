"""A plant whose signals are looked at by instruments on serial lines of their own, beside the DAQ device's inputs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.instruments.instrument_side import InstrumentSide
from drivers.simulated.serial.serial_side import SerialSide
from rig.virtual.rig_plant import RigPlant

Floats = NDArray[np.float64]


class ObservedPlant(RigPlant):
    """A plant with what looks at it; all else is the plant's."""

    def __init__(self, plant: RigPlant) -> None:
        self._plant = plant
        self.analogue_inputs, self.analogue_outputs = plant.analogue_inputs, plant.analogue_outputs
        self.digital_inputs, self.digital_outputs = plant.digital_inputs, plant.digital_outputs
        self.alternating, self.edge_outputs, self.edge_levels = plant.alternating, plant.edge_outputs, plant.edge_levels
        self.heartbeat_timeout, self.takes_sides = plant.heartbeat_timeout, plant.takes_sides
        self.shafts, self.load_frames = plant.shafts, plant.load_frames
        self._lookers: list[tuple[SerialSide, int, float]] = []

    def look(self, side: SerialSide, signal: str, per_volt: float) -> None:
        """Take the serial side (made with paced=False) along: its device looks at `per_volt` times the volts of the signal. Raises
        ValueError for a signal that there is not."""
        signals = self._plant.analogue_outputs
        if signal not in signals:
            raise ValueError(f"expected a signal of the plant, which has {', '.join(signals) or 'none'}; got {signal!r}")
        self._lookers.append((side, signals.index(signal), per_volt))

    def advance(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        """See `Plant`; the instruments see the signals as they are at the end of each piece of time."""
        out = self._plant.advance(times, volts, lines)
        if len(times):
            for side, column, per_volt in self._lookers:
                assert isinstance(side.device, InstrumentSide)
                side.device.look(per_volt * float(out[-1, column]))
                side.update(float(times[-1]))
        return out

    def read_lines(self) -> NDArray[np.bool_]:
        """See `Plant`."""
        return self._plant.read_lines()

    def take_events(self) -> list[tuple[float, str, str]]:
        """See `Plant`: those of the instruments too."""
        own = [event for side, _, _ in self._lookers for event in side.take_events()]
        return sorted([*self._plant.take_events(), *own], key=lambda event: event[0])

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
