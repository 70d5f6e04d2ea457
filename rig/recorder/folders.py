"""Run folders: numbered, named after the experiment, never written over."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

from drivers.files.text_files import Unusable, need_file
from rig.console.plain_letters import in_unicode, is_unicode
from rig.errors import ConfigError

RECORD = "run.h5"
JOURNAL = "journal.bin"
PARTS = "parts"
"""Folder in a run's own, of a record that is kept in parts."""

_NUMBER = re.compile(r"(\d{4,})(?=-|$)")


def new_run(out: Path, name: str) -> Path:
    """Make and return the next free folder <out>/0001-<name>; the number is one above the highest there is, whatever the names.

    Programs that start at once get different numbers: who finds another folder of its number after making its own takes its own
    back and tries again. Raises ConfigError when `out` cannot be written to.
    """
    tail = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._") or "run"
    try:
        if not is_unicode(whole := str(out.resolve())):
            raise ConfigError(f"--out {in_unicode(whole)}: bytes in this name are no text, which a record cannot hold; choose another")
        out.mkdir(parents=True, exist_ok=True)
        while True:
            number = 1 + max(_numbers(out), default=0)
            folder = out / f"{number:04d}-{tail}"
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            if _numbers(out).count(number) == 1:
                return folder
            folder.rmdir()
            time.sleep(random.uniform(0.0, 0.02))  # so that two do not take theirs back for ever
    except OSError as error:
        raise ConfigError(f"--out {out}: no run folder can be made there: {error.strerror}") from error


def find_record(path: Path) -> Path:
    """The record in a run's folder, or `path` itself. Raises ConfigError when it is missing."""
    record = path / RECORD if path.is_dir() else path
    try:
        need_file(record, "record")
    except Unusable as error:
        raise ConfigError(str(error)) from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = "" if isinstance(error, FileNotFoundError) else f" ({getattr(error, 'strerror', None) or error})"
        raise ConfigError(f"{record}: no such record{why}{_recoverable(record.parent)}") from None
    return record


def _recoverable(folder: Path) -> str:
    """In words what can be done where there is a journal and no record."""
    try:
        return f"; {remedy(folder)}" if (folder / JOURNAL).exists() else ""
    except (OSError, ValueError):  # a folder that may not be looked into, a name that no folder can have
        return ""


def remedy(folder: Path) -> str:
    """What can be done about the record of a run that is damaged or not whole, in words. folder: of the run, or of its parts."""
    folder = folder.parent if folder.name == PARTS else folder
    if (folder / JOURNAL).exists():
        return f"rig recover {folder} puts it together from its journal"
    return f"there is no {JOURNAL} in {folder} to put it together from"


def _numbers(out: Path) -> list[int]:
    return [int(found[1]) for entry in out.iterdir() if (found := _NUMBER.match(entry.name))]
