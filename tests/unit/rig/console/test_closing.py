"""A console of Windows that is closed, by emulation: the system calls the handler on a thread, and ends the program behind it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from rig.console import closing
from rig.host import interruption
from rig.supervision import worker_process

ROOT = Path(__file__).parents[4]
# wincon.h: CTRL_C_EVENT 0, CTRL_BREAK_EVENT 1, CTRL_CLOSE_EVENT 2, CTRL_LOGOFF_EVENT 5, CTRL_SHUTDOWN_EVENT 6


def terminate() -> None:
    """Linux has no SIGBREAK. To the main thread: Linux gives a signal of the process to any of its threads where that one has another
    pending, and nothing wakes it from its sleep then."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


@pytest.mark.parametrize("event", [2, 5, 6])
def test_the_handler_stays_until_the_program_has_ended_in_order(event: int) -> None:
    handlers: list[closing.Handler] = []
    order: list[str] = []

    def system() -> None:
        assert handlers[0](event)
        order.append("ended by the system")

    with pytest.raises(interruption.AskedToEnd), interruption.as_keyboard(), closing.waited_for(handlers.append, terminate):
        thread = threading.Thread(target=system)
        try:
            thread.start()
            time.sleep(30.0)  # a test that goes on
        finally:
            order.append("closed in order")
            assert thread.is_alive(), "a handler that has returned is the end of the program"
    thread.join(10.0)
    assert order == ["closed in order", "ended by the system"]


@pytest.mark.parametrize("event", [0, 1])
def test_ctrl_c_and_ctrl_break_are_left_to_python(event: int) -> None:
    handlers: list[closing.Handler] = []
    with closing.waited_for(handlers.append, lambda: pytest.fail("nobody asked for an end")):
        assert handlers[0](event) is False


def test_it_waits_no_longer_than_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """5 s, after which the system ends the program whatever it does."""
    assert closing.PATIENCE < 5.0
    handlers: list[closing.Handler] = []
    monkeypatch.setattr(closing, "PATIENCE", 0.01)
    with closing.waited_for(handlers.append, lambda: None):
        assert handlers[0](2)


@pytest.mark.parametrize(("platform", "registered"), [("linux", 0), ("darwin", 0), ("win32", 1)])
def test_only_windows_is_asked_to_tell_of_the_console(monkeypatch: pytest.MonkeyPatch, platform: str, registered: int) -> None:
    """SetConsoleCtrlHandler is of Windows alone; elsewhere nothing calls for an end, and none is waited for."""
    handlers: list[closing.Handler] = []
    monkeypatch.setattr(closing, "sys", SimpleNamespace(platform=platform))
    monkeypatch.setattr(closing, "_register", handlers.append)
    monkeypatch.setattr(closing, "_break", lambda: pytest.fail("nobody closed the console"))
    inside = False
    with closing.waited_for():
        inside = True
    assert inside and len(handlers) == registered


FLAGS = """
import importlib, subprocess, sys
from rig.supervision import worker_process as children
sys.platform = "win32"
subprocess.CREATE_NEW_PROCESS_GROUP, subprocess.CREATE_NO_WINDOW = 0x200, 0x8000000  # winbase.h
print(importlib.reload(children)._APART)
"""


def test_the_processes_of_a_test_have_no_console_to_lose() -> None:
    """Else the system ends the bench process together with the window, and nobody ramps down."""
    done = subprocess.run([sys.executable, "-c", FLAGS], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.stdout.strip() == f"{{'creationflags': {0x8000200}}}", done.stderr
    assert worker_process._APART == {"start_new_session": True}


BREAK = """
import signal
signal.SIGBREAK = signal.SIGUSR2
from rig.host import interruption
with interruption.as_keyboard():
    try:
        signal.raise_signal(signal.SIGBREAK)
    except KeyboardInterrupt as error:
        print(error)
"""


def test_sigbreak_ends_a_command_as_ctrl_c_does() -> None:
    done = subprocess.run([sys.executable, "-c", BREAK], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.stdout == "Ctrl-Break, or the console closed\n"
