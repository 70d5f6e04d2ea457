"""AC coupling of analogue inputs: one pole, whose corner is the device's.

"NI-DAQmx Device Considerations", Input Coupling: a single-pole high-pass of a resistor and a capacitor, whose settling and delay the driver
does not make up for. The capacitor is charged to the first sample's voltage when a task starts.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

Block = NDArray[np.float64]


def load() -> None:
    """Load what filters: it takes a second, which a bench without such inputs does without, and a clock that runs has not got."""
    importlib.import_module("scipy.signal")


class HighPass:
    """Corners (Hz) of the columns of a task, 0 where the direct voltage passes; `rate` of its samples (S/s)."""

    def __init__(self, corners: Sequence[float], rate: float) -> None:
        self._groups: list[tuple[list[int], Block, Block, Block]] = []
        for corner in sorted({c for c in corners if c > 0.0}):
            columns = [i for i, c in enumerate(corners) if c == corner]
            b, a = scipy.signal.butter(1, min(corner, 0.49 * rate), "highpass", fs=rate)
            self._groups.append((columns, b, a, np.empty((0, 0))))

    def __bool__(self) -> bool:
        return bool(self._groups)

    def apply(self, volts: Block) -> None:
        """Filter (k, columns) V in place, going on from the samples before."""
        for place, (columns, b, a, state) in enumerate(self._groups):
            if not len(volts):
                return
            block = volts[:, columns]
            if not state.size:
                state = scipy.signal.lfilter_zi(b, a)[:, None] * block[0]
            volts[:, columns], state = scipy.signal.lfilter(b, a, block, axis=0, zi=state)
            self._groups[place] = (columns, b, a, state)
