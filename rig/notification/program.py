"""One program, run within bounds: time, what it prints, and everything that it has started."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from rig.host import clock

GRACE = 1.0  # s between asking it to end and ending it
LOST = 2.0  # s for one that the system does not end, because it waits for a disk
LEAST = 0.02  # s between two looks
KEPT = 400  # characters of what it printed
FLOOD = 2**20  # bytes that it may print
LONGEST_BEYOND = GRACE + 2 * LOST
"""s beyond its time limit that a program may keep anybody waiting."""


@dataclass(frozen=True)
class Ending:
    """How it went, in words; `ok` is exit 0 in time."""

    ok: bool
    words: str
    seconds: float


def unusable(program: Sequence[str]) -> str:
    """In words why a program cannot be started; empty where it can."""
    name = program[0]
    if shutil.which(name):
        return ""
    if not Path(name).is_absolute():
        return f"{name}: not found on the PATH"
    return f"{name}: {'is not executable' if Path(name).exists() else 'there is no such file'}"


def run(program: Sequence[str], given: bytes, variables: Mapping[str, str], time_limit: float) -> Ending:
    """Run it to its end, or to `time_limit` s; returns after at most LONGEST_BEYOND s more, and nothing of its group is left."""
    begun = clock.now()
    if why := unusable(program):
        return Ending(False, f"not started: {why}", 0.0)
    try:
        with tempfile.TemporaryFile() as file:  # not a pipe: one that does not read keeps nobody waiting
            file.write(given)
            file.seek(0)
            process = _started(program, file.fileno(), variables)
    except (OSError, ValueError) as error:
        return Ending(False, f"not started: {(error.strerror if isinstance(error, OSError) else None) or error}", 0.0)
    printed = _Printed(process)
    why = _watch(process, printed, begun + time_limit, time_limit)
    _end_all(process, ask=bool(why))
    took = clock.now() - begun
    said = printed.text()
    how = why or (f"exit {process.returncode}" if process.returncode is not None else "could not be ended")
    return Ending(not why and process.returncode == 0, f"{how}, {took:.1f} s" + (f": {said}" if said else ""), took)


def _started(program: Sequence[str], given: int, variables: Mapping[str, str]) -> subprocess.Popen[bytes]:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    return subprocess.Popen(
        [*program], stdin=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **variables},
        start_new_session=sys.platform != "win32", creationflags=flags,
    )  # fmt: skip


class _Printed:
    """What a program prints, read in a thread of its own; the beginning is kept."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self._out, self._head, self.size = process.stdout, b"", 0
        self._thread = threading.Thread(target=self._read, name="printed", daemon=True)
        self._thread.start()

    def text(self) -> str:
        """In one line, without what would steer a terminal."""
        self._thread.join(0.2)  # one that it has started and that has left its group may hold the pipe for ever
        words = " ".join(self._head.decode("utf-8", "replace").split())
        plain = "".join(letter if letter.isprintable() else "?" for letter in words)
        return plain if len(plain) <= KEPT else f"{plain[:KEPT]} ..."

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._out:
            while chunk := os.read(self._out.fileno(), 65536):
                self.size += len(chunk)
                self._head = (self._head + chunk)[: 4 * KEPT] if len(self._head) < 4 * KEPT else self._head
                if self.size > FLOOD:
                    return  # the pipe is closed: it cannot go on printing


def _watch(process: subprocess.Popen[bytes], printed: _Printed, deadline: float, limit: float) -> str:
    """Until it has ended: empty; or in words why it is not waited for any longer."""
    pause = LEAST
    while not _has_ended(process) and printed.size <= FLOOD:
        if clock.now() >= deadline:
            return f"ended, as it took longer than its time limit of {limit:g} s"
        time.sleep(min(pause, max(0.0, deadline - clock.now())))
        pause = min(2 * pause, 0.1)
    return f"ended, as it printed more than {FLOOD >> 20} MiB" if printed.size > FLOOD else ""


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Without taking its end from the system: as long as it is not taken nobody else gets its number, by which its group is ended."""
    if sys.platform == "win32":
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _end_all(process: subprocess.Popen[bytes], ask: bool) -> None:
    """It and all that it has started: asked first where it still runs."""
    if ask:
        _signal(process, signal.SIGTERM)
        until = clock.now() + GRACE
        while not _has_ended(process) and clock.now() < until:
            time.sleep(LEAST)
    _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(LOST)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To its whole group."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        return
    with contextlib.suppress(psutil.Error):  # pragma: no cover - Windows has no groups that could be ended
        for one in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
            one.kill()
