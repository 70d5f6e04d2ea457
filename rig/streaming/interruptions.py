"""Where a test did not go on: held, or broken off and resumed; by its events, so that a page, a picture and the window mark the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rig.streaming.states import HOLD, HOLDING, RESUMING, STARTING, STOPPED, TRIPPED

STATE, RESUMED = "state", "resumed"
"""Kinds of events."""
BROKEN_OFF = "broken off"
LAST_WORDS = {STOPPED: "stopped, resumed", TRIPPED: "tripped, resumed"}
HELD, GOES_ON = "held", (HOLDING, HOLD, RESUMING)


@dataclass(frozen=True)
class Interruption:
    """s of the test, from the beginning to where it went on (None: it has not), and what it was, in words."""

    begin: float
    end: float | None
    words: str


@dataclass(frozen=True)
class Told:
    """What of an event tells it; time in s of the test, None where it belongs to no sample."""

    time: float | None
    kind: str
    text: str


def interruptions(events: Iterable[Told]) -> Iterator[Interruption]:
    """Of the events of all sessions of a test, in order. What lies between two sessions has no length: samples count on behind it."""
    state, held_from, resumed = "", None, False
    for event in events:
        if event.kind == RESUMED:
            resumed = True
        if event.kind != STATE or event.time is None:
            continue
        word = event.text.partition(":")[0]
        if word == STARTING and resumed:
            if held_from is not None:
                yield Interruption(held_from, event.time, HELD)
                held_from = None
            yield Interruption(event.time, event.time, LAST_WORDS.get(state, f"{BROKEN_OFF}, resumed"))
            resumed = False
        elif word == HOLDING and held_from is None:
            held_from = event.time
        elif word not in GOES_ON and held_from is not None:
            yield Interruption(held_from, event.time, HELD)
            held_from = None
        state = word
    if held_from is not None:
        yield Interruption(held_from, None, HELD)


def time_held(events: Iterable[Told], until: float) -> float:
    """s that a test was held, coming to its stand and going on again included. until: s at which the record ends."""
    return sum((until if one.end is None else one.end) - one.begin for one in interruptions(events) if one.words == HELD)


def in_order_of_time(times: Sequence[float | None]) -> list[int]:
    """Places of events in the order of their times (s); one without a time stays behind the one that it came behind."""
    latest, known = float("-inf"), []
    for time in times:
        latest = latest if time is None else time
        known.append(latest)
    return sorted(range(len(times)), key=known.__getitem__)
