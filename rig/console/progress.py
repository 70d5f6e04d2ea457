"""What goes on, in one line of a terminal that is written over again and again."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator

from rig.host import clock

LAST_WORDS = 0.5  # s that the end of the line is waited for
WIDTH = 64  # characters that what stood there before does not go beyond
PAUSE = 10.0  # s between two lines where each stays, as in the file that standard error goes to


class Progress:
    """The newest line, from a thread of its own: a terminal that has been stopped (Ctrl-S), or that nobody reads, holds nobody up.

    It writes past Python's own buffer, whose lock a write that lasts would keep.
    """

    def __init__(self, fd: int) -> None:
        self._fd, self._newest, self._shown, self._over = fd, "", "", False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)
        self._thread.start()

    def show(self, line: str) -> None:
        """This instead of what stands there; one that has not been written by the next call never is."""
        with self._changed:
            self._newest = line
            self._changed.notify()

    def close(self) -> None:
        """End the line, where the terminal takes it."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self._thread.join(LAST_WORDS)

    def _run(self) -> None:
        over = False
        while not over:
            with self._changed:
                self._changed.wait_for(lambda: self._over or self._newest != self._shown)
                over, line = self._over, self._newest
            self._write((f"\r{line}" if line != self._shown else "") + ("\n" if over else ""))
            self._shown = line

    def _write(self, text: str) -> None:
        left = text.encode()
        with contextlib.suppress(OSError):  # a terminal that is being closed
            while left:
                left = left[os.write(self._fd, left) :]


@contextlib.contextmanager
def told_on_stderr(who: str) -> Iterator[Callable[[str], None]]:
    """A function that says how far `who` is: in one line of a terminal; elsewhere in a line of its own, not more often than each PAUSE."""
    line = Progress(sys.stderr.fileno()) if sys.stderr.isatty() else None
    last = -PAUSE

    def tell(words: str) -> None:
        nonlocal last
        if line is not None:
            line.show(f"{who}: {words}".ljust(WIDTH))
        elif clock.now() - last >= PAUSE:
            last = clock.now()
            print(f"{who}: {words}", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if line is not None:
            line.close()
