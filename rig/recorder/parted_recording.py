"""A run being recorded in parts: journal and record go on in new files together, what was closed is brought to the disk and sealed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.errors import RigError
from rig.host import clock
from rig.recorder.description import BROKEN_OFF, NOT_PUBLISHED, Description, Event, Gap, StreamShape
from rig.recorder.folders import RECORD
from rig.recorder.journal import JournalWriter
from rig.recorder.parted_record import ALL, FAR, PartedRecord
from rig.recorder.parts import Beginning, journal_file, part_file
from rig.recorder.recording import FLUSH_WITHIN, RESTATE_EVERY
from rig.recorder.rotation import Rotation
from rig.recorder.sealing import Sealer
from rig.recorder.sync import Sync
from rig.streaming.interruptions import STATE
from rig.streaming.states import HOLD
from rig.streaming.streams import APART, SECONDS

LEAST = 1.0  # s of samples in a part that is ended by a hold


class PartedRecording:
    """The same calls as of `Recording`."""

    def __init__(
        self,
        folder: Path,
        description: Description,
        rotation: Rotation,
        patience: float = SECONDS,
        beginning: Beginning = ALL,
        after: float = LEAST,
    ) -> None:
        """patience: s of samples that a part waits for a stream that is late. beginning: what it goes on behind. after: s behind the moment
        at which a held test stands, at which the next part begins, so that what was before can be looked at."""
        self._folder, self._description, self._rotation, self._beginning = folder, description, rotation, beginning
        self._after = after
        rotation.rotated(beginning.first)
        self._record = PartedRecord(folder, description, self._part_closed, patience, beginning)
        self._shapes: dict[str, StreamShape] = {}
        self._before = 0  # bytes of the journals that are closed
        self._journal = self._begin_journal(beginning.number, beginning.first)
        self._restated = clock.now()
        self._sync = Sync([folder / RECORD, folder / journal_file(beginning.number), folder / part_file(beginning.number)])
        self._sealer = Sealer(folder)

    @property
    def size(self) -> int:
        """Bytes of samples and texts recorded so far."""
        return self._before + self._journal.size

    @property
    def flush_age(self) -> float:
        """Seconds since something was last flushed to a part."""
        return clock.now() - self._record.flushed_at

    def stream(self, shape: StreamShape) -> None:
        """Declare a stream; samples before its first one, if any, are entered as not published."""
        self._shapes[shape.name] = shape
        self._journal.stream(shape)
        self._record.stream(shape)
        first = self._beginning.of(shape.name)
        if shape.first_sample > first:
            reason = BROKEN_OFF if self._beginning.resumed else NOT_PUBLISHED
            self.gap(Gap(shape.name, first, shape.first_sample - first, reason))

    def append(self, stream: str, first: int, block: NDArray[np.float64]) -> None:
        """Samples first .. of a stream, block (k, channels); once this returns a kill cannot take them away."""
        if stream in APART:
            self._put(stream, first, block)
            return
        rate = self._shapes[stream].rate
        while len(block):
            room = self._rotation.room(first, rate)
            if room == 0:
                self._rotate(self._rotation.boundary(first, rate))
                continue
            self._put(stream, first, block[:room])
            first, block = first + room, block[room:]

    def gap(self, gap: Gap) -> None:
        """Enter a gap; one that goes on in the next part is there another one. However long it is, it fills no part by itself."""
        first, end, rate = gap.first, gap.first + gap.count, self._shapes[gap.stream].rate
        while first < end:
            if gap.stream not in APART:
                self._rotation.gap(first, end, rate)
            room = FAR if gap.stream in APART else self._rotation.room(first, rate)
            if room == 0:
                self._rotate(self._rotation.boundary(first, rate))
                continue
            piece = replace(gap, first=first, count=min(room, end - first))
            self._journal.gap(piece)
            self._record.gap(piece)
            first += piece.count

    def cycles(self, stream: str, rows: NDArray[np.void]) -> None:
        """Rows of the table of cycles of a stream that are complete."""
        self._journal.cycles(stream, rows)
        self._record.cycles(stream, rows)
        self._rotation.took_rows()

    def event(self, event: Event) -> None:
        self._journal.event(event)
        self._record.event(event)
        if event.kind == STATE and event.sample is not None and event.text.partition(":")[0] == HOLD:
            rate = next((shape.rate for name, shape in self._shapes.items() if name not in APART), 0.0)
            self._rotation.cut(event.sample + round(self._after * rate), round(LEAST * rate))

    def within(self, stream: str, first: int) -> int:
        """Samples from `first` on up to the end of the part that this one is of."""
        return FAR if stream in APART else self._rotation.within(first, self._shapes[stream].rate)

    def keep(self) -> None:
        """Flush, close what is whole, repeat where it is due; called every few milliseconds. Raises RigError when the disk gave up."""
        for gap in self._record.flush(FLUSH_WITHIN):
            self._journal.gap(gap)
        if clock.now() - self._restated >= RESTATE_EVERY:
            self._journal.restate()
            self._restated = clock.now()
        self._note_sealed()
        self._sync.check()

    def close(self) -> None:
        """Complete all files. Raises RigError when they cannot be; the journals then still hold what they were given."""
        try:
            for gap in self._record.close():
                self._journal.gap(gap)
            self._journal.complete()
        finally:
            self._let_go()
        self._sync.check()

    def abandon(self) -> None:
        """Let go of all files after a failed write. The record stays marked as incomplete; `rig recover` reads the journals."""
        self._record.abandon()
        self._let_go()

    def _let_go(self) -> None:
        self._journal.close()
        self._sealer.give(journal_file(self._record.number))
        self._sealer.stop()
        self._sync.stop()

    def _put(self, stream: str, first: int, block: NDArray[np.float64]) -> None:
        self._journal.samples(stream, first, block)
        late = self._record.append(stream, first, block)
        if stream in APART:
            self._rotation.took_rows(block.nbytes)
        else:
            self._rotation.took(first + len(block), block.nbytes)
        if late:
            text = f"stream {stream}: {late} samples from {first} on came after their part had been closed; they are in its journal only"
            self.event(Event(first, first / self._shapes[stream].rate, "recorder", "late_samples", text))

    def _rotate(self, at: int) -> None:
        """Journal and record go on in new files from sample `at` on."""
        old, number = self._record.number, self._record.number + 1
        self._before += self._journal.size
        self._journal.close()
        self._sync.leave(self._folder / journal_file(old))
        self._sealer.give(journal_file(old))
        self._journal = self._begin_journal(number, at)
        for shape in self._shapes.values():
            self._journal.stream(shape)
        self._record.rotate(at)
        self._rotation.rotated(at)
        for file in (journal_file(number), part_file(number)):
            self._sync.begin(self._folder / file)

    def _begin_journal(self, number: int, first: int) -> JournalWriter:
        return JournalWriter(self._folder / journal_file(number), replace(self._description, part=number, part_first=first))

    def _part_closed(self, file: str) -> None:
        self._sync.leave(self._folder / file)
        self._sealer.give(file)

    def _note_sealed(self) -> None:
        """What the journal that goes on can say of files before it."""
        for entry in self._sealer.sealed():
            self._journal.sealed(entry.file, entry.sha256)
        if self._sealer.error is not None:
            why = "out of memory" if isinstance(self._sealer.error, MemoryError) else self._sealer.error
            raise RigError(f"recorder: what is closed cannot be entered in its chain of evidence: {why}")
