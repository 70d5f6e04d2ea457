"""Standard input, output and error as they must be for a command to do its work wherever it was started.

A program may be started without them (`>&-`, a window program on Windows), with an output that has a code page of its own
(cp1252 in a file on Windows, ASCII under `LC_ALL=C`), or with a reader that leaves (`| head`). None of that ends a command, which may
be moving something: what nobody reads goes nowhere, what cannot be written is written in other letters.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from rig.console.plain_letters import PLAIN, in_plain_letters

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

BY_NUMBER = "rig.console.plain_letters"
"""Name of the error handler for characters that an encoding lacks."""
GONE = {errno.EPIPE, errno.EBADF, *((errno.EINVAL,) if sys.platform == "win32" else ())}
"""What a write ends with when nobody is there to read: Windows tells a broken pipe as an invalid argument."""


class Unwritable(OSError):
    """Standard output did not take what was to be written, and somebody is waiting for it."""


class Listener(io.FileIO):
    """A file descriptor that may lose its reader; what is written behind it goes nowhere.

    lossy: whatever goes wrong is of no account. A disk that is full of messages is no reason to end a test, one that is full before the
    result is.
    """

    def __init__(self, fd: int, lossy: bool) -> None:
        super().__init__(fd, "w", closefd=False)
        self._lossy = lossy

    def write(self, data: ReadableBuffer) -> int:
        """Bytes that have been dealt with. Raises Unwritable."""
        try:
            return super().write(data) or 0
        except OSError as error:
            if not self._lossy and error.errno not in GONE:
                self._lossy = True  # said once; when Python ends it flushes once more
                raise Unwritable(error.errno, error.strerror) from error
            if error.errno in GONE:
                _lead_nowhere(self.fileno())
            return memoryview(data).nbytes


class PlainText(io.TextIOWrapper):
    """Text in a code page: its reader guesses which, so that signs that not all of them have at the same place are spelt out."""

    def write(self, text: str) -> int:
        """Characters of `text`."""
        super().write(text.translate(PLAIN))
        return len(text)


def prepare() -> None:
    """Make the three streams of this program usable."""
    codecs.register_error(BY_NUMBER, in_plain_letters)
    for fd in (0, 1, 2):
        _fill(fd)
    sys.stdin = _input(sys.stdin)
    sys.stdout = _output(sys.stdout, 1)
    sys.stderr = _output(sys.stderr, 2)


def _fill(fd: int) -> None:
    """Open a closed descriptor, or the next file that the program opens would get its number, and the messages in it."""
    try:
        os.fstat(fd)
    except OSError:
        _lead_nowhere(fd)


def _lead_nowhere(fd: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere == fd:
        os.set_inheritable(fd, True)
        return
    os.dup2(nowhere, fd)
    os.close(nowhere)


def _input(stream: TextIO | None) -> TextIO:
    """Bytes that are no text are answered like other nonsense that is typed."""
    if stream is None:
        return open(os.devnull, encoding="utf-8")  # noqa: PTH123  # for as long as the program lasts
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


def _output(stream: TextIO | None, fd: int) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8", errors=BY_NUMBER)  # noqa: PTH123
    if not isinstance(stream, io.TextIOWrapper):  # of a test, or of a program that took the output
        return stream
    stream.reconfigure(errors=BY_NUMBER)
    if not isinstance(getattr(stream.buffer, "raw", stream.buffer), io.FileIO):  # the console of Windows has every letter, and no end
        return stream
    stream.flush()
    kind = io.TextIOWrapper if codecs.lookup(stream.encoding).name.startswith("utf") else PlainText
    listener, at_once = io.BufferedWriter(Listener(fd, lossy=fd == 2)), stream.line_buffering or stream.write_through
    return kind(listener, stream.encoding, errors=BY_NUMBER, line_buffering=at_once)
