"""Smallest and largest value of every channel along the test, in bounded memory: where it grows too long two neighbours become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MOST = 600
"""Points of a channel; an even number."""
Span = tuple[float, float]


@dataclass
class _Course:
    times: list[float] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)


@dataclass(frozen=True)
class Points:
    """Of one channel: s of the test, smallest and largest of what lies between each and the one before."""

    times: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class Trend:
    """Of all channels of a test."""

    def __init__(self) -> None:
        self._of: dict[str, _Course] = {}

    def add(self, time_s: float, spans: Mapping[str, Span]) -> None:
        """What each channel went through up to `time_s`; what does not go on in time is left out."""
        for name, span in spans.items():
            course = self._of.setdefault(name, _Course())
            if course.times and time_s <= course.times[-1]:
                continue
            course.times.append(time_s)
            course.spans.append(span)
            if len(course.times) > MOST:
                _halve(course)

    def points(self, name: str) -> Points:
        """Of a channel; without any where it is not known."""
        course = self._of.get(name, _Course())
        low, high = zip(*course.spans, strict=True) if course.spans else ((), ())
        return Points((*course.times,), tuple(low), tuple(high))


def _halve(course: _Course) -> None:
    pairs = range(0, len(course.times) - 1, 2)
    rest = slice(len(pairs) * 2, None)
    course.spans = [*(joined(course.spans[i : i + 2]) for i in pairs), *course.spans[rest]]
    course.times = [*(course.times[i + 1] for i in pairs), *course.times[rest]]


def joined(spans: Sequence[Span]) -> Span:
    """What all of them cover."""
    return min(low for low, _ in spans), max(high for _, high in spans)
