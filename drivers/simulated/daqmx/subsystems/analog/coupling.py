"""AC coupling of analogue inputs: one pole, whose corner is the device's.

"NI-DAQmx Device Considerations", Input Coupling: a single-pole high-pass of a resistor and a capacitor, whose settling and delay the driver
does not make up for. The capacitor is charged to the first sample's voltage when a task starts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Block = NDArray[np.float64]


class HighPass:
    """Corners (Hz) of the columns of a task, 0 where the direct voltage passes; `rate` of its samples (S/s)."""

    def __init__(self, corners: Sequence[float], rate: float) -> None:
        self._groups: list[tuple[list[int], float, Block, Block]] = []  # columns, tan(w T / 2), last (1, columns) in and out
        for corner in sorted({c for c in corners if c > 0.0}):
            columns = [i for i, c in enumerate(corners) if c == corner]
            warped = math.tan(math.pi * min(corner, 0.49 * rate) / rate)
            self._groups.append((columns, warped, np.empty((0, 0)), np.empty((0, 0))))

    def __bool__(self) -> bool:
        return bool(self._groups)

    def apply(self, volts: Block) -> None:
        """Filter (k, columns) V in place, going on from the samples before."""
        if not len(volts) or not self._groups:
            return
        from scipy.linalg.lapack import dtbtrs  # takes as long to load as all the rest of the simulated devices

        for place, (columns, warped, last_in, last_out) in enumerate(self._groups):
            block = volts[:, columns]
            if not last_in.size:
                last_in, last_out = block[:1], np.zeros((1, len(columns)))
            # y[n] - p y[n-1] = g (x[n] - x[n-1]): a system of two bands, forward from the last y, which is its first row.
            gain, pole = 1.0 / (1.0 + warped), (1.0 - warped) / (1.0 + warped)
            bands = np.empty((2, len(block) + 1), order="F")
            bands[0], bands[1] = 1.0, -pole
            rows = np.vstack((last_out, gain * np.diff(block, axis=0, prepend=last_in)))
            out = dtbtrs(bands, rows, uplo="L", diag="U")[0][1:]
            volts[:, columns] = out
            self._groups[place] = (columns, warped, block[-1:].copy(), out[-1:].copy())
