"""A source behind the low-pass of the comparison: the curves that are judged, in place of those that came."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from rig.comparison.filtering import SETTLING, lowpass
from rig.display.levels import Level
from rig.display.sources import reduction
from rig.display.sources.source import DIFFERENCE, Axis, Floats, Source, Trace
from rig.display.sources.view_model import PREDICTED

FILTERED = ("measured", PREDICTED, DIFFERENCE)
LONGEST = 2**18  # samples; of more the picture shows no difference, and a frame would take long


class Judged:
    """See `Source`; `channel` is filtered at `corner` (Hz), all others come as they are."""

    def __init__(self, source: Source, corner: float, channel: str) -> None:
        self._source, self._corner, self.channel = source, corner, channel

    @property
    def rate(self) -> float:
        return self._source.rate

    @property
    def progress(self) -> float:
        return self._source.progress

    def watch(self, traces: Sequence[Trace]) -> None:
        self._source.watch(traces)

    def poll(self) -> None:
        self._source.poll()

    def end(self, trace: Trace) -> int | None:
        return self._source.end(trace)

    def unbroken(self, trace: Trace) -> int:
        return self._source.unbroken(trace)

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        if not self._filters(trace, first, last):
            return self._source.samples(trace, first, last)
        before = math.ceil(SETTLING / self._corner * self.rate)
        begin, values = self._source.samples(trace, first - before, last)
        if not len(values):
            return begin, values
        missing = ~np.isfinite(values)
        below = values.astype(np.float64) if missing.all() else lowpass(values.astype(np.float64), self.rate, self._corner)
        shown = np.where(missing, np.nan, below)
        cut = max(0, first - begin)
        return begin + cut, shown[cut:]

    def bounds(self, trace: Trace, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        if not self._filters(trace, first, last):
            return self._source.bounds(trace, first, last, step)
        begin, values = self.samples(trace, max(0, first) // step * step, last)
        late = -begin % step  # bins begin at whole numbers of steps, so that they stand still while time goes on
        return (begin + late, step, *reduction.bounds(values[late:], step))

    def levels(self, last: int, count: int) -> tuple[tuple[str, ...], Floats]:
        return self._source.levels(last, count)

    def rows(self, stream: str, first: float, last: float) -> tuple[tuple[str, ...], Floats]:
        return self._source.rows(stream, first, last)

    def axes(self, now: int) -> tuple[Axis, ...]:
        return self._source.axes(now)

    def instruments(self, now: int) -> Mapping[str, Level]:
        return self._source.instruments(now)

    def _filters(self, trace: Trace, first: int, last: int) -> bool:
        return trace.stream in FILTERED and trace.channel == self.channel and last - first <= LONGEST
