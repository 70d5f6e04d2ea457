"""At the end of a test each drive hears its program until it is told to let go: no other's farewell makes it take silence for a death."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from drivers.errors import NoReply
from drivers.serial.allowance import Allowance
from rig.workers.bench.actuation.axes import AxesActuation

TOGETHER = 10.0  # s in which drives that are ended at the same time meet; they meet at once


class Ending:
    """Three axes on the given ports; what was done to each is in `done`, in order. The driver of one may fail to close."""

    def __init__(
        self, ports: tuple[str, ...], failing: int | None = None, meet: bool = False, error: Exception | None = None
    ) -> None:  # fmt: skip
        self.done: list[tuple[str, int]] = []
        self.limits: dict[int, Allowance] = {}
        self._error, self._failing, self._meeting = error, failing, threading.Barrier(len(set(ports))) if meet else None
        own: Any = AxesActuation.__new__(AxesActuation)
        own._daq = SimpleNamespace(reset_watchdog=lambda: None)
        own._analog, own._tripped = {}, False
        own._serial = {k: SimpleNamespace(end=lambda k=k: self.done.append(("end", k)), failed="") for k in range(3)}
        own._drivers = {k: self._driver(k, port) for k, port in enumerate(ports)}
        own.release()
        assert not self.done
        self.complaints = own.close()

    def _driver(self, k: int, port: str) -> Any:
        return SimpleNamespace(name=f"axis{k}", close=lambda: self._close(k), line=self._line(k, port))

    def _line(self, k: int, port: str) -> Any:
        return SimpleNamespace(settings=SimpleNamespace(port=port), limit=lambda allowance: self.limits.update({k: allowance}))

    def _close(self, k: int) -> list[str]:
        if self._meeting is not None:
            self._meeting.wait(TOGETHER)
        self.done.append(("close", k))
        if k == self._failing:
            assert self._error is not None
            raise self._error
        return []


def test_on_one_line_each_is_closed_as_soon_as_its_thread_has_ended() -> None:
    ending = Ending(("COM1", "COM1", "COM1"))
    assert (ending.done, ending.complaints) == ([(what, k) for k in range(3) for what in ("end", "close")], [])
    assert len({id(limit) for limit in ending.limits.values()}) == 1, "what one waits for, the others do not wait again"


def test_on_lines_of_their_own_they_are_closed_at_the_same_time() -> None:
    """None of the three goes on before all have come so far."""
    begun = time.monotonic()
    ending = Ending(("COM1", "COM2", "COM3"), meet=True)
    assert time.monotonic() - begun < TOGETHER and not ending.complaints
    assert all(ending.done.index(("end", k)) < ending.done.index(("close", k)) for k in range(3))
    assert len({id(limit) for limit in ending.limits.values()}) == 3


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (NoReply("axis0: no reply"), "axis0: no reply"),
        (OSError(5, "Input/output error"), "axis0: Input/output error"),
        (ValueError("3 bytes"), "axis0: ValueError: 3 bytes; this is a fault of its driver, report it"),
    ],
)
def test_whatever_one_raises_keeps_none_from_its_end(error: Exception, told: str) -> None:
    """An adapter that is pulled raises what the system says of it; a driver may be somebody's own."""
    ending = Ending(("COM1", "COM1", "COM2"), failing=0, error=error)
    assert ending.complaints == [told] and {("close", 1), ("close", 2)} <= set(ending.done)
