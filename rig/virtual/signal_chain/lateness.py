"""A conditioner that is late, by a fixed time or by a clock of its own that goes too slowly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PPM = 1e-6


class Lateness:
    """Shows at t what was there at t - delay - skew t, by a straight line between samples."""

    def __init__(self, delay: float, skew_ppm: float) -> None:
        self._delay, self._skew = delay, skew_ppm * PPM
        self._times, self._values = np.zeros(1), np.zeros(1)
        self._begun = False

    def shown(self, times: Floats) -> Floats:
        """Instants (m,), s, that are shown at `times`."""
        return times - self._delay - self._skew * times

    def pass_on(self, times: Floats, values: Floats) -> Floats:
        """What is shown of values (m,) at times (m,), s, that come after those of the call before."""
        if not len(times):
            return values
        if not self._begun:  # what was there before the first sample is as the first one
            self._begun, self._values = True, np.array([values[0]])
        self._times, self._values = np.concatenate([self._times, times]), np.concatenate([self._values, values])
        asked = self.shown(times)
        out = np.interp(asked, self._times, self._values)
        needed = max(int(np.searchsorted(self._times, asked[-1], side="right")) - 1, 0)
        self._times, self._values = self._times[needed:], self._values[needed:]
        return out
