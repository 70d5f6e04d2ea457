"""A run being recorded: every block goes to the journal first, then to the HDF5 file, which is flushed ten times a second."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.host import clock
from rig.recorder.description import NOT_PUBLISHED, Description, Event, Gap, StreamShape
from rig.recorder.folders import JOURNAL, RECORD
from rig.recorder.journal import JournalWriter
from rig.recorder.record import Record
from rig.recorder.sync import Sync

FLUSH_WITHIN = 0.1  # s that a sample waits at most until it is in the HDF5 file
FAR = 2**62
RESTATE_EVERY = 10.0  # s between two repetitions of what the journal's samples mean


class Recording:
    """Journal and record of one run in its folder, each in one file."""

    def __init__(self, folder: Path, description: Description) -> None:
        self._journal = JournalWriter(folder / JOURNAL, description)
        self._record = Record(folder / RECORD, description)
        self._restated = clock.now()
        self._sync = Sync([folder / JOURNAL, folder / RECORD])

    @property
    def size(self) -> int:
        """Bytes of samples and texts recorded so far."""
        return self._journal.size

    @property
    def flush_age(self) -> float:
        """Seconds since something was last flushed to the HDF5 file."""
        return clock.now() - self._record.flushed_at

    def stream(self, shape: StreamShape) -> None:
        """Declare a stream; samples before its first one, if any, are entered as not published."""
        self._journal.stream(shape)
        self._record.stream(shape)
        if shape.first_sample > 0:
            self.gap(Gap(shape.name, 0, shape.first_sample, NOT_PUBLISHED))

    def append(self, stream: str, first: int, block: NDArray[np.float64]) -> None:
        """Samples first .. of a stream, block (k, channels); once this returns a kill cannot take them away."""
        self._journal.samples(stream, first, block)
        self._record.append(stream, first, block)

    def gap(self, gap: Gap) -> None:
        self._journal.gap(gap)
        self._record.gap(gap)

    def cycles(self, stream: str, rows: NDArray[np.void]) -> None:
        """Rows of the table of cycles of a stream that are complete."""
        self._journal.cycles(stream, rows)
        self._record.cycles(stream, rows)

    def within(self, stream: str, first: int) -> int:
        """As of a record in parts: there is one file for all of them."""
        return FAR

    def event(self, event: Event) -> None:
        self._journal.event(event)
        self._record.event(event)

    def keep(self) -> None:
        """Flush and repeat where it is due; called every few milliseconds. Raises RigError when the disk gave up."""
        self._record.flush(FLUSH_WITHIN)
        if clock.now() - self._restated >= RESTATE_EVERY:
            self._journal.restate()
            self._restated = clock.now()
        self._sync.check()

    def close(self) -> None:
        """Complete both files. Raises RigError when they cannot be; the journal then still holds what it was given."""
        try:
            for gap in self._record.close():
                self._journal.gap(gap)
            self._journal.complete()
        finally:
            self._journal.close()
            self._sync.stop()
        self._sync.check()

    def abandon(self) -> None:
        """Let go of both files after a failed write. The record stays marked as incomplete; `rig recover` reads the journal."""
        self._record.abandon()
        self._journal.close()
        self._sync.stop()
