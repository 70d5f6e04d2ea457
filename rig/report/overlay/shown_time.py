"""The time axis of a test that stood, or of which much was not kept: what is long and shows nothing is shortened, and says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rig.report.reducing import Floats

LONG = {"held": 0.5}
SHORT = 0.05
"""Share of all that is seen from which a stretch is shortened: a hold, of which there are samples; anything else, which is empty."""
WIDTH, ALL = 0.03, 0.4
"""What a shortened one takes, as a share of what is seen, and what all of them take at most."""
EDGE = 0.02
"""Share of what is seen that stays at either end of a hold: how the command came to its stand."""
TICKS, APART = 10, 0.045
"""Figures at the axis, and the least share of it between two."""


@dataclass(frozen=True)
class Stretch:
    """s of the record in which nothing is to be seen: `not kept`, `held`."""

    begin: float
    end: float
    words: str


class ShownTime:
    """Where on the axis a time of the record (s) stands; both are the same where nothing is shortened."""

    def __init__(self, duration: float, nothing: Sequence[Stretch] = ()) -> None:
        """nothing: in any order; where they overlap, the first is told."""
        apart = list(_apart(nothing, duration))
        seen = duration - sum(one.end - one.begin for one in apart)
        kept = [_within(one, EDGE * seen if one.words == "held" else 0.0) for one in apart]
        self.breaks = [one for one in kept if one.end - one.begin > LONG.get(one.words, SHORT) * seen > 0.0]
        self.duration = duration
        rest = duration - sum(one.end - one.begin for one in self.breaks)
        self.width = min(WIDTH, ALL / max(len(self.breaks), 1)) * rest
        times, places = [0.0], [0.0]
        for one in self.breaks:
            places += [places[-1] + one.begin - times[-1], places[-1] + one.begin - times[-1] + self.width]
            times += [one.begin, one.end]
        self._times, self._places = np.array([*times, duration]), np.array([*places, places[-1] + duration - times[-1]])

    def __call__(self, time: float) -> float:
        """Of one moment."""
        return float(self.places(np.array([time]))[0])

    def places(self, times: Floats) -> Floats:
        """Of many (k,)."""
        if not self.breaks:
            return times
        inside = np.interp(times, self._times, self._places)
        return np.asarray(np.where(times > self._times[-1], self._places[-1] + times - self._times[-1], inside))

    @property
    def end(self) -> float:
        """Of the axis."""
        return float(self._places[-1])

    @property
    def stretches(self) -> list[tuple[float, float]]:
        """(begin, end), s, of what is seen between the breaks."""
        edges = [0.0, *(t for one in self.breaks for t in (one.begin, one.end)), self.duration]
        return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]

    def ticks(self) -> list[float]:
        """Times (s) to be written at the axis, none within a break, none over another."""
        from matplotlib.ticker import MaxNLocator  # whoever reads the page's content draws nothing

        found: list[float] = []
        for begin, end in self.stretches:
            share = (end - begin) / max(self.end, 1e-300)
            for time in MaxNLocator(nbins=max(1, round(TICKS * share)), steps=[1, 2, 2.5, 5, 10]).tick_values(begin, end):
                near = found and self(time) - self(found[-1]) < APART * self.end
                if begin <= time <= end and not near:
                    found.append(float(time))
        return found


def _within(one: Stretch, edge: float) -> Stretch:
    return Stretch(one.begin + edge, max(one.begin + edge, one.end - edge), one.words)


def _apart(nothing: Sequence[Stretch], duration: float) -> Iterator[Stretch]:
    """In order, joined where they touch or overlap; parts of a hold of which nothing was kept are parts of it."""
    joined: Stretch | None = None
    for one in sorted(nothing, key=lambda one: (one.begin, -one.end)):
        one = Stretch(max(one.begin, 0.0), min(one.end, duration), one.words)
        if one.end <= one.begin:
            continue
        if joined is None or one.begin > joined.end:
            if joined is not None:
                yield joined
            joined = one
        else:
            words = joined.words if joined.words == one.words or one.end <= joined.end else "held, not kept"
            joined = Stretch(joined.begin, max(joined.end, one.end), words)
    if joined is not None:
        yield joined


def columns_of(shown: ShownTime, columns: int) -> Iterator[tuple[float, float, int]]:
    """(begin, end, columns) of each stretch that is seen, s."""
    total = sum(end - begin for begin, end in shown.stretches) or 1.0
    yield from ((begin, end, max(2, round(columns * (end - begin) / total))) for begin, end in shown.stretches)
