"""Whether the disk holds the rest of a test, by what it has taken so far: told long before it is full; at a bound the test is ended."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from rig.config.experiment import Experiment

SHORT = "disk_short"
"""Kind of the events."""
LEARNED = 5_000  # samples after the first look until what they took says anything
SPELLS = 30  # times what an event keeps, of a test that keeps snapshots
MARGIN = 1.1  # of what is needed, that must be free


def learned(experiment: Experiment) -> float:
    """Samples until what they took says anything: at its begin a test that keeps snapshots keeps nearly all."""
    record = experiment.record
    if record.samples == "all":
        return LEARNED
    return SPELLS * (record.snapshots.before + record.snapshots.after) * experiment.acquisition.rate


class Room(TypedDict):
    """Bytes: free on the disk of the run, and needed until the end of the test at the present rate."""

    free_bytes: int
    needed_bytes: int | None


@dataclass(frozen=True)
class Finding:
    """What is to be told, and whether the test is to end by that."""

    text: str
    ends: bool


class DiskForecast:
    """Asked now and then while a test runs."""

    def __init__(self, folder: Path, reserve: float, stopping: float = 0.0, learned: float = LEARNED) -> None:
        """folder: of the run; reserve: bytes that are to be left when a test that will not fit has been ended; stopping: samples that come
        while it ends; learned: samples after the first look until what they took says anything."""
        self._folder, self._reserve, self._stopping = folder, reserve, stopping
        self._bound, self._taken = reserve, 0
        self._learned = learned
        self._looks: deque[tuple[int, int]] = deque()  # sample, bytes in the folder: the newest half of the test so far
        self._first: int | None = None
        self._told = self._ended = False
        self.room: Room | None = None

    def look(self, sample: int, end: int) -> Finding | None:
        """At sample n of a test that goes to `end`; what is new to be told."""
        with contextlib.suppress(OSError):  # the folder is gone: the recorder tells that
            self.room = self._room(sample, end)
        return None if self.room is None else self._finding(self.room)

    def _room(self, sample: int, end: int) -> Room:
        free, taken = shutil.disk_usage(self._folder).free, size_of(self._folder)
        if sample > 0:
            self._first = sample if self._first is None else self._first
            self._looks.append((sample, taken))
        needed = None
        if self._first is not None and sample - self._first >= self._learned:
            each = self._each(sample, taken)
            needed = round(each * max(0, end - sample))
            # What comes until the next look, twice, as it may be late; what comes while the test ends.
            self._bound = self._reserve + each * self._stopping + 2 * max(0, taken - self._taken)
        self._taken = taken
        return {"free_bytes": free, "needed_bytes": needed}

    def _each(self, sample: int, taken: int) -> float:
        """Bytes a sample takes, by the newest half of the test so far: of one that keeps snapshots nearly all is kept at its begin."""
        assert self._first is not None
        middle = self._first + (sample - self._first) // 2
        while len(self._looks) > 2 and self._looks[1][0] <= middle:
            self._looks.popleft()
        first, before = self._looks[0]
        return (taken - before) / max(sample - first, 1)

    def _finding(self, room: Room) -> Finding | None:
        free, needed = room["free_bytes"], room["needed_bytes"]
        if needed is None or self._ended:
            return None
        if needed > free and free < self._bound:
            self._ended = True
            text = f"the disk of {self._folder} has {_size(free)} left, the rest of the test needs {_size(needed)}"
            return Finding(f"{text}; it is ended, so that {_size(self._reserve)} (record.reserve) are left and its record is whole", True)
        if needed * MARGIN > free and not self._told:
            self._told = True
            text = f"the disk of {self._folder} will not hold this test: {_size(needed)} to come, {_size(free)} free"
            return Finding(f"{text}; free some room, or it is ended at {_size(self._bound)}", False)
        if needed * MARGIN * MARGIN < free:
            self._told = False  # there is room again, and it would be told again if that went
        return None


def size_of(folder: Path) -> int:
    """Bytes of the files in a folder and those below. Raises OSError."""
    with os.scandir(folder) as found:
        return sum(size_of(Path(one.path)) if one.is_dir() else one.stat().st_size for one in found)


def _size(size: float) -> str:
    return f"{size / 1e9:.3g} GB" if size >= 1e9 else f"{size / 1e6:.3g} MB"
