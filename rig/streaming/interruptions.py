"""Where a test did not go on: held, or broken off and resumed; by its events, so that a page, a picture and the window mark the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rig.streaming.states import HOLD, HOLDING, RESUMING, STARTING, STOPPED, TRIPPED

STATE, RESUMED = "state", "resumed"
"""Kinds of events."""
BROKEN_OFF = "broken off"
LAST_WORDS = {STOPPED: "stopped, resumed", TRIPPED: "tripped, resumed"}
HELD, GOES_ON = "held", (HOLDING, HOLD, RESUMING)


@dataclass(frozen=True)
class Stand:
    """s of the test from the word of a hold to that of its resume (None: it has not come), why, and the sample in which it stood."""

    begin: float
    end: float | None
    reason: str
    sample: int | None


@dataclass(frozen=True)
class Interruption:
    """s of the test, from the beginning to where it went on at full pace (None: it has not), and what it was, in words.

    reason: of a break, why the session before ended. samples: the same as begin and end. stands: of a hold; one that was held again on its
    way back has more than one. Two of them are the same by time and words.
    """

    begin: float
    end: float | None
    words: str
    reason: str = field(default="", compare=False)
    samples: tuple[int | None, int | None] = field(default=(None, None), compare=False)
    stands: tuple[Stand, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Told:
    """What of an event tells it; time in s of the test, and its sample; None where it belongs to none."""

    time: float | None
    kind: str
    text: str
    sample: int | None = None


class _Held:
    """A hold, while its events come."""

    def __init__(self, time: float, sample: int | None) -> None:
        self._time, self._sample, self._stands = time, sample, list[Stand]()

    def go_on(self, word: str, why: str, event: Told) -> None:
        """HOLDING, HOLD or RESUMING."""
        assert event.time is not None
        stands = self._stands and self._stands[-1].end is None
        if word == HOLDING and not stands:
            self._stands.append(Stand(event.time, None, why, event.sample))
        elif word == HOLD and stands:
            self._stands[-1] = replace(self._stands[-1], sample=event.sample)
        elif word == RESUMING and stands:
            self._stands[-1] = replace(self._stands[-1], end=event.time)

    def ended(self, event: Told | None) -> Interruption:
        """At an event; None: it has not."""
        end, sample = (None, None) if event is None else (event.time, event.sample)
        last = [replace(one, end=end) if one.end is None else one for one in self._stands]
        return Interruption(self._time, end, HELD, samples=(self._sample, sample), stands=tuple(last))


def interruptions(events: Iterable[Told]) -> Iterator[Interruption]:
    """Of the events of all sessions of a test, in order. What lies between two sessions has no length: samples count on behind it."""
    held: _Held | None = None
    resumed, state, reason = False, "", ""
    for event in events:
        if event.kind == RESUMED:
            resumed = True
        if event.kind != STATE or event.time is None:
            continue
        word, _, why = (part.strip() for part in event.text.partition(":"))
        if word not in GOES_ON and held is not None:
            yield held.ended(event)
            held = None
        if word == STARTING and resumed:
            words, why_before = LAST_WORDS.get(state, f"{BROKEN_OFF}, resumed"), reason if state in LAST_WORDS else ""
            yield Interruption(event.time, event.time, words, why_before, (event.sample, event.sample))
            resumed = False
        if word == HOLDING and held is None:
            held = _Held(event.time, event.sample)
        if held is not None:
            held.go_on(word, why, event)
        state, reason = word, why or (reason if word in LAST_WORDS else "")
    if held is not None:
        yield held.ended(None)


def time_held(events: Iterable[Told], until: float) -> float:
    """s that a test was held, coming to its stand and going on again included. until: s at which the record ends."""
    return sum((until if one.end is None else one.end) - one.begin for one in interruptions(events) if one.words == HELD)


def held_samples(events: Iterable[Told]) -> list[tuple[int, int | None]]:
    """(first, behind the last) sample of each time in which the command was not at its full pace; None: to the end."""
    found = (one.samples for one in interruptions(events) if one.words == HELD)
    return [(first, behind) for first, behind in found if first is not None]


def in_order_of_time(times: Sequence[float | None]) -> list[int]:
    """Places of events in the order of their times (s); one without a time stays behind the one that it came behind."""
    latest, known = float("-inf"), []
    for time in times:
        latest = latest if time is None else time
        known.append(latest)
    return sorted(range(len(times)), key=known.__getitem__)
