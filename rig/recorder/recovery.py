"""Rebuild a record from its journal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import h5py

from rig.errors import ConfigError
from rig.files.confined_reading import confined
from rig.recorder import journal, journal_checks
from rig.recorder.description import UNREADABLE, Description, Event, Gap, StreamShape
from rig.recorder.folders import JOURNAL, RECORD
from rig.recorder.journal import Damage, Frame
from rig.recorder.opening import LOCKED, why
from rig.recorder.record import Record
from rig.streaming import streams

NEW = "run_recovered.h5"
NOT_DAMAGED = (LOCKED, "Permission denied")


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


@dataclass
class _Survey:
    """First pass: what the samples mean, which may be readable only behind the first samples."""

    size: int
    description: Description | None = None
    streams: dict[int, StreamShape] = field(default_factory=dict)

    def enter(self, number: int, shape: StreamShape) -> None:
        """Raises ValueError for one that says something else than it did before."""
        if self.streams.setdefault(number, shape) != shape or [one.name for one in self.streams.values()].count(shape.name) > 1:
            raise ValueError(f"stream {number} is {shape.name}, and was something else before")


def find_run(run: Path, whole_will_do: bool = False) -> Path:
    """The run folder that `run` (a run folder, or a record in it) means. Raises ConfigError when it has no journal; `whole_will_do`: nor a
    record that is whole."""
    folder = run if run.is_dir() else run.parent
    if not run.exists():
        raise ConfigError(f"{run}: no such run folder or record")
    if not (folder / JOURNAL).is_file() and not (whole_will_do and is_intact(folder / RECORD)):
        raise ConfigError(f"{folder}: no {JOURNAL} there, so nothing to recover from; expected a run folder as made by `rig run`")
    return folder


def is_intact(record: Path) -> bool:
    """Whether a record opens and was closed properly."""
    return not _wrong_with(record)


def _wrong_with(record: Path) -> str:
    """Why a record is not whole, as HDF5 says it."""
    try:
        return "" if record.is_file() and confined(_is_complete, str(record)) else "it was not closed"
    except (OSError, ValueError) as error:
        return str(error)


def _is_complete(record: str) -> bool:
    with h5py.File(record, "r", locking="best-effort") as file:
        return bool(file["entry"].attrs["complete"])


def recover(folder: Path) -> Recovered:
    """Make folder/run.h5 anew from the journal; the record that was there is kept as run.damaged.h5 (then -2, -3 ...).

    Raises ConfigError when the journal cannot be read or is still being written, or when another program has the record.
    """
    survey = _survey(folder / JOURNAL)
    description = survey.description
    if description is None:
        raise ConfigError(f"{folder / JOURNAL}: holds no readable description of a run; it is not a journal, or wholly damaged")
    if streams.is_alive(description.writer, description.writer_started):
        raise ConfigError(f"{folder}: still being recorded by process {description.writer}; recover when it has ended")
    if (folder / RECORD).exists() and any(word in (said := _wrong_with(folder / RECORD)) for word in NOT_DAMAGED):
        raise ConfigError(f"{folder / RECORD}: {why(folder / RECORD, said)}")
    new = folder / NEW
    new.unlink(missing_ok=True)  # of a recovery that was interrupted
    recovered = _replay(folder / JOURNAL, survey, description, new)
    with new.open("r+b") as file:
        os.fsync(file.fileno())
    recovered.path = folder / RECORD
    if recovered.path.exists():
        recovered.replaced = _free_name(folder)
        recovered.path.rename(recovered.replaced)
    new.rename(recovered.path)
    return recovered


def _free_name(folder: Path) -> Path:
    number, name = 1, folder / "run.damaged.h5"
    while name.exists():
        number += 1
        name = folder / f"run.damaged-{number}.h5"
    return name


def _survey(path: Path) -> _Survey:
    survey = _Survey(size=path.stat().st_size)
    for number, frame in enumerate(journal.read(path)):
        if isinstance(frame, Damage):
            continue
        with _damage_named(path, number):
            if frame.kind == journal.DESCRIPTION:
                survey.description = journal_checks.description(frame.payload)
            elif frame.kind == journal.STREAM:
                survey.enter(frame.stream, journal_checks.shape(frame.payload))
    return survey


@contextmanager
def _damage_named(path: Path, number: int) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ConfigError(f"{path}: block {number} of the journal holds what no recorder writes ({error}); it was changed") from error


def _replay(path: Path, survey: _Survey, description: Description, new: Path) -> Recovered:
    result = Recovered(new)
    replay = _Replay(Record(new, description), survey, result)
    try:
        for number, item in enumerate(journal.read(path)):
            if isinstance(item, Damage):
                if item.torn:
                    result.torn += item.size
                else:
                    result.damaged += item.size
            else:
                with _damage_named(path, number):
                    replay.take(item)
        replay.close()
    except BaseException:
        replay.abandon()
        new.unlink(missing_ok=True)
        raise
    return result


class _Replay:
    """Second pass: frames into a record. A jump that no gap frame announces is what could not be read."""

    def __init__(self, record: Record, survey: _Survey, result: Recovered) -> None:
        self._record, self._streams, self._result, self._size = record, survey.streams, result, survey.size
        for shape in self._streams.values():
            record.stream(shape)
            result.samples[shape.name], result.rates[shape.name] = 0, shape.rate

    def take(self, frame: Frame) -> None:
        if frame.kind == journal.SAMPLES and frame.stream in self._streams:
            self._samples(self._streams[frame.stream].name, frame)
        elif frame.kind == journal.GAP:
            gap = journal_checks.gap(frame.payload)
            if gap.stream not in self._record.ends:
                raise ValueError(f"a gap in a stream {gap.stream[:80]!r}, which there is not")
            journal_checks.need_room(gap.stream, gap.first + gap.count, self._size)
            self._up_to(gap.stream, gap.first)
            self._gap(gap)
        elif frame.kind == journal.EVENT:
            self._record.event(journal_checks.event(frame.payload))

    def close(self) -> None:
        result = self._result
        result.ends = self._record.ends
        text = f"rebuilt from the journal; {result.damaged} bytes in its middle and {result.torn} at its end could not be read"
        self._record.event(Event(None, None, "recover", "recovered", text))
        result.gaps += self._record.close(recovered=True)

    def abandon(self) -> None:
        """Let go of the file."""
        self._record.abandon()

    def _samples(self, stream: str, frame: Frame) -> None:
        channels = len(self._streams[frame.stream].channels)
        if frame.first < 0 or not frame.rows or len(frame.payload) != 8 * frame.rows * channels:
            raise ValueError(f"{stream}: expected {channels} numbers a sample from sample 0 on, got {len(frame.payload)} bytes")
        journal_checks.need_room(stream, frame.first + frame.rows, self._size)
        self._up_to(stream, frame.first)
        fresh = frame.block()[self._record.ends[stream] - frame.first :]
        if not len(fresh):
            return
        self._record.append(stream, frame.first + frame.rows - len(fresh), fresh)
        self._result.samples[stream] += len(fresh)

    def _up_to(self, stream: str, first: int) -> None:
        end = self._record.ends[stream]
        if first > end:
            self._gap(Gap(stream, end, first - end, UNREADABLE))

    def _gap(self, gap: Gap) -> None:
        self._record.gap(gap)
        self._result.gaps.append(gap)
