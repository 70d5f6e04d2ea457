"""Errors by cycle while samples come in are those of the record, to the last bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from rig.comparison import Settings
from rig.comparison.channels import agreement
from rig.display.levels import Level
from rig.display.sources.source import Axis, Floats, Trace
from rig.display.sources.tracking import CycleTracker
from tests.tiers import quick

RATE, LENGTH, CYCLES = 2000.0, 500, 12


@dataclass
class Growing:
    """A source whose streams come in unlike pieces, predicted behind measured."""

    columns: Mapping[str, np.ndarray]
    heads: dict[str, int]
    missed: int = 0
    rate: float = RATE
    progress: float = 1.0

    def watch(self, traces: Sequence[Trace]) -> None: ...
    def poll(self) -> None: ...

    def end(self, trace: Trace) -> int | None:
        return self.heads[trace.stream] or None

    def unbroken(self, trace: Trace) -> int:
        return self.missed

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        return first, self.columns[trace.stream][first : min(last, self.heads[trace.stream])]

    def bounds(self, trace: Trace, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        raise NotImplementedError

    def levels(self, last: int, count: int) -> tuple[tuple[str, ...], Floats]:
        raise NotImplementedError

    def axes(self, now: int) -> tuple[Axis, ...]:
        return ()

    def instruments(self, now: int) -> Mapping[str, Level]:
        return {}


def streams(seed: int, missing: bool) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    cycle = np.concatenate([np.full(300, -1.0), np.arange(CYCLES * LENGTH) / LENGTH, np.full(300, -1.0)])
    predicted = 10.0 * np.sin(2.0 * np.pi * np.arange(len(cycle)) / LENGTH) + random.normal(size=len(cycle))
    measured = 1.03 * predicted + random.normal(size=len(cycle))
    if missing:
        for side in (measured, predicted):
            for at in random.integers(0, len(cycle), 3):
                side[at : at + int(random.integers(1, 40))] = np.nan
    return {"command": cycle, "measured": measured, "predicted_as_measured": predicted}


@pytest.mark.parametrize("missing", [False, True], ids=["whole", "samples missing"])
@pytest.mark.parametrize("lowpass", [None, 200.0])
@pytest.mark.parametrize("seed", quick(range(5), 1))
def test_live_errors_are_those_of_the_record_to_the_bit(seed: int, lowpass: float | None, missing: bool) -> None:
    columns, random = streams(seed, missing), np.random.default_rng(seed + 100)
    source = Growing(columns, dict.fromkeys(columns, 0))
    tracker = CycleTracker("force", 0, RATE, lowpass)
    while min(source.heads.values()) < len(columns["command"]):
        for stream, column in columns.items():
            source.heads[stream] = min(len(column), source.heads[stream] + int(random.integers(0, 400)))
        while tracker.advance(source):
            pass
    measured, predicted = columns["measured"], columns["predicted_as_measured"]
    of_record = agreement(
        measured, predicted, rate=RATE, command=predicted, cycle=columns["command"], settings=Settings(lowpass, 0, delay=False)
    ).cycles
    assert tracker.errors.rows[:, 0].tolist() == [one.cycle for one in of_record]
    assert len(of_record) == CYCLES
    for row, one in zip(tracker.errors.rows, of_record, strict=True):
        assert one.rms_difference is not None
        assert (row[1], row[3]) == (one.rms_difference / one.peak_measured, one.error)


def test_a_cycle_of_which_the_window_missed_samples_has_no_figures() -> None:
    """The test goes faster than the window looks; what it shows of the cycles behind is to the bit what the record has."""
    columns = streams(3, False)
    source = Growing(columns, dict.fromkeys(columns, 1000))
    tracker = CycleTracker("force", 0, RATE, 200.0)
    while tracker.advance(source):
        pass
    source.heads, source.missed = {name: len(column) for name, column in columns.items()}, 2000  # in cycle 3, which begins at 1800
    while tracker.advance(source):
        pass
    measured, predicted = columns["measured"], columns["predicted_as_measured"]
    of_record = agreement(
        measured, predicted, rate=RATE, command=predicted, cycle=columns["command"], settings=Settings(200.0, 0, delay=False)
    ).cycles
    assert tracker.errors.rows[:, 0].tolist() == [0.0, *range(4, CYCLES)]
    told = {one.cycle: (one.rms_difference / one.peak_measured, one.error) for one in of_record if one.rms_difference is not None}
    assert all((row[1], row[3]) == told[int(row[0])] for row in tracker.errors.rows)


def test_a_gap_at_the_end_waits_for_what_comes_behind_it() -> None:
    columns = streams(1, False)
    columns["measured"][4000:4030] = np.nan
    source = Growing(columns, dict.fromkeys(columns, 4010))
    tracker = CycleTracker("force", 0, RATE, 200.0)
    while tracker.advance(source):
        pass
    assert tracker.reached == 4000
    source.heads = dict.fromkeys(columns, 4100)
    assert tracker.advance(source) and tracker.reached == 4100
