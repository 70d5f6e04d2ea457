"""A run being recorded: every block goes to the journal first, then to the HDF5 file, which is flushed ten times a second."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.errors import RigError
from rig.host import clock
from rig.recorder.description import NOT_PUBLISHED, Description, Event, Gap, StreamShape
from rig.recorder.folders import JOURNAL, RECORD
from rig.recorder.journal import JournalWriter
from rig.recorder.record import Record

FLUSH_WITHIN = 0.1  # s that a sample waits at most until it is in the HDF5 file
SYNC_EVERY = 1.0  # s between two fsyncs
CONFIRMED_WITHIN = 45.0  # s for the last fsyncs: four of them, on a disk that takes ten seconds for one
RESTATE_EVERY = 10.0  # s between two repetitions of what the journal's samples mean


class Recording:
    """Journal and record of one run in its folder."""

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


class Sync:
    """Brings files to the disk each second from a thread of its own: an fsync can take longer than a block lasts."""

    def __init__(self, paths: list[Path]) -> None:
        self.error: OSError | None = None
        self._paths = paths
        self._files = [path.open("r+b", buffering=0) for path in paths]
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fsync", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Raise RigError where the disk gave up, or the files are gone."""
        if isinstance(self.error, FileNotFoundError):
            gone = self.error.filename or self._paths[0]
            raise RigError(f"recorder: {gone} is gone: it was removed or replaced while it was being written; nothing is recorded any more")
        if self.error is not None:
            raise RigError(f"recorder: the disk does not take the record: {self.error}")

    def stop(self) -> None:
        """Bring everything to the disk a last time and end. A disk that does not come to an end is not waited for for ever."""
        self._end.set()
        self._thread.join(CONFIRMED_WITHIN)
        if self._thread.is_alive():
            self.error = TimeoutError(f"it has not confirmed the end of {self._paths[0].parent} within {CONFIRMED_WITHIN:g} s")
            return
        for file in self._files:
            file.close()
        self._files = []

    def _run(self) -> None:
        while not self._end.wait(SYNC_EVERY):
            self._sync()
        self._sync()

    def _sync(self) -> None:
        try:
            for path, file in zip(self._paths, self._files, strict=True):
                os.fsync(file.fileno())
                if not os.path.samestat(os.fstat(file.fileno()), path.stat()):  # what is written goes on, into a file without a name
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
            # The journal is not read again: giving its pages back saves fresh ones (a third of this process's time, measured).
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(self._files[0].fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        except OSError as error:
            self.error = error
