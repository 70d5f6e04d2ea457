"""Frames of journals into a new record: what recovery of one in one file and of one in parts share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import h5py

from rig.errors import ConfigError
from rig.files.confined_reading import confined
from rig.recorder import journal, journal_checks
from rig.recorder.description import UNREADABLE, Description, Event, Gap, StreamShape
from rig.recorder.folders import RECORD
from rig.recorder.journal import Damage, Frame
from rig.recorder.opening import LOCKED, why
from rig.recorder.parts import need_parts
from rig.recorder.record import Record
from rig.streaming import streams

NEW = "run_recovered.h5"

NOT_DAMAGED = (LOCKED, "Permission denied")


class StillRecorded(ConfigError):
    """Another process writes the record."""


@dataclass
class Recovered:
    """What the journal gave. `rates` in Hz and `samples` per stream; `damaged` bytes in its middle, `torn` bytes at its end."""

    path: Path
    replaced: Path | None = None
    samples: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)
    damaged: int = 0
    torn: int = 0
    renewed: list[str] = field(default_factory=list)
    """Parts that were made anew, relative to the run's folder."""
    aside: dict[str, str] = field(default_factory=dict)
    """What was made anew, and under which name the one that was there has been put aside; relative to the run's folder."""


@dataclass
class Survey:
    """First pass: what the samples mean, which may be readable only behind the first samples."""

    size: int
    description: Description | None = None
    streams: dict[int, StreamShape] = field(default_factory=dict)
    begins: dict[tuple[Path, int], int] = field(default_factory=dict)
    """First sample of each stream (its number) in each journal."""

    def origins(self, path: Path) -> dict[str, int]:
        """First sample of each stream in a journal."""
        return {
            self.streams[number].name: first for (where, number), first in self.begins.items() if where == path and number in self.streams
        }

    def enter(self, number: int, shape: StreamShape) -> None:
        """Raises ValueError for one that says something else than it did before."""
        if self.streams.setdefault(number, shape) != shape or [one.name for one in self.streams.values()].count(shape.name) > 1:
            raise ValueError(f"stream {number} is {shape.name}, and was something else before")


FAR = 2**62


@dataclass(frozen=True)
class Bounds:
    """Samples first .. end - 1 of the test."""

    first: int = 0
    end: int = FAR


@dataclass(frozen=True)
class Part:
    """One of several of a record: its samples and its journal, whether that is there or not."""

    bounds: Bounds
    journal: Path


def is_intact(record: Path) -> bool:
    """Whether a record opens and was closed properly."""
    return not _wrong_with(record)


def _wrong_with(record: Path) -> str:
    """Why a record is not whole, as HDF5 says it."""
    try:
        return "" if record.is_file() and confined(is_complete, str(record)) else "it was not closed"
    except (OSError, ValueError) as error:
        return str(error)


def is_complete(record: str) -> bool:
    """Whether a record, with all its parts, was closed. To be called in a process that may come to grief."""
    with h5py.File(record, "r", locking="best-effort") as file:
        complete, count = bool(file["entry"].attrs["complete"]), int(file["entry"].attrs.get("parts", 0))
    return complete and all(is_complete(str(part)) for part in need_parts(Path(record), count))


def need_free(folder: Path, description: Description) -> None:
    """Raises ConfigError for a record that is still being written, or that another program has."""
    if streams.is_alive(description.writer, description.writer_started):
        raise StillRecorded(f"{folder}: still being recorded by process {description.writer}; recover when it has ended")
    if (folder / RECORD).exists() and any(word in (said := _wrong_with(folder / RECORD)) for word in NOT_DAMAGED):
        raise ConfigError(f"{folder / RECORD}: {why(folder / RECORD, said)}")


def take_its_place(folder: Path, recovered: Recovered) -> None:
    """The new record becomes run.h5; the one that was there keeps another name."""
    new = recovered.path
    with new.open("r+b") as file:
        os.fsync(file.fileno())
    recovered.path = folder / RECORD
    if recovered.path.exists():
        recovered.replaced = free_name(recovered.path)
        recovered.path.rename(recovered.replaced)
        recovered.aside[RECORD] = recovered.replaced.name
    new.rename(recovered.path)


def free_name(damaged: Path) -> Path:
    """Name that a damaged record is kept under: run.damaged.h5, then run.damaged-2.h5 ..."""
    number, name = 1, damaged.with_suffix(".damaged.h5")
    while name.exists():
        number += 1
        name = damaged.with_suffix(f".damaged-{number}.h5")
    return name


def survey_of(paths: Sequence[Path]) -> Survey:
    """What the samples in journals mean. The description is that of the first one that has a readable one."""
    survey = Survey(size=sum(path.stat().st_size for path in paths))
    for path in paths:
        said: Description | None = None
        for number, frame in enumerate(journal.read(path)):
            if isinstance(frame, Damage):
                continue
            with _damage_named(path, number):
                if frame.kind == journal.DESCRIPTION:
                    said = journal_checks.description(frame.payload)
                elif frame.kind == journal.STREAM:
                    survey.enter(frame.stream, journal_checks.shape(frame.payload))
                elif frame.kind == journal.SAMPLES:
                    survey.begins.setdefault((path, frame.stream), frame.first)
        survey.description = survey.description or said
    return survey


