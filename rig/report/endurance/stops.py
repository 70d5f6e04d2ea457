"""Where a test of many cycles did not go on: each hold with what held it, each break; what was changed while it ran; in which cycle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rig.recorder.description import Event
from rig.report.endurance.cycle_tables import Flags, Rows, Whole
from rig.streaming.interruptions import HELD, STATE, Told, interruptions
from rig.streaming.new_baselines import LEARNED_BY
from rig.streaming.states import RESUMING

OPERATION, SET, NEW_BASELINE = "operation", "set", "new baseline"


@dataclass(frozen=True)
class Stop:
    """s of the test from begin to end (None: it has not gone on), what it was, and why; of a break, or an act, both are the same."""

    begin: float
    end: float | None
    words: str
    reason: str
    sample: int
    cycle: int | None = None

    @property
    def why(self) -> str:
        """The reason as it follows the words: `held 7 s by anna: ...`, but `held 7 s: stroke exceeds ...`; `set trajectory ...`."""
        if self.words == SET:
            return f" {self.reason}"
        said = self.reason.removeprefix("hold ")
        return f" {said}" if self.words == HELD and said.startswith("by ") else f": {self.reason}" if self.reason else ""


def stops(events: Sequence[Event]) -> list[Stop]:
    """Of the events of all sessions, in order. A hold that was tried to be left, and held again, is two."""
    return list(_stops(events))


def _stops(events: Sequence[Event]) -> Iterator[Stop]:
    for one in interruptions(map(told, events)):
        for stand in one.stands:
            if stand.sample is not None:
                yield Stop(stand.begin, stand.end, HELD, stand.reason, stand.sample)
        if one.words != HELD and one.samples[0] is not None:
            yield Stop(one.begin, one.end, one.words, one.reason, one.samples[0])


def acts(events: Sequence[Event]) -> list[Stop]:
    """What somebody changed while the test went on, or on its way back from a hold: the trajectory, the baseline of a limit."""
    return [found for event in events if (found := _act(event)) is not None]


def _act(event: Event) -> Stop | None:
    if event.time is None or event.sample is None:
        return None
    word, _, said = event.text.partition(":")
    if event.kind == OPERATION and event.text.startswith(f"{SET} "):
        return Stop(event.time, event.time, SET, event.text.removeprefix(f"{SET} "), event.sample)
    if event.kind == STATE and word == RESUMING and LEARNED_BY in said:
        return Stop(event.time, event.time, NEW_BASELINE, said.strip(), event.sample)
    return None


def told(event: Event) -> Told:
    """What of an event tells where the test stood."""
    return Told(event.time, event.kind, event.text, event.sample)


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
