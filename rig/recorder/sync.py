"""Files that are being written are brought to the disk each second."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path
from typing import IO

from rig.errors import RigError

SYNC_EVERY = 1.0  # s between two fsyncs
CONFIRMED_WITHIN = 45.0  # s for the last fsyncs: four of them, on a disk that takes ten seconds for one
JOURNALS = ".bin"


class Sync:
    """Brings files to the disk each second from a thread of its own: an fsync can take longer than a block lasts."""

    def __init__(self, paths: list[Path]) -> None:
        self.error: OSError | MemoryError | None = None
        self._paths = [*paths]
        self._files: list[IO[bytes]] = [path.open("r+b", buffering=0) for path in paths]
        self._left: list[IO[bytes]] = []
        self._changing = threading.Lock()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fsync", daemon=True)
        self._thread.start()

    def begin(self, path: Path) -> None:
        """A further file."""
        with self._changing:
            self._paths.append(path)
            self._files.append(path.open("r+b", buffering=0))

    def leave(self, path: Path) -> None:
        """A file that is not written any more. It may be on its way to the disk now, so that the thread itself closes it."""
        with self._changing:
            number = self._paths.index(path)
            self._left.append(self._files.pop(number))
            self._paths.pop(number)

    def check(self) -> None:
        """Raise RigError where the disk gave up, or the files are gone."""
        if isinstance(self.error, FileNotFoundError):
            gone = self.error.filename or self._paths[0]
            raise RigError(f"recorder: {gone} is gone: it was removed or replaced while it was being written; nothing is recorded any more")
        if isinstance(self.error, MemoryError):
            raise RigError("recorder: out of memory: the record cannot be brought to the disk any more")
        if self.error is not None:
            raise RigError(f"recorder: the disk does not take the record: {self.error}")

    def stop(self) -> None:
        """Bring everything to the disk a last time and end. A disk that does not come to an end is not waited for for ever."""
        self._end.set()
        self._thread.join(CONFIRMED_WITHIN)
        if self._thread.is_alive():
            self.error = TimeoutError(f"it has not confirmed the end of {self._paths[0].parent} within {CONFIRMED_WITHIN:g} s")
            return
        for file in (*self._files, *self._left):
            file.close()
        self._files, self._left = [], []

    def _run(self) -> None:
        while not self._end.wait(SYNC_EVERY):
            self._sync()
        self._sync()

    def _sync(self) -> None:
        try:
            for path, file in self._now_open():
                os.fsync(file.fileno())
                if not os.path.samestat(os.fstat(file.fileno()), path.stat()):  # what is written goes on, into a file without a name
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
                # The journal is not read again: giving its pages back saves fresh ones (a third of this process's time, measured).
                if path.suffix == JOURNALS and hasattr(os, "posix_fadvise"):
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        except (OSError, MemoryError) as error:
            self.error = error

    def _now_open(self) -> list[tuple[Path, IO[bytes]]]:
        with self._changing:
            for file in self._left:
                file.close()
            self._left.clear()
            return [*zip(self._paths, self._files, strict=True)]
