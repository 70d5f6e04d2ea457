"""What stands before a recording that makes more of the samples than to write them: the table of cycles, and the choice of what is kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rig.config.experiment import Snapshots
from rig.recorder.cycles.layout import Rows
from rig.recorder.cycles.tables import COMMAND, Cycles
from rig.recorder.description import NOT_KEPT, Event, Gap, StreamShape
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.recording import Recording
from rig.recorder.snapshots import Piece, Selection
from rig.streaming.streams import APART

STEADY = ("N", "m", "N*m", "rad")
"""Units of channels whose peaks come again in every cycle."""


class Intake:
    """The same calls as of `Recording`."""

    def __init__(self, recording: Recording | PartedRecording, snapshots: Snapshots | None) -> None:
        """snapshots: what is kept of the samples; None: all."""
        self._recording, self._snapshots = recording, snapshots
        self._cycles, self._selection = Cycles(), None if snapshots is None else Selection(snapshots, 1.0)
        self._shapes: dict[str, StreamShape] = {}
        self._left: dict[str, Gap] = {}

    @property
    def size(self) -> int:
        return self._recording.size

    @property
    def flush_age(self) -> float:
        return self._recording.flush_age

    def stream(self, shape: StreamShape) -> None:
        if self._snapshots is not None and shape.name not in APART and not any(name not in APART for name in self._shapes):
            self._selection = Selection(self._snapshots, shape.rate)
        self._shapes[shape.name] = shape
        self._cycles.stream(shape)
        self._recording.stream(shape)

    def append(self, stream: str, first: int, block: NDArray[np.float64]) -> None:
        """Samples first .. of a stream, block (k, channels). Those that wait to be chosen are in memory meanwhile."""
        self._enter(self._cycles.feed(stream, first, block))
        if self._selection is None or stream in APART:
            self._recording.append(stream, first, block)
            return
        if stream == COMMAND:
            self._selection.cycles(self._cycles.course.since(first))
        for piece in self._selection.feed(stream, first, block):
            self._pass_on(stream, piece)

    def gap(self, gap: Gap) -> None:
        """Samples that were lost. What waits before them is decided first."""
        if self._selection is not None and gap.stream not in APART:
            for piece in self._selection.hurry(gap.stream):
                self._pass_on(gap.stream, piece)
            self._tell_left(gap.stream)
        self._recording.gap(gap)

    def event(self, event: Event) -> None:
        if self._selection is not None and event.sample is not None:
            self._selection.event(event.sample)
        self._recording.event(event)

    def keep(self) -> None:
        self._recording.keep()

    def close(self) -> None:
        self._enter(self._cycles.finish())
        if self._selection is not None:
            for stream, piece in self._selection.finish():
                self._pass_on(stream, piece)
            for stream in [*self._left]:
                self._tell_left(stream)
        self._recording.close()

    def abandon(self) -> None:
        self._recording.abandon()

    def _enter(self, complete: list[tuple[str, Rows]]) -> None:
        for stream, rows in complete:
            self._recording.cycles(stream, rows)
            if stream == "measured" and self._selection is not None:
                self._selection.peaks(rows, self._watched(self._shapes[stream]))

    def _watched(self, shape: StreamShape) -> tuple[str, ...]:
        """Channels whose peaks tell that the specimen has changed: those of accelerations scatter from cycle to cycle."""
        assert self._snapshots is not None
        usual = tuple(name for name, unit in zip(shape.channels, shape.units, strict=True) if unit in STEADY)
        return self._snapshots.channels or usual

    def _pass_on(self, stream: str, piece: Piece) -> None:
        if piece.block is not None:
            self._tell_left(stream)
            self._recording.append(stream, piece.first, piece.block)
        elif (left := self._left.get(stream)) is not None and left.first + left.count == piece.first:
            self._left[stream] = replace(left, count=left.count + piece.count)
        else:
            self._tell_left(stream)
            self._left[stream] = Gap(stream, piece.first, piece.count, NOT_KEPT)
        if (left := self._left.get(stream)) is not None and left.count > self._recording.within(stream, left.first):
            self._tell_left(stream)  # it goes on in the next part: the one before need not wait for samples that are kept

    def _tell_left(self, stream: str) -> None:
        if (left := self._left.pop(stream, None)) is not None:
            self._recording.gap(left)
