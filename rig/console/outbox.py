"""Lines on their way out through a pipe, from a thread of their own: whoever sends waits for nobody who does not read.

A pipe takes some 64 KB; behind that a write lasts until the other side reads, which one that has been stopped never does.
"""

from __future__ import annotations

import queue
import threading
from typing import IO


class Outbox:
    """Lines go out in the order in which they were put; those for a reader that is gone go nowhere."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._lines: queue.SimpleQueue[str | threading.Event | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
        self._thread.start()

    def put(self, line: str) -> None:
        """One line, without its end."""
        self._lines.put(line)

    def flush(self, patience: float) -> bool:
        """Wait until everything that was put is out, `patience` s at most; returns whether it is."""
        out = threading.Event()
        self._lines.put(out)
        return out.wait(patience)

    def close(self) -> None:
        """Close the pipe behind the last line; waits for nothing."""
        self._lines.put(None)

    def _run(self) -> None:
        gone = False
        while (item := self._lines.get()) is not None:
            if isinstance(item, threading.Event):
                item.set()
            elif not gone:
                gone = not self._write(item)
        try:
            self._out.close()
        except OSError:  # what could not be written is lost, and the reader with it
            return

    def _write(self, line: str) -> bool:
        """False where nobody is left to read."""
        try:
            self._out.write(line + "\n")
            self._out.flush()
        except (OSError, ValueError):
            return False
        return True
