"""A command that only computes has ended a few seconds after it was asked to, whatever holds it.

As a rule Ctrl-C unwinds it in order. That is an exception, though, and an exception may be lost in a callback, leave the lock of a module
that was just being imported to nobody, or wait for a thread that compiles for a minute. So a thread of its own hears of the signal (C code
writes its number into a socket, whatever the main thread does), gives the rest `GRACE`, and ends the process and those that it started.

An interruption that was lost in a callback (a weak reference's, a destructor's) is made again at once.

Commands that may move something are not among these: how they end is theirs to say. Little is imported here: it is there from the start.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from rig.host.interruption import SIGNALLED, WORDS, exit_code

GRACE = 3.0  # s in which a command may close in order what it has open
AGAIN = 0.02  # s after an interruption was lost
LAST = 2.0  # s for its last words and for the processes that it has started
ONLY_COMPUTE = frozenset(
    {
        "simulate", "sweep", "compare", "judge", "budget", "identify", "kinematics", "predict", "laws", "reproduce", "rths", "benchmark",
        "warmup",
    }
)  # fmt: skip

Say = Callable[[int], None]


def computes(arguments: Sequence[str]) -> bool:
    """Whether the command line asks for a command that moves nothing."""
    return next((word for word in arguments if not word.startswith("-")), None) in ONLY_COMPUTE


@contextlib.contextmanager
def bounded(say: Say) -> Iterator[None]:
    """For as long as this lasts, each signal of `rig.host.interruption` that is not ignored ends the process after GRACE at the latest;
    `say` is called before that with its number."""
    from socket import socketpair  # on Windows nothing else may be written to by a signal

    heard, written = socketpair()
    written.setblocking(False)
    before = signal.set_wakeup_fd(written.fileno(), warn_on_full_buffer=False)
    over = False

    def listen() -> None:
        with heard:
            while number := heard.recv(1):
                if number[0] in WORDS:
                    time.sleep(GRACE)
                    if over:
                        return
                    end(SIGNALLED + number[0], lambda: say(number[0]))

    _thread.start_new_thread(listen, ())
    told, sys.unraisablehook = sys.unraisablehook, _again_unless(sys.unraisablehook)
    try:
        yield
    finally:
        over, sys.unraisablehook = True, told
        signal.set_wakeup_fd(before)
        written.close()


def _again_unless(tell: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], object]:
    """A hook that interrupts the main thread once more where an interruption was lost, and else is `tell`."""

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            tell(lost)
            return
        number = exit_code(lost.exc_value or KeyboardInterrupt()) - SIGNALLED  # type: ignore[arg-type]
        _thread.start_new_thread(interrupt, (number,))

    main = _thread.get_ident()

    def interrupt(number: int) -> None:
        time.sleep(AGAIN)  # out of the hook, where it would be lost as well
        if sys.platform == "win32":
            _thread.interrupt_main(number)
        else:
            signal.pthread_kill(main, number)  # a thread that sleeps or waits wakes up by it

    return hook


def end(code: int, say: Callable[[], None] | None = None) -> None:
    """End this process at once, with those that it started; no thread is waited for. `say`: last words, LAST at the most."""
    done = _thread.allocate_lock()
    done.acquire()

    def last() -> None:
        try:
            end_children()
            if say is not None:
                say()
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
                    stream.flush()
        finally:
            done.release()

    _thread.start_new_thread(last, ())
    done.acquire(timeout=LAST)
    os._exit(code)


def end_children() -> None:
    """Kill every process that this one has started, and theirs."""
    if "psutil" not in sys.modules:  # what starts processes here has: rig.files.confined_reading, models.warmup
        return
    psutil = sys.modules["psutil"]
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            child.kill()
