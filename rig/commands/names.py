"""Errors that a name is to blame for, in words: what the system says of a file or folder that cannot be used as it was given."""

from __future__ import annotations

import errno
import os

BLAMED = {
    errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP, errno.EROFS,
    errno.ENOSPC, errno.EINVAL, *((errno.EDQUOT,) if hasattr(errno, "EDQUOT") else ()),
}  # fmt: skip
LOOP = "Symlink loop from"


def of_a_name(error: Exception) -> str | None:
    """What is wrong with the name that `error` is about; None where it is about something else."""
    if isinstance(error, RuntimeError) and str(error).startswith(LOOP):  # pathlib's own word for it, before Python 3.13
        return f"{str(error)[len(LOOP) :].strip()}: {os.strerror(errno.ELOOP)}"
    if isinstance(error, UnicodeEncodeError):
        return f"{error.object!a}: this name cannot be written in {error.encoding.upper()}; rename it, or give another"
    if not isinstance(error, OSError) or error.errno not in BLAMED:
        return None
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return "the folder that this was started in is gone; change to another" if error.errno == errno.ENOENT else None
