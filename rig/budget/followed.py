"""What moved a specimen, where all that is known of it was measured: the model's own input, with another error of the same kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.budget.specimens import Reading
from rig.comparison.series import Series
from rig.signals.smoothing import Smoothing

Floats = NDArray[np.float64]


class Followed:
    """The recorded input (N,). count: of the encoder it came from, 0 for another channel; bandwidth (Hz): below it the model follows it."""

    def __init__(self, recorded: Series, count: float, bandwidth: float, rate: float) -> None:
        self._recorded: Floats = np.nan_to_num(recorded[0 : len(recorded)])
        self._count = abs(count)
        self._rate, smoothing = rate, Smoothing(bandwidth, rate)
        ends = np.full(smoothing.lookahead, self._recorded[-1] if len(recorded) else 0.0)
        self._smooth = smoothing.take(np.concatenate((self._recorded, ends))) if self._count else self._recorded

    def by(self, reading: Reading | None, offset: float, late: float = 0.0) -> Floats:
        """(N,), `late` s later: of a channel, read as `reading` says; of an encoder, mounted off and its counts elsewhere by `offset`
        (share of one); without a reading, of a command."""
        return self._later(self._read(reading, offset), late * self._rate)

    def _later(self, moved: Floats, samples: float) -> Floats:
        places = np.arange(len(moved), dtype=np.float64)
        later: Floats = np.interp(places - samples, places, moved) if samples else moved
        return later

    def _read(self, reading: Reading | None, offset: float) -> Floats:
        if reading is None:
            return self._recorded
        if not self._count:
            return reading.of(self._recorded)
        off = self._smooth + offset * self._count
        within = off - self._count * np.floor(off / self._count)  # what this encoder would not show of the same motion
        return np.asarray(self._recorded + reading.zero + 0.5 * self._count - within)
