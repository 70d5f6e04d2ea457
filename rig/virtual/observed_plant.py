"""A plant whose signals are looked at by instruments on serial lines of their own, beside the DAQ device's inputs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.instruments.instrument_side import InstrumentSide
from drivers.simulated.serial.serial_side import SerialSide
from rig.virtual.rig_plant import RigPlant
from rig.virtual.wrapped_plant import WrappedPlant

Floats = NDArray[np.float64]


class ObservedPlant(WrappedPlant):
    """A plant with what looks at it; all else is the plant's."""

    def __init__(self, plant: RigPlant) -> None:
        super().__init__(plant)
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

    def take_events(self) -> list[tuple[float, str, str]]:
        """See `Plant`: those of the instruments too."""
        own = [event for side, _, _ in self._lookers for event in side.take_events()]
        return sorted([*self._plant.take_events(), *own], key=lambda event: event[0])
