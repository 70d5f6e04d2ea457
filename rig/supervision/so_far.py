"""A record in parts as far as it is closed, as one: of a test that goes on or was broken off. Nothing in its folder is touched."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import h5py

from rig.errors import ConfigError
from rig.recorder.description import NOT_YET, Description, Gap
from rig.recorder.folders import PARTS, RECORD
from rig.recorder.last_samples import is_closed
from rig.recorder.parts import numbers, part_file
from rig.recorder.reading import RunData, read_run, tables_of
from rig.recorder.record import Record
from rig.supervision.run_status import PLAN

CUT_IN = "command"
"""Stream whose last sample does not count: its cycle goes on behind the closed parts, and is not whole."""


@dataclass(frozen=True)
class SoFar:
    """The parts that are closed, from the first one on without a hole, and those behind them."""

    closed: tuple[int, ...]
    open: tuple[int, ...]

    @classmethod
    def of(cls, folder: Path) -> SoFar:
        """Of the record in a run's folder."""
        there = sorted({*numbers(folder, ".h5"), *(number for number in numbers(folder, ".bin") if (folder / PARTS).is_dir())})
        closed = tuple(takewhile(lambda n: n in there and is_closed(folder / part_file(n)), range(1, max(there, default=0) + 1)))
        return cls(closed, tuple(there[len(closed) :]))


def is_whole(record: Path) -> bool:
    """Whether run.h5 was closed. It is not locked for that."""
    with contextlib.suppress(OSError, LookupError), h5py.File(record, "r", locking=False) as file:
        return bool(file["entry"].attrs["complete"])
    return False


@contextlib.contextmanager
def shown_as_one(folder: Path, so_far: SoFar) -> Iterator[Path]:
    """A folder with run.h5 over the closed parts, plan.json and the parts, for as long as it is looked at. Raises ConfigError."""
    with tempfile.TemporaryDirectory(prefix="rig-so-far-") as made:
        inner = Path(made) / folder.resolve().name
        try:
            inner.mkdir()
            (inner / PARTS).symlink_to((folder / PARTS).resolve(), target_is_directory=True)
            if (folder / PLAN).exists():
                (inner / PLAN).symlink_to((folder / PLAN).resolve())
        except OSError as error:
            raise ConfigError(f"{inner}: cannot be made ({error.strerror}); {folder / PARTS} holds parts that can be opened") from error
        _put_together(inner, [part_file(number) for number in so_far.closed])
        yield inner


def _put_together(folder: Path, files: list[str]) -> None:
    """run.h5 over the parts, with their events and gaps, and that it goes on behind them."""
    last = read_run(folder / files[-1])
    end = last.first_sample + last.samples
    record = Record(folder / RECORD, _description(read_run(folder / files[0])))
    try:
        for file in files:
            events, gaps = tables_of(folder / file)
            # A part has the events that came while it was the newest one.
            record.enter([event for event in events if event.sample is None or event.sample < end], gaps)
        record.gap(Gap(CUT_IN, end - 1, 1, NOT_YET))
        record.link(folder, files, end)
        record.close(parts=len(files))
    finally:
        record.abandon()


def _description(part: RunData) -> Description:
    with h5py.File(part.path, "r", locking="best-effort") as file:
        title = str(file["entry/title"].asstr()[()])
    said, sensors = part.attributes, {name: dict(table) for name, table in part.sensors.items()}
    return Description(
        run=str(said["run"]),
        title=title,
        started=str(said["started"]),
        experiment_text=part.experiment_text,
        bench_text=part.bench_text,
        sensors=sensors,
        rig_version=str(said["rig_version"]),
        compression=str(said["compression"]),
        samples=str(said.get("samples", "all")),
    )
