"""What bluesky waits for: done or not, and with which error."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Status:
    """Fulfils `bluesky.protocols.Status`; done once, from any thread."""

    def __init__(self) -> None:
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[Status], None]] = []

    @property
    def done(self) -> bool:
        return self._ended.is_set()

    @property
    def success(self) -> bool:
        return self.done and self._error is None

    def exception(self, timeout: float | None = 0.0) -> BaseException | None:
        """The error; None where there is none. Raises TimeoutError where it is not done within `timeout` s (None: as long as it takes)."""
        if not self._ended.wait(timeout):
            raise TimeoutError("not done yet")
        return self._error

    def add_callback(self, callback: Callable[[Status], None]) -> None:
        """Call it with this when done; at once where it is."""
        with self._lock:
            if not self.done:
                self._callbacks.append(callback)
                return
        callback(self)

    def finish(self, error: BaseException | None = None) -> None:
        """Done, the first time that it is called."""
        with self._lock:
            if self.done:
                return
            self._error = error
            self._ended.set()
        for callback in self._callbacks:
            callback(self)