@contextmanager
def _damage_named(path: Path, number: int) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ConfigError(f"{path}: block {number} of the journal holds what no recorder writes ({error}); it was changed") from error


def replayed(paths: Sequence[Path], survey: Survey, record: Record, result: Recovered, part: Part | None = None) -> None:
    """Bring what journals hold into a new record, and close that; part: it is one of several."""
    own = part.journal if part else paths[0]
    replay = _Replay(record, survey, result, part.bounds if part else Bounds(), survey.origins(own) if part else {})
    try:
        for path in paths:
            for number, item in enumerate(journal.read(path)):
                if not isinstance(item, Damage):
                    with _damage_named(path, number):
                        replay.take(item, path == own)
                elif path == own:  # of others when it is their turn
                    result.torn, result.damaged = result.torn + item.size * item.torn, result.damaged + item.size * (not item.torn)
        replay.close(whole=part is None)
    except BaseException:
        replay.abandon()
        record.path.unlink(missing_ok=True)
        raise


class _Replay:
    """Second pass: frames into a record. A jump that no gap frame announces is what could not be read."""

    def __init__(self, record: Record, survey: Survey, result: Recovered, bounds: Bounds, origins: Mapping[str, int]) -> None:
        """bounds: of the samples of the test that belong into the record; origins: row 0 of streams with rows of their own."""
        self._record, self._streams, self._result, self._size = record, survey.streams, result, survey.size
        self._bounds = bounds
        self._sparse = survey.description is not None and survey.description.samples != "all"
        self._nothing = True  # no frame of it has been read yet
        for shape in self._streams.values():
            record.stream(shape, origins.get(shape.name, 0) if shape.name in streams.APART else None)
            result.samples.setdefault(shape.name, 0)
            result.rates[shape.name] = shape.rate
        self._begins = record.ends

    def take(self, frame: Frame, own: bool = True) -> None:
        """own: it is from the journal of this part; those of later ones hold samples of this one that came late."""
        self._nothing &= not own
        if frame.kind == journal.SAMPLES and frame.stream in self._streams:
            self._samples(self._streams[frame.stream].name, frame, own)
        elif frame.kind == journal.GAP:
            self._announced(journal_checks.gap(frame.payload), own)
        elif frame.kind == journal.CYCLES and own and frame.stream in self._streams:
            shape = self._streams[frame.stream]
            self._record.cycles(shape.name, journal_checks.cycles(frame.payload, frame.rows, shape))
        elif frame.kind == journal.EVENT and own:
            self._record.event(journal_checks.event(frame.payload))

    def close(self, whole: bool) -> None:
        """whole: it is not one of several parts."""
        result = self._result
        if whole:
            self._record.event(recovery_event(result))
        if self._nothing and self._bounds.end < FAR:
            for name in self._record.ends:
                if name not in streams.APART:
                    self._up_to(name, self._bounds.end)
        for name, end in self._record.ends.items():
            begun = end > self._begins[name]  # else it ended in a part before
            result.ends[name] = max(result.ends.get(name, 0), end if begun else 0)
        until = 0 if self._bounds.end == FAR else self._bounds.end
        result.gaps += self._record.close(until, recovered=True)

    def abandon(self) -> None:
        """Let go of the file."""
        self._record.abandon()

    def _announced(self, gap: Gap, own: bool) -> None:
        if gap.stream not in self._record.ends:
            raise ValueError(f"a gap in a stream {gap.stream[:80]!r}, which there is not")
        first, end = self._within(gap.stream, gap.first, gap.first + gap.count, own)
        if first < end:
            journal_checks.need_room(gap.stream, end - self._bounds.first, self._size, self._sparse)
            self._up_to(gap.stream, first)
            self._gap(replace(gap, first=first, count=end - first))

    def _samples(self, stream: str, frame: Frame, own: bool) -> None:
        channels = len(self._streams[frame.stream].channels)
        if frame.first < 0 or not frame.rows or len(frame.payload) != 8 * frame.rows * channels:
            raise ValueError(f"{stream}: expected {channels} numbers a sample from sample 0 on, got {len(frame.payload)} bytes")
        first, end = self._within(stream, frame.first, frame.first + frame.rows, own)
        if first >= end:
            return
        journal_checks.need_room(stream, end - self._bounds.first, self._size, self._sparse)
        self._up_to(stream, first)
        first = max(first, self._record.ends[stream])
        if first < end:
            self._record.append(stream, first, frame.block()[first - frame.first : end - frame.first])
            self._result.samples[stream] += end - first

    def _within(self, stream: str, first: int, end: int, own: bool) -> tuple[int, int]:
        """What of samples first .. end - 1 is of this record; an empty range where nothing is."""
        if stream in streams.APART:
            return (first, end) if own else (first, first)
        return max(first, self._bounds.first), min(end, self._bounds.end)

    def _up_to(self, stream: str, first: int) -> None:
        end = self._record.ends[stream]
        if first > end:
            self._gap(Gap(stream, end, first - end, UNREADABLE))

    def _gap(self, gap: Gap) -> None:
        self._record.gap(gap)
        self._result.gaps.append(gap)


def recovery_event(result: Recovered) -> Event:
    """What the record says of how it was made."""
    text = f"rebuilt from the journal; {result.damaged} bytes in its middle and {result.torn} at its end could not be read"
    return Event(None, None, "recover", "recovered", text)
