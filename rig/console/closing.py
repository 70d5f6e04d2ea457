"""A console of Windows that is closed, by its window, by logging off or by shutting down.

The system ends a program as soon as its handler returns, 5 s after the call at the latest; Python's own handler returns at once. This one
asks the program to end as Ctrl-C does, and stays until it has.
The children of a test have no console to lose (`rig.supervision.worker_process`).
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rig.host.interruption import leave_terminal

CLOSED, LOGGED_OFF, SHUT_DOWN = 2, 5, 6
"""CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT (wincon.h); 0 and 1 are Ctrl-C and Ctrl-Break, which Python takes itself."""
PATIENCE = 4.5  # s of the 5 that the system waits

Handler = Callable[[int], bool]
Register = Callable[[Handler], object]


@contextmanager
def waited_for(register: Register | None = None, interrupt: Callable[[], None] | None = None) -> Iterator[None]:
    """For as long as this lasts the end of the console asks for an end, and gets one in order; nothing but on Windows.

    register, interrupt: in the place of the system's, for tests.
    """
    if register is None and sys.platform != "win32":
        yield
        return
    ended = threading.Event()
    ask = interrupt or _break

    def handler(event: int) -> bool:
        if event not in (CLOSED, LOGGED_OFF, SHUT_DOWN):
            return False
        leave_terminal()
        ask()
        ended.wait(PATIENCE)
        return True

    kept = (register or _register)(handler)
    try:
        yield
    finally:
        ended.set()
        del kept


def _break() -> None:
    _thread.interrupt_main(signal.SIGBREAK)  # type: ignore[attr-defined]  # of Windows only


def _register(handler: Handler) -> object:
    """The handler as the system calls it, to be kept for as long as it is in force."""
    import ctypes

    made = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)(handler)  # type: ignore[attr-defined]
    ctypes.windll.kernel32.SetConsoleCtrlHandler(made, 1)  # type: ignore[attr-defined]
    return made
