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

GROWTH = 1e3
"""How far weights may come apart that are summed together: what is lost of the last digits is a millionth of a 24-bit code."""
AT_ONCE = 4096  # samples


class HighPass:
    """Corners (Hz) of the columns of a task, 0 where the direct voltage passes; `rate` of its samples (S/s)."""

    def __init__(self, corners: Sequence[float], rate: float) -> None:
        self._poles = [
            _Pole([i for i, c in enumerate(corners) if c == corner], corner, rate) for corner in sorted({*corners}) if corner > 0.0
        ]

    def __bool__(self) -> bool:
        return bool(self._poles)

    def apply(self, volts: Block) -> None:
        """Filter (k, columns) V in place, going on from the samples before."""
        if len(volts):
            for pole in self._poles:
                pole.apply(volts)


class _Pole:
    """y[n] - p y[n-1] = g (x[n] - x[n-1]) for the columns of one corner (Hz)."""

    def __init__(self, columns: list[int], corner: float, rate: float) -> None:
        warped = math.tan(math.pi * min(corner, 0.49 * rate) / rate)
        pole = (1.0 - warped) / (1.0 + warped)
        most = math.log(GROWTH) / max(-math.log(abs(pole)), 1e-9) if pole else 1.0
        self._columns, self._gain, self._pole = columns, 1.0 / (1.0 + warped), pole
        self._powers = (pole ** np.arange(max(1, min(int(most), AT_ONCE))))[:, None]
        self._last_in: Block | None = None
        self._last_out = np.zeros((1, len(columns)))

    def apply(self, volts: Block) -> None:
        """The same. Samples are worked out together as y[n] = p^n (p y[-1] + sum of g dx[m] / p^m), as many as p^n allows."""
        block = volts[:, self._columns]
        out = self._gain * np.diff(block, axis=0, prepend=block[:1] if self._last_in is None else self._last_in)
        for first in range(0, len(out), len(self._powers)):
            part = out[first : first + len(self._powers)]
            powers = self._powers[: len(part)]
            part /= powers
            np.cumsum(part, axis=0, out=part)
            part += self._pole * self._last_out
            part *= powers
            self._last_out = part[-1:].copy()
        volts[:, self._columns] = out
        self._last_in = block[-1:].copy()
