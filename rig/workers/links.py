"""A worker's side of its pipes and of the board: what it says, and its signs of life."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from rig.console.outbox import Outbox
from rig.host import clock
from rig.streaming.heartbeat_table import GONE, HeartbeatTable
from rig.streaming.processes import SUPERVISOR, SUPERVISOR_SILENT

ORPHANED = "orphaned"
ABANDONED = "abandoned"
BEAT_EVERY = 0.2  # s
WAITING = 20.0  # s that one drive may take to be set up, and all together to come to their end: one that says nothing takes seconds
OUT_OF_MEMORY = "out of memory: this computer, or a limit that was set for the process, gives it no more"
LAST_WORDS = 1.0  # s for what has been said to go out: a supervisor that hangs reads nothing


class Links:
    """The worker's side of its pipes."""

    def __init__(self, out: IO[str], board: HeartbeatTable, name: str) -> None:
        self._out, self._board, self._name = Outbox(out), board, name
        self._told = -math.inf  # host_clock.now() of the last sign of life that was no waiting
        self._allowed: list[float] = []  # s that what is waited for may take; within one another, the last one counts from its own begin
        self._needed = threading.Event()
        # Begun now, and not when it is wanted: where no memory is left a thread does not come to its first line, and whoever starts one
        # waits for that for ever.
        threading.Thread(target=self._live, name="signs of life", daemon=True).start()
        self.alone = threading.Event()
        """Set when the supervisor is gone."""
        self.asked: Callable[[], bool] = lambda: False
        """Whether a command waits to be taken."""

    def send(self, message: str, **data: object) -> None:
        """One line to the supervisor; one that is gone hears nothing, which standard input tells by itself, and none is waited for."""
        self._out.put(json.dumps({"message": message, **data}))

    def said(self) -> bool:
        """Whether all of that has gone out, which is waited for a little."""
        return self._out.flush(LAST_WORDS)

    @property
    def abandoned(self) -> bool:
        """Whether the supervisor has given no sign of life for too long: nobody passes on what is said, nobody sees a death."""
        return self._board.silent(SUPERVISOR) > SUPERVISOR_SILENT

    def failed(self, error: BaseException) -> int:
        """Say why this process ends; returns its exit code."""
        text = f"{self._name}: {error}" if isinstance(error, OSError) else str(error)
        if isinstance(error, MemoryError):
            text = f"{self._name}: {OUT_OF_MEMORY}"
        self.send("failed", text=text, error=type(error).__name__, exit_code=getattr(error, "exit_code", 3))
        return 3

    def event(self, sample: int | None, kind: str, text: str, **data: object) -> None:
        """Something that belongs in the record."""
        self.send("event", sample=sample, source=self._name, kind=kind, text=text, **data)

    def request(self, verb: str, **data: object) -> None:
        """Ask the supervisor for something: "stop"; "begin" a test that has been prepared."""
        self.send("request", verb=verb, **data)

    def answer(self, asked: int | None, refused: str = "") -> None:
        """What has become of a request that has a number: taken, or refused, in words."""
        if asked is not None:
            self.send("answer", asked=asked, text=refused)

    def progress(self, sample: int) -> None:
        """No sample before this one is needed any more."""
        self._board.done(self._name, sample)

    def reached(self, name: str) -> int:
        """Sample up to which another process is done."""
        return self._board.reached(name)

    def gone(self, name: str) -> bool:
        """Whether another process has ended."""
        return self._board.reached(name) == GONE

    def beat(self) -> None:
        """A sign of life, for steps that take long. What is waited for within `signs_of_life` has its whole time anew."""
        self._told = clock.now()
        self._board.beat(self._name)

    @contextmanager
    def signs_of_life(self, most: float | None = None) -> Iterator[None]:
        """For as long as this lasts, `most` s or WAITING: a drive or a disk that takes its time is waited for, and that is no hanging.

        Of several that take their time one after the other each has that time, where `beat` is called in between.
        """
        self._told = clock.now()
        self._allowed.append(WAITING if most is None else most)
        self._needed.set()
        try:
            yield
        finally:
            self._allowed.pop()
            if not self._allowed:
                self._needed.clear()

    def _live(self) -> None:
        """It sleeps while nothing is waited for: the bench's own thread has the processor for itself in a test."""
        while self._needed.wait():
            time.sleep(BEAT_EVERY)
            if clock.now() <= self._told + max(self._allowed, default=-math.inf):
                self._board.beat(self._name)


class LongSteps:
    """`with` it, one step of a process that may wait for a disk, `most` s at the most: it gives signs of life meanwhile.

    One thread for all of them: steps are many, and most are short.
    """

    def __init__(self, beat: Callable[[], None], most: float) -> None:
        self._beat, self._most, self._begun = beat, most, math.inf
        threading.Thread(target=self._run, name="signs of life", daemon=True).start()

    def __enter__(self) -> None:
        self._begun = clock.now()

    def __exit__(self, *exc: object) -> None:
        self._begun = math.inf

    def _run(self) -> None:
        while True:
            time.sleep(BEAT_EVERY)
            if 0.0 <= clock.now() - self._begun < self._most:
                self._beat()
