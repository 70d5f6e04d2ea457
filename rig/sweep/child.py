"""The computing process of a worker, from outside: started when needed, ended when a task takes too long, begun again when it dies."""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from typing import IO

import psutil

from drivers.interpreter import environment, python
from model.compiled.cache import cache_folder
from rig.errors import RigError
from rig.host import clock
from rig.sweep.rows import Asked, Row, Work

COMPILING = 1800.0  # s in which it is ready
LAST_WORDS = 200  # characters of what it said before it died


class Lost(RigError):
    """The process has died, or was ended since it took too long."""


class Child:
    """One computing process. Its caches are those of the computer that it runs on."""

    def __init__(self, work: Work, first: Asked) -> None:
        """Raises RigError where it cannot compute anything here."""
        self.work = work
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # it lives as long as the process
        self._process = subprocess.Popen(
            python("-m", "rig.host.begin", str(os.getpid()), "rig.sweep.computing"), env=_environment(work.home),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True, encoding="utf-8",
        )  # fmt: skip
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._say(work.to_json())
        self._say(first)
        wrong = json.loads(self._answer(COMPILING))["ready"]
        if wrong:
            self.end()
            raise RigError(f"{socket.gethostname()}: {wrong}")

    def compute(self, asked: Asked) -> Row:
        """Raises Lost."""
        begun = clock.now()
        try:
            self._say(asked)
            index, state, figures, wall, cpu, reason = json.loads(self._answer(self.work.time_limit))
        except TimeoutError:
            return Row.failed(asked[0], f"not done within its time limit of {self.work.time_limit:g} s", clock.now() - begun)
        return Row(index, state, tuple(figures), wall, cpu, reason)

    @property
    def alive(self) -> bool:
        """Whether it can be asked something."""
        return self._process.poll() is None

    def end(self) -> None:
        """At once, with what it has started."""
        try:
            tree = psutil.Process(self._process.pid).children(recursive=True)
        except psutil.Error:
            tree = []
        self._process.kill()
        for one in tree:
            try:
                one.kill()
            except psutil.Error:
                continue  # it has ended by itself
        self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put("")

    def _say(self, what: object) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise Lost(self._end_in_words()) from None

    def _answer(self, within: float) -> str:
        """Raises Lost; TimeoutError after that it has been ended."""
        try:
            line = self._answers.get(timeout=within)
        except queue.Empty:
            self.end()
            raise TimeoutError from None
        if not line.endswith("\n"):
            raise Lost(self._end_in_words())
        return line

    def _end_in_words(self) -> str:
        code = self._process.wait()
        how = f"by signal {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, self._said.tell() - LAST_WORDS))
        words = " ".join(self._said.read().decode("utf-8", "replace").split())
        return f"its process ended {how}{f' and said last: {words}' if words else ''}"


_here = threading.local()


def rows(work: Work, batch: Sequence[Asked]) -> list[Row]:
    """What a worker's thread is asked: the rows of some tasks. A task whose process dies is tried `work.deaths` times more."""
    found = []
    for asked in batch:
        reason = ""
        for _ in range(work.deaths + 1):
            try:
                found.append(_child(work, asked).compute(asked))
                break
            except Lost as error:
                reason = f"tried {work.deaths + 1} times: {error}" if work.deaths else str(error)
        else:
            found.append(Row.failed(asked[0], reason))
    return found


def end() -> None:
    """The computing process of this thread, where there is one."""
    if (child := getattr(_here, "child", None)) is not None:
        child.end()
        del _here.child


def _child(work: Work, first: Asked) -> Child:
    child: Child | None = getattr(_here, "child", None)
    if child is not None and child.alive and child.work == work:
        return child
    end()
    _here.child = Child(work, first)
    made: Child = _here.child
    return made


def _environment(home: str) -> dict[str, str]:
    """A home folder may be on every computer of a cluster: compiled code of one must not be another's."""
    given = environment()
    if (here := socket.gethostname()) != home:
        given["NUMBA_CACHE_DIR"] = str(cache_folder() / f"of-{here}")
    return {**given, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
