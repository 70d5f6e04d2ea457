"""Whether a path is a file that can be looked through: not a pipe that nobody writes to, a device without end, or a disk image."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from pathlib import Path

LARGEST = 2_000_000_000
"""Bytes of a played file."""
SETTLED = 2_000_000_000  # ns after which another change gets another time, on every file system
BEGIN = 512  # bytes; a file that was made large and never written holds zeros
BINARY = b"58b"  # in the first line of a universal file with binary values
KINDS = {
    stat.S_ISDIR: "a directory",
    stat.S_ISFIFO: "a pipe",
    stat.S_ISSOCK: "a socket",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
}


def ensure_playable(path: Path) -> os.stat_result:
    """The state of a file. Raises OSError, with what is wrong as its strerror, for all but one of up to 2 GB that begins with something."""
    try:
        found = path.stat()
    except ValueError as error:  # characters that no path can have
        raise OSError(errno.EINVAL, f"no path of a file ({error})") from None
    for is_one, kind in KINDS.items():
        if is_one(found.st_mode):
            raise OSError(errno.EINVAL, f"is {kind}, expected a file")
    if found.st_size == 0:
        raise OSError(errno.EINVAL, "the file is empty")
    if found.st_size > LARGEST:
        raise OSError(errno.EFBIG, f"has {found.st_size / 1e9:.3g} GB, expected at most {LARGEST / 1e9:g}; cut out what is to be played")
    with path.open("rb") as file:
        if not file.read(BEGIN).strip(b"\0"):
            raise OSError(errno.EINVAL, "begins with zero bytes: it was never written to its end")
    return found


def ensure_no_hole(path: Path) -> None:
    """Raises OSError for a text that was made large and never written from some byte on: it would be looked through to its end for nothing.

    Zeros in binary values may be such a hole as well, where a program that copies keeps none.
    """
    if not hasattr(os, "SEEK_HOLE"):
        return
    with path.open("rb") as file:
        binary = BINARY in file.read(BEGIN)
        try:
            at = os.lseek(file.fileno(), 0, os.SEEK_HOLE)
        except OSError:  # a file system that knows of none
            return
    if at < path.stat().st_size and not binary:
        raise OSError(errno.EINVAL, f"was never written from byte {at} on, and reads as zeros there; write it whole")


def stamp(found: os.stat_result) -> tuple[int, ...]:
    """What changes with a file's content; empty where that may not show: just changed, or on Windows, where programs set all times."""
    changed = max(found.st_mtime_ns, found.st_ctime_ns)
    if sys.platform == "win32" or time.time_ns() - changed < SETTLED:
        return ()
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
