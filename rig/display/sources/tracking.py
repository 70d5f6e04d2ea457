"""Leads the samples of one channel past the gathering of errors by cycle: as they come, or through a record in pieces.

They are prepared as the comparison prepares those of a record (`rig.comparison.preparation`), piece by piece, so that an error shown while
the test runs is the one in the table at its end.
"""

from __future__ import annotations

import math

import numpy as np

from rig.comparison.filtering import FORGOTTEN, passable
from rig.comparison.preparation import Prepared, Settings, prepare
from rig.comparison.series import Once
from rig.comparison.whole_cycles import LeftOut
from rig.display.sources.cycles import CycleErrors
from rig.display.sources.source import Floats, Source, Trace, TraceSeries
from rig.display.sources.view_model import PREDICTED

PIECE = 2**17  # samples at a time
BACK = 30.0  # s before the moment shown at which a record is begun to be looked through
OVERLAP = 10.0  # s by which the look from the beginning goes on into what has been seen, for the cycle on the seam
CYCLE = Trace("command", "cycle")


class CycleTracker:
    """One channel; `here` is the sample at which the person looks, `lowpass` (Hz) what the comparison looks behind, `left_out`
    what it does not look at."""

    def __init__(self, channel: str, here: int, rate: float, lowpass: float | None = None, left_out: LeftOut | None = None) -> None:
        self.errors = CycleErrors()
        self._left_out = left_out or LeftOut()
        self._rate, self._settings = rate, Settings(lowpass)
        below = passable(lowpass, rate)
        self._memory = 0 if below is None else math.ceil(FORGOTTEN / below * rate)
        self._pair = Trace("measured", channel), Trace(PREDICTED, channel)
        self._prepared: tuple[Source, Prepared] | None = None
        self._next = self._began = max(0, round(here - BACK * rate))
        self._until: int | None = None  # set while the part before `_began` is looked through
        self._overlap = round(OVERLAP * rate)

    @property
    def reached(self) -> int:
        """n behind the last sample that was taken in."""
        return self._next

    def advance(self, source: Source) -> bool:
        """Take the next piece; False when there is nothing more for now.

        What it finds may be of later than `here`: `errors.known` has what is known at a moment.
        """
        ends = [source.end(trace) for trace in (CYCLE, *self._pair)]
        last = min((end for end in ends if end is not None), default=0)
        stop = min(self._next + PIECE, last if self._until is None else self._until)
        if None in ends or stop <= self._next:
            return False
        if (missed := max(source.unbroken(trace) for trace in (CYCLE, *self._pair))) > self._next:
            self._skip(missed)
        if self._next >= stop:
            return False
        first, cycle = source.samples(CYCLE, self._next, stop)
        if first > self._next:  # gone already
            self._skip(first)
            return True
        part = slice(first, self._before_a_gap(source, first, stop))
        if part.stop <= first:
            return False
        signals = self._signals(source)
        known = signals.known[part]
        measured, predicted = (np.where(known, one[part], np.nan) for one in (signals.measured, signals.predicted))
        self.errors.append(self._left_out.out_of(cycle[: part.stop - first], first), measured, predicted, first)
        self._next = part.stop
        return True

    def turn_back(self, last: int) -> bool:
        """At the end of a record: look through what comes before the beginning; False when that has been done."""
        if self._until is not None or self._began == 0:
            return False
        self._until = min(last, self._began + self._overlap)
        self._next = 0
        self.errors.jump()
        return True

    def _skip(self, n: int) -> None:
        """Samples before n were missed. The filter has to forget them, too, until what it gives is what the record has."""
        self.errors.jump()
        self._next = n + self._memory

    def _signals(self, source: Source) -> Prepared:
        """Of the source that was asked last: a window has one, but it may be another one when it is opened again."""
        if self._prepared is None or self._prepared[0] is not source:
            measured, predicted = (Once(TraceSeries(source, trace)) for trace in self._pair)  # filter and marks look at the same
            self._prepared = source, prepare(measured, predicted, self._rate, self._settings)
        return self._prepared[1]

    def _before_a_gap(self, source: Source, first: int, stop: int) -> int:
        """Where samples begin to be missing up to `stop`: what they are bridged by is known with the next one. A gap as long as a piece is
        not waited for."""
        if stop - first >= PIECE:
            return stop
        return min(first + _known(source.samples(trace, first, stop)[1]) for trace in self._pair)


def _known(x: Floats) -> int:
    """How many there are up to the last one that is there."""
    there = np.flatnonzero(np.isfinite(x))
    return int(there[-1]) + 1 if len(there) else 0
