"""Names of files and folders as they are given, and in words what the system says of one that cannot be used."""

from __future__ import annotations

import argparse
import errno
import os
from pathlib import Path

BLAMED = {
    errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP, errno.EROFS,
    errno.ENOSPC, errno.EINVAL, *((errno.EDQUOT,) if hasattr(errno, "EDQUOT") else ()),
}  # fmt: skip
LOOP = "Symlink loop from"


def file_name(text: str) -> str:
    """`text`, for `type=` of an argument that names a file. Raises ArgumentTypeError for a slash at its end, which Path would drop."""
    if text.endswith("/" if os.altsep is None else ("/", "\\")):
        raise argparse.ArgumentTypeError(f"{text}: expected the name of a file; a name that ends so is a folder's")
    return text


def file_path(text: str) -> Path:
    """The same as a path."""
    return Path(file_name(text))


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
