"""One session of a test at a time: from its start until its files are judged and sealed, nobody else may work in its folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from rig.errors import ConfigError
from rig.streaming import streams

LOCK = "resume.lock"


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else runs, judges or goes on with the test of this folder meanwhile. Raises ConfigError."""
    lock = folder / LOCK
    try:
        with lock.open("x", encoding="ascii") as file:
            file.write(f"{os.getpid()} {streams.start_time(os.getpid())}")
    except FileExistsError:
        need_nobody(folder)
        lock.unlink(missing_ok=True)  # of a process that was killed
        with alone(folder):
            yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # a disk that takes nothing any more: how the test ended is told all the same, and a lock of
            lock.unlink(missing_ok=True)  # one that has ended stands in nobody's way


def need_nobody(folder: Path) -> None:
    """Raises ConfigError while a process runs the test of this folder, goes on with it, or judges it."""
    with contextlib.suppress(OSError):
        pid, _, started = (folder / LOCK).read_text(encoding="ascii").partition(" ")
        if pid.isdigit() and started and streams.is_alive(int(pid), float(started)):
            what = f"process {pid} is at work on this test: it goes on with it, or judges and seals what was run"
            raise ConfigError(f"{folder}: {what}; nothing was done. Wait until it has ended")
