"""The folder of a run that was broken off is made ready for another session: its record is whole, in parts, and the next one begins."""

from __future__ import annotations

import os
import time
from pathlib import Path

import h5py

from rig.errors import ConfigError
from rig.host import clock
from rig.recorder.folders import JOURNAL, PARTS, RECORD
from rig.recorder.parts import Beginning, journal_file, numbers, part_file
from rig.recorder.recovery import recover
from rig.recorder.replay import Recovered, StillRecorded, is_intact
from rig.recorder.run_files import SUMMARY
from rig.recorder.sealing import seal
from rig.recorder.superseded import Left, remove_superseded
from rig.streaming.streams import APART

PATIENCE, LOOK_EVERY = 15.0, 0.2  # s for processes of a test whose supervisor has died


def need_record(folder: Path) -> list[Left] | None:
    """Make the record of a run whole, where it is not; returns what became of the files that a kill had left, None where it was whole.

    Raises ConfigError.
    """
    if is_intact(folder / RECORD):
        return None
    if not (folder / JOURNAL).is_file() and not (folder / PARTS).is_dir():
        raise ConfigError(f"{folder}: neither a record nor a journal; nothing of its test is recorded")
    recovered = _recovered(folder)
    left = remove_superseded(folder, recovered)
    seal(folder, recovered.renewed)
    return left


def to_put_together(folder: Path) -> int:
    """Bytes that `need_record` takes: the part that a kill left open is made anew from its journal, and the old one may stay beside it."""
    journals = numbers(folder, ".bin")
    if not journals or is_intact(folder / RECORD):
        return 0
    return (folder / journal_file(max(journals))).stat().st_size


def _recovered(folder: Path) -> Recovered:
    """What was left behind when a supervisor died ends by itself within seconds; that is waited for."""
    deadline = clock.now() + PATIENCE
    while True:
        try:
            return recover(folder)
        except StillRecorded:
            if clock.now() > deadline:
                raise
            time.sleep(LOOK_EVERY)


def next_beginning(folder: Path) -> Beginning:
    """Where the next session's record goes on: behind the last part. The record must be whole. Raises ConfigError, OSError."""
    if not (folder / PARTS).is_dir():
        _into_parts(folder)
    last = max(numbers(folder, ".h5"))
    first, apart = 0, dict.fromkeys(APART, 0)
    for number in range(1, last + 1):
        with h5py.File(folder / part_file(number), "r", locking="best-effort") as file:
            entry = file["entry"]
            first = max(first, int(entry.attrs["first_sample"]) + (len(entry["time"]) if "time" in entry else 0))
            for name in APART:
                if name in entry:
                    data = next(iter(entry[name].values()))
                    apart[name] = max(apart[name], int(data.attrs["first_sample"]) + len(data))
    return Beginning(last + 1, first, apart)


def make_room(folder: Path) -> None:
    """Take the record over all parts, and the summary, out of the way of the next ones. What they say stands in the parts."""
    for name in (RECORD, SUMMARY):
        (folder / name).unlink(missing_ok=True)


def _into_parts(folder: Path) -> None:
    """A record in one file becomes the first part."""
    (folder / PARTS).mkdir()
    with h5py.File(folder / RECORD, "r+", locking="best-effort") as file:
        file["entry"].attrs.update({"part": 1, "first_sample": 0})
    part = folder / part_file(1)
    (folder / RECORD).rename(part)
    with part.open("r+b") as handle:
        os.fsync(handle.fileno())
    seal(folder)
