"""Where a test of many cycles did not go on: each hold with what held it, each break; and in which cycle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rig.recorder.description import Event
from rig.report.endurance.cycle_tables import Flags, Rows, Whole
from rig.streaming.interruptions import BROKEN_OFF, LAST_WORDS, RESUMED, STATE
from rig.streaming.states import HOLD, HOLDING, RUNNING, STARTING, STOPPED, TRIPPED

HELD = "held"


@dataclass(frozen=True)
class Stop:
    """s of the test from begin to end (None: it has not gone on), what it was, and why; of a break both are the same."""

    begin: float
    end: float | None
    words: str
    reason: str
    sample: int
    cycle: int | None = None


def stops(events: Sequence[Event]) -> list[Stop]:
    """Of the events of all sessions, in order. A hold that was tried to be left, and held again, is two."""
    return list(_stops(events))


def _stops(events: Sequence[Event]) -> Iterator[Stop]:
    held: Stop | None = None
    before, resumed = ("", ""), ""
    for event in events:
        if event.kind == RESUMED:
            resumed = event.text or RESUMED
        if event.kind != STATE or event.time is None or event.sample is None:
            continue
        word, _, why = event.text.partition(":")
        if held is not None and word not in (HOLDING, HOLD):
            yield replace(held, end=event.time)
            held = None
        if word == HOLDING and held is None:
            held = Stop(event.time, None, HELD, why.strip(), event.sample)
        elif word == HOLD and held is not None:
            held = replace(held, sample=event.sample)  # the cycle in which it stands
        if word == STARTING and resumed:
            words = LAST_WORDS.get(before[0], f"{BROKEN_OFF}, resumed")
            yield Stop(event.time, event.time, words, before[1] if before[0] in LAST_WORDS else "", event.sample)
            resumed = ""
        before = (word, why.strip() or (before[1] if word in LAST_WORDS else ""))
    if held is not None:
        yield held


def held_samples(events: Sequence[Event]) -> list[tuple[int, int | None]]:
    """(first, behind the last) sample of each time in which the command was not at its full pace; None: to the end."""
    found: list[tuple[int, int | None]] = []
    first: int | None = None
    for event in events:
        word = event.text.partition(":")[0]
        if event.kind != STATE or event.sample is None:
            continue
        if word == HOLDING and first is None:
            first = event.sample
        elif first is not None and word in (RUNNING, STOPPED, TRIPPED, STARTING):
            found.append((first, event.sample))
            first = None
    return found if first is None else [*found, (first, None)]


def undisturbed(rows: Rows, held: Sequence[tuple[int, int | None]]) -> Flags:
    """Which cycles (k,) are whole, and none in which the test was held: its peaks are those of the way to a stand and back."""
    fine = rows.whole.copy()
    for first, behind in held:
        fine &= (rows.first_sample + rows.count <= first) | (False if behind is None else rows.first_sample >= behind)
    return fine


class CyclesOf:
    """In which cycle each of those samples lies, while the table of the cycles passes by."""

    def __init__(self, found: Sequence[Stop]) -> None:
        self._stops = list(found)

    def add(self, cycle: Whole, first_sample: Whole) -> None:
        """The next rows."""
        for i, stop in enumerate(self._stops):
            row = int(np.searchsorted(first_sample, stop.sample, side="right")) - 1
            if row >= 0:
                self._stops[i] = replace(stop, cycle=int(cycle[row]))

    @property
    def stops(self) -> list[Stop]:
        """With their cycles."""
        return self._stops
