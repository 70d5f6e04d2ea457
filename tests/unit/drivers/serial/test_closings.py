"""A port that several threads use is closed by the last of them, after what is under way on it.

Who has to wait is given `PATIENCE` in vain: it waits for what cannot end meanwhile, however busy the machine is.
"""

from __future__ import annotations

import threading

import pytest

from drivers.serial.serial_line import SerialLine, _Port
from tests.unit.drivers.serial.memory_port import Port, opened, whole

PATIENCE = 0.05  # s


def closing(line: SerialLine) -> threading.Thread:
    """A thread that closes it, as far as it has come."""
    thread = threading.Thread(target=line.close)
    thread.start()
    thread.join(PATIENCE)
    return thread


def test_a_port_is_closed_after_the_exchange_that_is_under_way(port: Port) -> None:
    line = opened()
    port.answers = [[(0.01, b"here\n")]]
    seen: list[tuple[bool, int]] = []
    threads: list[threading.Thread] = []

    def parse(got: bytes) -> bytes | None:
        threads.append(closing(line))
        seen.append((threads[0].is_alive(), port.closed))
        return whole(got)

    assert line.exchange(b"?\n", parse) == b"here"
    threads[0].join()
    assert seen == [(True, 0)] and port.closed == 1


def test_one_that_another_line_is_opening_stays_open(port: Port, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first to use it leaves just then: the port is the other's already, though it is not among its users yet."""
    first = opened()
    threads: list[threading.Thread] = []
    real = _Port.open

    def slowly(self: _Port) -> None:
        real(self)
        if not threads:
            threads.append(closing(first))

    monkeypatch.setattr(_Port, "open", slowly)
    other = opened("other")
    threads[0].join()
    port.answers = [[(0.01, b"here\n")]]
    assert other.exchange(b"?\n", whole) == b"here" and port.closed == 0
    assert other.close() == [] and port.closed == 1
