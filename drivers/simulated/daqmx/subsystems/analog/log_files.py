"""The files of a log: one task writes to them, and no other program where the system can tell.

What is written is in the file at once, and whole segments only: a disk that fills up is told by the write that it stopped, and leaves a
file that can be read.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import IO

from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.status.errors import DaqmxError

if sys.platform != "win32":
    import fcntl

CANNOT_OPEN, PROTECTED, DISK_FULL, CANNOT_WRITE = -50204, -201302, -201305, -201309
"""PAL_FILE_OPEN_FAULT, FILE_WRITE_PROTECTED, DISK_FULL, GENERIC_FILE_IO."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
_PROTECTED = (errno.EROFS, errno.EACCES, errno.EPERM)


class LogFiles:
    """A log file and its index that a task writes to, until they are closed. `known`: the files of all tasks, by their place.

    Raises DaqmxError -201306 for a file that another task writes to, -201311 for one that another program has locked, -201305 for a full
    disk, else -50204.
    """

    def __init__(self, task: Task, known: dict[Path, Task], file: Path, append: bool) -> None:
        self._task, self._known, self._file = task, known, file
        self._open: list[IO[bytes]] = []
        try:
            self._place = file.resolve()
            if self._place in known:
                raise task.fail(-201306, File_Path=str(file))
            regular = _need_kind(self._place)
            self._take(self._place, regular, append)
            if regular:
                self._take(self._place.with_name(f"{self._place.name}_index"), regular, append)
        except DaqmxError:
            self._shut()
            raise
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links in a circle, as Python before 3.13 tells them
            self._shut()
            raise failure(task, file, error, DISK_FULL if getattr(error, "errno", None) in _FULL else CANNOT_OPEN) from error
        known[self._place] = task

    def _take(self, file: Path, regular: bool, append: bool) -> None:
        taken = file.open("ab", buffering=0)
        self._open.append(taken)
        if regular and not _locked(taken):
            raise self._task.fail(-201311, File_Path=str(self._file))
        if regular and not append:
            taken.truncate(0)

    def write(self, segment: bytes, of_index: bytes) -> None:
        """Append a segment to the file, and what is said of it to the index; neither where one fails.

        Raises DaqmxError -201305 for a full disk, -201302 for one that may not be written to any more, else -201309.
        """
        before = [os.fstat(file.fileno()) for file in self._open]
        try:
            for file, data in zip(self._open, (segment, of_index), strict=False):
                _write_all(file, data)
            if not os.path.samestat(self._place.stat(), before[0]):
                raise FileNotFoundError(errno.ENOENT, "the file has been moved away or replaced")
        except OSError as error:
            self._take_back(before)
            code = {**dict.fromkeys(_FULL, DISK_FULL), **dict.fromkeys(_PROTECTED, PROTECTED)}.get(error.errno or 0, CANNOT_WRITE)
            raise failure(self._task, self._file, error, code) from error

    def _take_back(self, before: list[os.stat_result]) -> None:
        for file, was in zip(self._open, before, strict=True):
            if stat.S_ISREG(was.st_mode):
                file.truncate(was.st_size)

    def close(self) -> None:
        """Others may write to them."""
        self._shut()
        self._known.pop(self._place, None)

    def _shut(self) -> None:
        for file in self._open:
            file.close()
        self._open.clear()


def failure(task: Task, file: Path, error: Exception, code: int = CANNOT_OPEN) -> DaqmxError:
    """The driver's error for what the system says of a file."""
    return task.fail(code, File_Path=str(file), Reason=f"{type(error).__name__} {error}".strip())


def _need_kind(place: Path) -> bool:
    """Whether it is a regular file, or will be; raises OSError for what would keep a writer waiting, or is no file."""
    if not place.exists():
        return True
    mode = place.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode)):
        raise OSError(errno.EINVAL, "it is not a file")
    return stat.S_ISREG(mode)


def _write_all(file: IO[bytes], data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def _locked(file: IO[bytes]) -> bool:
    """Whether the lock is ours; where there are none it always is."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
