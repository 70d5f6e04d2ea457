"""The board of a run: one small mapped file where every process shows that it lives and how far it has come.

A row a process: clock.now() of its last sign of life, and the number of samples it is done with. The bench reads the rows of
the strict readers when its device waits for the program (pace "lockstep"), so that nobody is overtaken there; the supervisor reads all.
"""

from __future__ import annotations

import math
import mmap
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from rig.host import clock

GONE = 2**62
_ROW = np.dtype([("alive", "<f8"), ("sample", "<i8")])


class HeartbeatTable:
    """Open for every process of a run; each writes its own row only (the supervisor marks the rows of the dead)."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        self._names = {name: row for row, name in enumerate(names)}
        self._rows = np.frombuffer(self._map, _ROW)

    @classmethod
    def create(cls, path: Path, names: Sequence[str]) -> HeartbeatTable:
        """Make the file. A reader that is not there yet holds nobody up only when it is marked as gone."""
        path.write_bytes(np.zeros(len(names), _ROW).tobytes())
        return cls(path, names)

    def beat(self, name: str) -> None:
        self._rows["alive"][self._names[name]] = clock.now()

    def alive(self, name: str) -> float:
        """clock.now() of the last sign of life, s; 0 before the first."""
        return float(self._rows["alive"][self._names[name]])

    def silent(self, name: str) -> float:
        """s since the last sign of life; very many before the first."""
        return clock.now() - self.alive(name) if self.alive(name) else math.inf

    def done(self, name: str, sample: int) -> None:
        """Process `name` needs no sample before `sample` any more."""
        self._rows["sample"][self._names[name]] = sample

    def gone(self, name: str) -> None:
        """Process `name` reads nothing any more: nobody waits for it."""
        self.done(name, GONE)

    def reached(self, name: str) -> int:
        """The sample up to which process `name` is done; GONE when nobody waits for it."""
        return int(self._rows["sample"][self._names[name]])

    def close(self) -> None:
        del self._rows
        self._map.close()


@contextmanager
def beating(beat: Callable[[], None], every: float, expired: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """A sign of life every `every` s, for as long as this lasts or until the time for it has `expired`: what takes long does not hang."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(every) and not expired():
            beat()

    thread = threading.Thread(target=run, name="signs of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
