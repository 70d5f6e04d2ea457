"""What can be looked at of a run whose record is not whole: its test goes on, is held, or was broken off."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.files.plain_values import Json
from rig.console.counted import counted
from rig.errors import ConfigError, RigError
from rig.recorder.folders import JOURNAL, PARTS, RECORD
from rig.recorder.reading import read_run
from rig.streaming.states import in_words
from rig.supervision.operation_client import NotRunning
from rig.supervision.run_status import BROKEN_OFF, PLAN, look
from rig.supervision.so_far import SoFar, is_whole, shown_as_one


@dataclass(frozen=True)
class Readable:
    """run: what is to be read, a folder or a record; said: up to where it shows the test, and what is not in it; empty: all is."""

    run: Path
    said: str = ""


@contextlib.contextmanager
def readable(run: Path) -> Iterator[Readable]:
    """The record of a run, or its closed parts as one while there is no whole record. Raises ConfigError for a test of which nothing can be
    read yet, with what to do."""
    folder = run if run.is_dir() else run.parent
    if (run.is_file() and run.name != RECORD) or not (folder / PLAN).exists() or is_whole(folder / RECORD):
        yield Readable(run)
        return
    status = _status(folder)
    so_far = SoFar.of(folder)
    if status is None or _is_left_alone(folder, status, so_far):
        yield Readable(run)  # whoever reads it says what is wrong, and what to do
        return
    if not so_far.closed:
        raise ConfigError(f"{folder}: {_nothing(folder, status, so_far)}")
    with shown_as_one(folder, so_far) as made:
        yield Readable(made, f"{folder.name}: {_state(status)}; {_shown(folder, made, so_far, status)}")


def _status(folder: Path) -> Mapping[str, Json] | None:
    """As `rig status` has it; None of a test that has come to its end, or of which nothing is known."""
    try:
        status = look(folder)
    except NotRunning:
        return None
    except RigError as error:  # it does not answer, which keeps nobody from what is closed
        return {"state": f"not answering ({error})"}
    return status if status.get("ended") in (None, BROKEN_OFF) else None


def _is_left_alone(folder: Path, status: Mapping[str, Json], so_far: SoFar) -> bool:
    """Nothing is closed: there is no record at all, or one file that nobody writes any more."""
    recorded = (folder / JOURNAL).is_file() or (folder / PARTS).is_dir()
    return not so_far.closed and (not recorded or not (so_far.open or _goes_on(status)))


def _goes_on(status: Mapping[str, Json]) -> bool:
    return status.get("ended") != BROKEN_OFF


def _state(status: Mapping[str, Json]) -> str:
    at = _place(status)
    if not _goes_on(status):
        return f"its test was broken off{f' about {at}' if at else ''}"
    return f"its test is {in_words(str(status['state']))}{f', {at}' if at else ''}"


def _place(status: Mapping[str, Json]) -> str:
    cycle, time = status.get("cycle"), status.get("time_s")
    parts = [f"cycle {cycle}"] if cycle is not None else []
    return ", ".join([*parts, *([f"{time:.3f} s"] if isinstance(time, (int, float)) else [])])


def _shown(folder: Path, made: Path, so_far: SoFar, status: Mapping[str, Json]) -> str:
    record = read_run(made)
    last = "" if record.last_cycle is None else f" (cycle {record.last_cycle})"
    shown = f"{counted(len(so_far.closed), 'part')} closed, shown up to {record.samples / record.rate:.3f} s{last}"
    if not so_far.open:
        return shown
    missing = ", ".join(f"{number:05d}" for number in so_far.open)
    if _goes_on(status):
        return f"{shown}; part {missing} is being written and is not in it"
    return (
        f"{shown}; part {missing} was being written and is not in it: `rig recover {folder}` makes the record whole, `rig resume` goes on"
    )


def _nothing(folder: Path, status: Mapping[str, Json], so_far: SoFar) -> str:
    """Of a test that has closed no part yet."""
    parts = bool(so_far.open)
    if not _goes_on(status):
        return f"{_state(status)}, in its first part: `rig recover {folder}` makes the record whole, `rig resume {folder}` goes on"
    what = "its first part is being written" if parts else "it is recorded in one file, which is being written"
    when = (
        "a part can be read once it is closed (record.part)"
        if parts
        else "that can be read when the test has ended (or with record.part, by parts)"
    )
    return f"{_state(status)}; {what}: {when}. Until then: rig status {folder}, or rig monitor {folder}"
