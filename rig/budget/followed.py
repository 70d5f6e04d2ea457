"""What moved a specimen, where all that is known of it was measured: the model's own input, with another error of the same kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.budget.specimens import Reading
from rig.comparison.series import Series
from rig.prediction.encoder_counts import Counts

Floats = NDArray[np.float64]


class Followed:
    """The recorded input (N,). count: of the encoder it came from, 0 for another channel; bandwidth (Hz): below it the model follows it."""

    def __init__(self, recorded: Series, count: float, bandwidth: float, rate: float) -> None:
        self._recorded: Floats = np.nan_to_num(recorded[0 : len(recorded)])
        self._rate = rate
        self._counts = Counts(recorded, count, bandwidth, rate) if count else None

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
        return reading.of(self._recorded) if self._counts is None else reading.zero + self._counts.elsewhere(offset)
