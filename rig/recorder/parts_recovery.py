"""Rebuild a record in parts: parts that are whole stay, the others come from their journals, run.h5 is made anew over all of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

import h5py

from rig.errors import ConfigError
from rig.files.confined_reading import ReadingProcess
from rig.recorder import chain
from rig.recorder.description import Description
from rig.recorder.parts import journal_file, numbers, part_file
from rig.recorder.reading import gaps_of, tables_of
from rig.recorder.record import Record
from rig.recorder.replay import (
    FAR,
    NEW,
    Bounds,
    Part,
    Recovered,
    Survey,
    free_name,
    is_complete,
    need_free,
    recovery_event,
    replayed,
    survey_of,
    take_its_place,
)  # fmt: skip
from rig.streaming.streams import APART, RECORDED, SECONDS


@dataclass
class _Found:
    """What is there of each part, by its number: first sample where it is known, journal, what that says."""

    ends: dict[int, int] = field(default_factory=dict)
    """Of parts that stay: n behind the last sample."""
    begins: dict[int, int] = field(default_factory=dict)
    journals: dict[int, Path] = field(default_factory=dict)
    surveys: dict[int, Survey] = field(default_factory=dict)
    description: Description | None = None
    newest: Description | None = None
    """By whoever recorded last: a test that was broken off goes on in another process."""


def recover_parts(folder: Path) -> Recovered:
    """As `recovery.recover`, for a record in parts. Raises ConfigError."""
    found = _find(folder)
    if found.description is None:
        raise ConfigError(f"{folder}: neither a part nor a journal there holds a readable description of a run")
    need_free(folder, found.newest or found.description)
    result = Recovered(folder / NEW)
    last = max(found.begins)
    for number in range(1, last + 1):
        if number in found.ends:
            _count(folder, number, result)
        else:
            _rebuild(folder, number, found, result)
    _put_together(folder, replace(found.description, part=0, part_first=0), last, result)
    return result


def _find(folder: Path) -> _Found:
    found = _Found(journals={number: folder / journal_file(number) for number in numbers(folder, ".bin")})
    there = numbers(folder, ".h5")
    with ReadingProcess() as process:
        for number in there:
            if _is_whole(process, folder, part_file(number)):
                found.begins[number], found.ends[number] = _extent(folder / part_file(number))
    for number, path in found.journals.items():
        if number in found.ends and number + 1 in found.ends and found.description is not None:
            continue  # nothing of it is wanted
        survey = found.surveys[number] = survey_of([path])
        if survey.description is not None:
            found.description, found.newest = found.description or survey.description, survey.description
            found.begins[number] = survey.description.part_first
    _complete(found, max([*there, *found.journals, 1]))
    return found


def _complete(found: _Found, last: int) -> None:
    """Parts of which nothing says where they begin: behind the one before, or where the next one does, that before having their samples."""
    found.begins[1] = 0
    for number in range(last, 1, -1):
        if number not in found.begins:
            found.begins[number] = found.ends.get(number - 1, found.begins.get(number + 1, FAR))


def _is_whole(process: ReadingProcess, folder: Path, file: str) -> bool:
    try:
        return process.call(is_complete, str(folder / file)) and _as_sealed(folder, file)
    except (OSError, ValueError):
        return False


def _as_sealed(folder: Path, file: str) -> bool:
    """Whether a part is as its chain of evidence says; true of one that it does not tell of."""
    try:
        entry = chain.read(folder).entries.get(file)
        return entry is None or chain.entry_of(folder, file) == entry
    except (ConfigError, OSError):
        return True


def _extent(part: Path) -> tuple[int, int]:
    """(n of the first sample, n behind the last one) of the test."""
    with h5py.File(part, "r", locking="best-effort") as file:
        first = int(file["entry"].attrs["first_sample"])
        return first, first + (len(file["entry/time"]) if "time" in file["entry"] else 0)


def _count(folder: Path, number: int, result: Recovered) -> None:
    """Enter what a part that stays holds."""
    with h5py.File(folder / part_file(number), "r", locking="best-effort") as file:
        entry = file["entry"]
        gaps = gaps_of(entry)
        for stream in (name for name in RECORDED if name in entry):
            data = next(iter(entry[stream].values()))
            of_stream = [gap for gap in gaps if gap.stream == stream]
            behind, missing = int(data.attrs["first_sample"]) + len(data), sum(gap.count for gap in of_stream)
            end = min((gap.first for gap in of_stream if gap.first + gap.count == behind), default=behind)
            result.samples[stream] = result.samples.get(stream, 0) + len(data) - missing
            result.ends[stream] = max(result.ends.get(stream, 0), end if len(data) else 0)
            result.rates[stream] = float(data.attrs["rate"])
        result.gaps += gaps


def _rebuild(folder: Path, number: int, found: _Found, result: Recovered) -> None:
    """A part anew from its journal, and from those behind it that hold what came late."""
    description, bounds = found.description, _bounds(number, found)
    assert description is not None
    paths = _journals(number, bounds, found)
    survey = Survey(sum(path.stat().st_size for path in paths))
    for path in paths or [*found.journals.values()][-1:]:
        of_one = found.surveys.get(number_of(path)) or survey_of([path])
        for place, shape in of_one.streams.items():
            survey.enter(place, shape)
        survey.begins |= of_one.begins
    new = folder / part_file(number).replace(".h5", ".new.h5")
    new.unlink(missing_ok=True)
    own = found.surveys[number].description if number in found.surveys else None  # of a session of another version, it may be
    whole = (own or description).whole
    record = Record(new, replace(description, part=number, part_first=bounds.first, whole=whole))
    replayed(paths, survey, record, result, Part(bounds, folder / journal_file(number)))
    with new.open("r+b") as file:
        os.fsync(file.fileno())
    old = folder / part_file(number)
    if old.exists():
        aside = old.rename(free_name(old))
        result.aside[part_file(number)] = aside.relative_to(folder).as_posix()
    new.rename(old)
    result.renewed.append(part_file(number))


def number_of(path: Path) -> int:
    """Of the part that a journal is of."""
    return int(path.stem) if path.stem.isdigit() else 1


def _bounds(number: int, found: _Found) -> Bounds:
    return Bounds(found.begins[number], found.begins.get(number + 1, FAR))


def _journals(number: int, bounds: Bounds, found: _Found) -> list[Path]:
    """Its own, and those that may hold what came late."""
    rates = [shape.rate for survey in found.surveys.values() for shape in survey.streams.values() if shape.name not in APART]
    late = SECONDS * max(rates, default=0.0)
    wanted = [one for one in sorted(found.journals) if one >= number and found.begins[one] < bounds.end + late]
    return [found.journals[one] for one in wanted]


def _put_together(folder: Path, description: Description, last: int, result: Recovered) -> None:
    """run.h5 over the parts, with the events and gaps of all of them."""
    result.path.unlink(missing_ok=True)
    record, files = Record(result.path, description), [part_file(number) for number in range(1, last + 1)]
    try:
        for file in files:
            record.enter(*tables_of(folder / file))
        record.event(recovery_event(result))
        record.link(folder, files)
        record.close(parts=last, recovered=True)
    except BaseException:
        record.abandon()
        result.path.unlink(missing_ok=True)
        raise
    take_its_place(folder, result)
