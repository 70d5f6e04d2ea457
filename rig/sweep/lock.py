"""One campaign at a time writes a result."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from rig.errors import ConfigError
from rig.streaming import streams


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Nobody else does meanwhile; the lock of a process that was killed is taken over. Raises ConfigError."""
    _take(lock)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # one of a process that has ended stands in nobody's way
            lock.unlink(missing_ok=True)


def _take(lock: Path) -> None:
    mine = lock.with_name(f"{lock.name}.{socket.gethostname()}-{os.getpid()}")
    try:
        mine.write_text(f"{socket.gethostname()} {os.getpid()} {streams.start_time(os.getpid())}", encoding="utf-8")
        for _ in range(2):
            try:
                os.link(mine, lock)  # there with its content, or not at all
                return
            except FileExistsError:
                _need_nobody(lock)
                lock.unlink(missing_ok=True)
        raise ConfigError(f"{lock}: another campaign has just begun there; nothing was done")
    except OSError as error:
        raise ConfigError(f"{lock}: cannot be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            mine.unlink(missing_ok=True)


def _need_nobody(lock: Path) -> None:
    try:
        host, pid, started = lock.read_text(encoding="utf-8").split(" ")
    except (FileNotFoundError, ValueError):
        return  # it has ended meanwhile
    if host != socket.gethostname():
        raise ConfigError(
            f"{lock}: process {pid} on {host} has begun a campaign there; if it has been killed, remove this file. Nothing was done"
        )
    if streams.is_alive(int(pid), float(started)):
        raise ConfigError(f"{lock}: process {pid} runs a campaign there; wait until it has ended, or give another --out. Nothing was done")
