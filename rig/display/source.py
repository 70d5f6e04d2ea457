"""Where the panels get their arrays from: rings of a running test now, a record when one is looked at afterwards."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]

DIFFERENCE = "difference"  # stream that a source derives: measured less predicted_as_measured, sample by sample


class Trace(NamedTuple):
    """One channel of one stream."""

    stream: str
    channel: str


class Source(Protocol):
    """Arrays by sample index n; what it cannot give (any more, or yet) is left out, gaps are NaN."""

    @property
    def rate(self) -> float:
        """Sampling rate, Hz; 0 while it is not known."""

    def poll(self) -> None:
        """Take in what has come since the last call."""

    def end(self, trace: Trace) -> int | None:
        """n behind the newest sample; None while there is none."""

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        """(n of the first, values) out of first .. last - 1, SI; good until the next poll."""

    def bounds(self, trace: Trace, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        """(n of the first bin, step really used, smallest, largest) of bins of about `step` samples, SI."""
