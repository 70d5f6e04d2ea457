"""Lines on their way through a pipe that somebody reads, does not read, or has left."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TextIO

import pytest

from rig.console.outbox import Outbox

PIPES = 65536  # bytes that a pipe takes on Linux; elsewhere no more


@pytest.fixture
def pipe() -> Iterator[tuple[TextIO, TextIO]]:
    """(read, write)"""
    ends = os.pipe()
    with os.fdopen(ends[0], encoding="utf-8") as read, os.fdopen(ends[1], "w", encoding="utf-8") as write:
        yield read, write


def test_lines_come_in_order_and_the_end_behind_them(pipe: tuple[TextIO, TextIO]) -> None:
    read, write = pipe
    outbox = Outbox(write)
    for n in range(1000):
        outbox.put(str(n))
    assert outbox.flush(20.0)
    outbox.close()
    assert read.read().split() == [str(n) for n in range(1000)]


def test_who_sends_to_one_who_does_not_read_goes_on(pipe: tuple[TextIO, TextIO]) -> None:
    read, write = pipe
    outbox = Outbox(write)
    line = "x" * 1023
    for _ in range(4 * PIPES // 1024):
        outbox.put(line)  # a write would stand here for ever
    assert not outbox.flush(0.05)
    outbox.close()
    assert read.read().count(line) == 4 * PIPES // 1024, "nothing is lost when it reads at last"


def test_what_is_said_to_one_who_is_gone_goes_nowhere(pipe: tuple[TextIO, TextIO]) -> None:
    read, write = pipe
    outbox = Outbox(write)
    read.close()
    for _ in range(3):
        outbox.put("to nobody")
    assert outbox.flush(20.0)
    outbox.close()
    outbox._thread.join(20.0)
    assert write.closed
