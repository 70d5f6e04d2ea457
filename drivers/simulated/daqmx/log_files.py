"""Who writes to a log file: one task, and no other program where the system can tell."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from drivers.simulated.daqmx.tasks import Task

if sys.platform != "win32":
    import fcntl


class Held:
    """A log file that a task writes to, until it is closed. `known`: those of all tasks, by their place.

    Raises DaqmxError -201306 for a file that another task writes to, -201311 for one that another program has locked; OSError.
    """

    def __init__(self, task: Task, known: dict[Path, Task], file: Path) -> None:
        self._known, self._place = known, file.resolve()
        if self._place in known:
            raise task.fail(-201306, File_Path=str(file))
        self._lock = self._place.open("ab")
        if not _locked(self._lock):
            self._lock.close()
            raise task.fail(-201311, File_Path=str(file))
        known[self._place] = task

    def close(self) -> None:
        """Others may write to it."""
        self._lock.close()
        self._known.pop(self._place, None)


def _locked(file: IO[bytes]) -> bool:
    """Whether the lock is ours; where there are none it always is."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
