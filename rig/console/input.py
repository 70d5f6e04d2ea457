"""Lines that a person types, or that come from a file, while the program goes on with something else."""

from __future__ import annotations

import io
import os
import queue
import threading
from typing import TextIO


class ConsoleInput:
    """What comes on a stream, by a thread of its own. `by_hand`: a terminal, where a line may come at any moment and mean "stop"."""

    def __init__(self, stream: TextIO) -> None:
        self.by_hand = stream.isatty()
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, args=(stream,), daemon=True, name="typed lines").start()

    def next(self, patience: float) -> str | None:
        """The next line, without its end; None when there is none within `patience` s. Raises EOFError where the stream has ended."""
        try:
            line = self._lines.get(timeout=patience)
        except queue.Empty:
            return None
        if line is None:
            raise EOFError
        return line

    def called(self) -> bool:
        """Whether a person has typed a line that nobody has taken yet."""
        return self.by_hand and not self._lines.empty()

    def _read(self, stream: TextIO) -> None:
        try:
            descriptor = stream.fileno()
        except io.UnsupportedOperation:
            for line in stream:
                self._lines.put(line.rstrip("\r\n"))
        else:
            self._read_descriptor(descriptor)
        self._lines.put(None)

    def _read_descriptor(self, descriptor: int) -> None:
        """Past the stream's own buffer: a thread that holds its lock at the end of the program would keep that from ending."""
        rest = b""
        while data := os.read(descriptor, 4096):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._lines.put(line.decode(errors="replace").rstrip("\r"))
        if rest:
            self._lines.put(rest.decode(errors="replace"))
