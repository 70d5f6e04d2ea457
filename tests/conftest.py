"""Seeded property tests without a deadline: the machines that they run on are shared. Signals mean what they mean at a terminal. A test
that failed while the machine did is made again, and told of at the end (`machine`)."""

import gc
import os
import signal
import sys
from collections.abc import Iterator

import machine
import pytest
from hypothesis import settings

# As the command has it (rig/entry.py), before anybody imports NumPy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("rig", deadline=None, derandomize=True, max_examples=40)
# Others each time: HYPOTHESIS_PROFILE=thorough, as in `make campaign`.
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "rig"))

STALLS = pytest.StashKey[machine.Stalls]()


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[STALLS] = machine.Stalls()


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.stash[STALLS].close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    machine.summary(terminalreporter)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Thousands of tests and what they import stay: no garbage collection need look through them, now or again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """The campaign looks for what is rare, and makes nothing again."""
    if not isinstance(item, pytest.Function) or item.get_closest_marker("campaign"):
        return None
    return machine.protocol(item, nextitem, lambda: machine.Attempt(item.config.stash[STALLS]))


@pytest.fixture(autouse=True)
def no_line_is_left_open() -> Iterator[None]:
    """A serial line that a test has left open stands in the way of a later one whose simulated device gets the same port."""
    yield
    lines = sys.modules.get("drivers.serial.serial_line")
    left = {} if lines is None else dict(lines._ports)
    if lines is not None:
        lines._ports.clear()
    names = [user.name for port in left.values() for user in port.users]
    assert not left, f"left open: {', '.join(names)} at {', '.join(left)}"


@pytest.fixture(autouse=True, scope="session")
def signals_are_heard() -> Iterator[None]:
    """Tests, and the programs that they start, must not inherit that Ctrl-C or hangups are ignored, as what a shell starts with `&` or
    `nohup` does."""
    heard = {signal.SIGINT: signal.default_int_handler}
    if hasattr(signal, "SIGHUP"):
        heard[signal.SIGHUP] = signal.SIG_DFL
    before = {number: signal.signal(number, handler) for number, handler in heard.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
