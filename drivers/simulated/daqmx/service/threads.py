"""Threads that serve calls: as many as there are calls at work, so that calls that wait keep nobody else from being served."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import ParamSpec, TypeVar

MOST = 1024
"""Most threads: each open stream of events and each call that waits holds one."""
RESERVE = 128
"""Threads out of these that only calls that do not wait may have: a task can be stopped and cleared whoever waits."""
SPARE = 32
"""Most threads that are kept with nothing to do."""

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
_Work = tuple[Callable[[], None], Callable[[], bool]]
"""Makes a call and hands over its answer; gives it up."""


class Workers(Executor):
    """An executor that starts a thread whenever all of them are at work, and lets those go that there are too many of."""

    def __init__(self, most: int = MOST, reserve: int = RESERVE, spare: int = SPARE) -> None:
        self.most, self._reserve, self._spare = most, reserve, spare
        self._queue: SimpleQueue[_Work | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._busy = self._threads = 0
        self._closed = False

    @property
    def threads(self) -> int:
        """How many threads there are."""
        return self._threads

    @property
    def at_work(self) -> int:
        """How many calls have a thread, or wait for one; a call may have its answer a moment before its thread is free."""
        return self._busy

    @property
    def full(self) -> bool:
        """Whether only the reserve is left, the caller being at work: it is not to wait."""
        return self._busy > self.waiting

    @property
    def waiting(self) -> int:
        """Most calls that may wait at once."""
        return self.most - self._reserve

    def submit(self, fn: Callable[Arguments, Answer], /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Future[Answer]:
        """Have a call made by a thread. Raises RuntimeError after the shutdown."""
        future: Future[Answer] = Future()

        def make() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(fn(*args, **kwargs))
                except BaseException as error:
                    future.set_exception(error)

        with self._lock:
            if self._closed:
                raise RuntimeError("the server's threads have been shut down")
            self._busy += 1
            self._queue.put((make, future.cancel))
            if self._busy > self._threads and self._threads < self.most:
                self._grow()
        return future

    def _grow(self) -> None:
        try:
            threading.Thread(target=self._work, name="daqmx worker", daemon=True).start()
            self._threads += 1
        except RuntimeError:
            # The system gives no more threads: it is full with those there are.
            self.most = max(self._threads, self._reserve + 1)

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            work[0]()
            del work  # nothing of a call is kept while there is none
            with self._lock:
                self._busy -= 1
                if self._threads - self._busy > self._spare:
                    self._threads -= 1
                    return

    def _next(self) -> _Work | None:
        try:
            return self._queue.get_nowait()
        except Empty:
            return None

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """No more calls; with `cancel_futures` those that no thread has taken up are given up. Threads end once they are done."""
        with self._lock:
            self._closed = True
            while cancel_futures and (work := self._next()) is not None:
                work[1]()
            for _ in range(self._threads):
                self._queue.put(None)
