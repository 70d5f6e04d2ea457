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


def stamp(found: os.stat_result) -> tuple[int, ...]:
    """What changes with a file's content; empty where that may not show: just changed, or on Windows, where programs set all times."""
    changed = max(found.st_mtime_ns, found.st_ctime_ns)
    if sys.platform == "win32" or time.time_ns() - changed < SETTLED:
        return ()
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
