"""Opening records: a file that is in use, or that may not be read, is not called damaged."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import h5py
import psutil

from rig.errors import ConfigError
from rig.recorder.folders import remedy

LOCKED = "unable to lock"
"""What HDF5 says of a file that another program has open for writing."""
MISSING = re.compile(r"can't locate attribute: '(?P<attribute>[^']*)'|object '(?P<object>[^']*)' doesn't exist")
"""What h5py says of a name that is not there."""
LOCKS = Path("/proc/locks")


def open_record(path: Path, **options: int) -> h5py.File:
    """A record to be read. Raises ConfigError, with what to do."""
    try:
        return h5py.File(path, "r", locking="best-effort", **options)
    except OSError as error:
        raise ConfigError(f"{path}: {why(path, str(error))}") from error


def why(path: Path, error: str) -> str:
    """Why a record cannot be opened, and what to do, by what HDF5 says."""
    said = " ".join(error.split())
    if LOCKED in said:
        return f"in use by {holder(path)}, which has it open for writing; close it there, or wait until that has ended"
    if "Permission denied" in said:
        return "cannot be read (permission denied); it is another user's, or kept from reading"
    return f"cannot be read ({said}); {remedy(path.parent)}"


def in_words(error: Exception) -> str:
    """What h5py, or Python, says of something in a record, without its own words for how it looked for it."""
    said = " ".join(str(error).split())
    if found := MISSING.search(said):
        return f"{'the attribute ' if found['attribute'] else ''}{(found['attribute'] or found['object'])!r} is missing"
    if isinstance(error, KeyError | TypeError | AttributeError | IndexError):
        return "it is missing, or has another kind or shape than what is recorded there"
    return said or "no reason is told"


def holder(path: Path) -> str:
    """The program that has a lock on a file, in words; "another program" where the system does not tell."""
    with contextlib.suppress(OSError, ValueError, psutil.Error):
        inode = path.stat().st_ino
        for line in LOCKS.read_text(encoding="ascii").splitlines():
            _, _, _, kind, pid, where, *_ = line.replace("-> ", "").split()
            if kind == "WRITE" and int(where.rpartition(":")[2]) == inode and int(pid) > 0:
                return f"process {pid} ({psutil.Process(int(pid)).name()})"
    return "another program"
