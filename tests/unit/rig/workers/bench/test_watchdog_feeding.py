"""A line that takes its time: the device's watchdog is reset meanwhile, and what is raised there is raised here."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any

import pytest
from waiting import until

from drivers.errors import NoReply
from rig.workers.bench import watchdog_feeding
from rig.workers.bench.watchdog_feeding import while_alive, while_ending


class Daq:
    def __init__(self) -> None:
        self.resets: list[float] = []
        self.threads: set[int] = set()

    def reset_watchdog(self) -> None:
        self.resets.append(time.monotonic())
        self.threads.add(threading.get_ident())


def test_the_watchdog_is_reset_while_a_line_is_slow() -> None:
    daq = Daq()
    assert while_alive(daq, lambda: until(lambda: len(daq.resets) >= 4, "four resets") or 7) == 7
    assert len(daq.resets) >= 5, "four meanwhile, and one when it is done"
    assert max(b - a for a, b in itertools.pairwise(daq.resets)) < 2.0, "how often is a test of its own"
    assert daq.threads == {threading.get_ident()}, "the device stays with the thread that has it"


def test_what_is_raised_comes_through() -> None:
    def fails() -> None:
        raise NoReply("crank: no reply")

    with pytest.raises(NoReply, match="crank: no reply"):
        while_alive(Daq(), fails)


def test_a_device_that_fails_meanwhile_is_told() -> None:
    class Gone(Daq):
        def reset_watchdog(self) -> None:
            raise NoReply("DAQ: it is gone")

    with pytest.raises(NoReply, match="DAQ: it is gone"):
        while_alive(Gone(), lambda: time.sleep(0.2))


def test_an_end_comes_whatever_the_device_does() -> None:
    class Gone(Daq):
        def reset_watchdog(self) -> None:
            super().reset_watchdog()
            raise NoReply("DAQ: it is gone")

    daq = Gone()
    assert while_ending(daq, lambda: until(lambda: len(daq.resets) >= 2, "two resets") or ["left open"]) == ["left open"]
    assert len(daq.resets) >= 3


def test_the_device_is_spoken_to_once_more_when_a_line_is_done() -> None:
    """However short it was: what follows may take as long again."""
    daq = Daq()
    assert while_alive(daq, lambda: 7) == 7
    assert len(daq.resets) == 1


def test_the_watchdog_is_reset_twenty_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortest time-out that is usual is 250 ms; a test of its own, as the clock of a busy machine proves nothing here."""
    waited: list[float] = []
    real = watchdog_feeding.wait

    def wait(futures: list[Any], timeout: float) -> Any:
        waited.append(timeout)
        return real(futures, timeout)

    monkeypatch.setattr(watchdog_feeding, "wait", wait)
    while_alive(Daq(), lambda: time.sleep(0.12))
    assert set(waited) == {0.05}
