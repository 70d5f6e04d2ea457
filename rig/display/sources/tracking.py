"""Leads the samples of one channel past the gathering of errors by cycle: as they come, or through a record in pieces."""

from __future__ import annotations

from rig.comparison.filtering import Onward
from rig.comparison.whole_cycles import LeftOut
from rig.display.sources.cycles import CycleErrors
from rig.display.sources.source import Source, Trace
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
        self._filters = Onward(rate, lowpass), Onward(rate, lowpass)
        self._traces = [CYCLE, Trace("measured", channel), Trace(PREDICTED, channel)]
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
        ends = [source.end(trace) for trace in self._traces]
        last = min((end for end in ends if end is not None), default=0)
        stop = min(self._next + PIECE, last if self._until is None else self._until)
        if None in ends or stop <= self._next:
            return False
        found = [source.samples(trace, self._next, stop) for trace in self._traces]
        first = max(begin for begin, _ in found)
        if first > self._next:
            self._jump()
        cycle, *pair = (values[first - begin :] for begin, values in found)
        measured, predicted = (one.take(values) for one, values in zip(self._filters, pair, strict=True))
        self.errors.append(self._left_out.out_of(cycle, first), measured, predicted, first)
        self._next = stop
        return True

    def turn_back(self, last: int) -> bool:
        """At the end of a record: look through what comes before the beginning; False when that has been done."""
        if self._until is not None or self._began == 0:
            return False
        self._until = min(last, self._began + self._overlap)
        self._next = 0
        self._jump()
        return True

    def _jump(self) -> None:
        self.errors.jump()
        for one in self._filters:
            one.jump()
