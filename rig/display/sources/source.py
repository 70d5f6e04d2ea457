"""Where the panels get their arrays from: rings of a running test now, a record when one is looked at afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rig.display.levels import Level

Floats = NDArray[np.floating]

DIFFERENCE = "difference"  # stream that a source derives: predicted_as_measured less measured, sample by sample
MOST = 2**19  # samples of one trace that are handed out one by one, as they were recorded: 10 s at 51.2 kS/s, 4 MB (live 8)


class Trace(NamedTuple):
    """One channel of one stream."""

    stream: str
    channel: str


class Axis(NamedTuple):
    """What one axis of a motor rig was told and said last, rad and rad/s; NaN where its drive says nothing."""

    name: str
    setpoint: float
    position: float
    velocity: float


class TraceSeries:
    """A trace as a signal (N,) that grows, for what is computed piece by piece; NaN where the source has nothing."""

    def __init__(self, source: Source, trace: Trace) -> None:
        self._source, self._trace = source, trace

    def __len__(self) -> int:
        return self._source.end(self._trace) or 0

    def __getitem__(self, part: slice) -> NDArray[np.float64]:
        first, last, _ = part.indices(len(self))
        values = np.full(max(0, last - first), np.nan)
        for begin in range(first, last, MOST):
            at, found = self._source.samples(self._trace, begin, min(begin + MOST, last))
            values[at - first : at - first + len(found)] = found
        return values


class Source(Protocol):
    """Arrays by sample index n; what it cannot give (any more, or yet) is left out, gaps are NaN."""

    @property
    def rate(self) -> float:
        """Sampling rate, Hz; 0 while it is not known."""

    @property
    def progress(self) -> float:
        """How much has been looked through, 0 to 1; below 1 long spans may have holes."""

    def watch(self, traces: Sequence[Trace]) -> None:
        """From now on these traces are asked for, and no others."""

    def poll(self) -> None:
        """Take in what has come since the last call."""

    def end(self, trace: Trace) -> int | None:
        """n behind the newest sample; None while there is none."""

    def unbroken(self, trace: Trace) -> int:
        """n from which on it has every sample that there was: a window that fell behind a fast test has missed some."""

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        """(n of the first, values) of the newest MOST of first .. last - 1, SI; good until the next poll."""

    def bounds(self, trace: Trace, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        """(n of the first bin, step really used, smallest, largest) of bins of about `step` samples, SI."""

    def levels(self, last: int, count: int) -> tuple[tuple[str, ...], Floats]:
        """(names, (k, channels)): the last `count` samples before `last` of all measured channels, SI; k may be smaller."""

    def rows(self, stream: str, first: float, last: float) -> tuple[tuple[str, ...], Floats]:
        """(columns, (k, columns)) of a stream with rows of its own, those of samples first to last; no column where it is not there."""

    def axes(self, now: int) -> tuple[Axis, ...]:
        """The serial axes of a motor rig at sample `now`, or as near before it as they spoke; none for a loader."""

    def instruments(self, now: int) -> Mapping[str, Level]:
        """What the instruments beside the DAQ device read at sample `now`, or as near before it as they did, SI."""
