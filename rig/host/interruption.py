"""What ends a command from outside: Ctrl-C, a request to terminate, and a terminal that is closed (or an ssh that breaks).

A hang-up is told twice as a rule, by the kernel and by the shell, and counts once; behind it nothing can be written to the terminal any
more. Where hang-ups were ignored when the program began, as under `nohup`, they stay ignored.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from types import FrameType

HANGUP: int | None = getattr(signal, "SIGHUP", None)  # not on Windows
BREAK: int | None = getattr(signal, "SIGBREAK", None)  # on Windows only: Ctrl-Break, and a console that is closed (rig.console.closing)
WORDS: dict[int, str] = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "asked to terminate"}
WORDS |= {HANGUP: "terminal closed"} if HANGUP else {}
WORDS |= {BREAK: "Ctrl-Break, or the console closed"} if BREAK else {}

SIGNALLED = 128
"""What a shell adds to the number of the signal that ended a program."""


class AskedToEnd(KeyboardInterrupt):
    """Something other than Ctrl-C that ends a command as Ctrl-C does; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(WORDS[number])
        self.number = number


_hung_up = False
_terminals = [fd for fd in (1, 2) if os.isatty(fd)]


def hung_up() -> bool:
    """Whether the terminal was closed since the program began."""
    return _hung_up


def exit_code(error: KeyboardInterrupt) -> int:
    """What a shell says of a program that a signal ended: 128 and the number of the signal."""
    return SIGNALLED + (error.number if isinstance(error, AskedToEnd) else signal.SIGINT)


def code_of(words: str) -> int:
    """The exit code by the words of what asked for the end; what was asked for in another way, as by a button, ends as Ctrl-C does."""
    return SIGNALLED + next((number for number, one in WORDS.items() if one == words), int(signal.SIGINT))


def answered(answer: Callable[[str], None], but: Collection[int] = ()) -> AbstractContextManager[None]:
    """For as long as this lasts `answer` is called with the words of what came; a hang-up that comes again is not told.

    but: signals that do what they did before. Only the main thread can take signals.
    """
    return _handled(lambda number: answer(WORDS[number]), but)


@contextmanager
def _handled(answer: Callable[[int], None], but: Collection[int]) -> Iterator[None]:
    def handler(number: int, frame: FrameType | None) -> None:
        if number != HANGUP or _first_hangup():
            answer(number)

    before = {number: signal.signal(number, handler) for number in WORDS if number not in but and not _stays_ignored(number)}
    try:
        yield
    finally:
        for number, one in before.items():
            signal.signal(number, one)


def as_keyboard() -> AbstractContextManager[None]:
    """For as long as this lasts everything that ends a command does so as Ctrl-C does: what is open is closed in order."""

    def interrupt(number: int) -> None:
        raise AskedToEnd(number)

    return _handled(interrupt, but=(signal.SIGINT,))


def in_spite_of_hangup() -> AbstractContextManager[None]:
    """For as long as this lasts a terminal that is closed keeps nothing from being finished."""
    return answered(lambda words: None, but=(signal.SIGINT, signal.SIGTERM))


def _stays_ignored(number: int) -> bool:
    return number == HANGUP and signal.getsignal(number) is signal.SIG_IGN


def _first_hangup() -> bool:
    global _hung_up
    first, _hung_up = not _hung_up, True
    if first:
        leave_terminal()
    return first


def leave_terminal() -> None:
    """A terminal is gone: what was written to the terminal goes nowhere from here on, instead of ending the program."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for fd in _terminals:
        os.dup2(nowhere, fd)
    os.close(nowhere)
    with suppress(OSError):
        sys.stderr.flush()
