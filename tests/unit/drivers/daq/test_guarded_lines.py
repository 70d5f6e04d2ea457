"""What a session by hand holds high falls without it: the order in which lines and watchdog are opened, and when the watchdog is reset."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from drivers.daq import guarded_lines
from drivers.daq.guarded_lines import GuardedLines
from drivers.errors import DriverError, NotConnected, WatchdogExpired

TIMEOUT = 1.0
TERMINALS = {"crank_enable": "Dev1/port0/line6", "rod_enable": "Dev1/port0/line7"}


class Device:
    """`order` is what it was told; an entry of `broken` fails. It closes itself the tasks of lines and watchdog, by name."""

    def __init__(self) -> None:
        self.order: list[Any] = []
        self.broken: dict[str, type[DriverError]] = {}

    def does(self, what: str, *details: Any) -> None:
        self.order.append((what, *details) if details else what)
        if what in self.broken:
            raise self.broken[what](f"{what} failed")


class FakeSession:
    where = "here"

    def __init__(self, device: Device) -> None:
        self._device = device

    def explained(self, doing: str) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def devices(self) -> list[str]:
        self._device.does("devices")
        return ["Dev1"]

    def close(self) -> None:
        self._device.does("session closed")


class FakeTask:
    def __init__(self, device: Device, name: str) -> None:
        self.close = lambda: device.does(f"{name} closed")


class FakeLines:
    def __init__(self, device: Device) -> None:
        self._device, self.tasks = device, {"lines_out": FakeTask(device, "lines")}

    def open(self) -> None:
        self._device.does("lines open")

    def write(self, states: Mapping[str, bool]) -> None:
        self._device.does("write", dict(states))


class FakeWatchdog:
    def __init__(self, device: Device) -> None:
        self._device, self.tasks = device, {"watchdog": FakeTask(device, "watchdog")}

    def reserve(self, timeout: float, safe: Mapping[str, bool]) -> None:
        self._device.does("reserve", timeout, dict(safe))

    def start(self) -> None:
        self._device.does("start")

    def reset(self) -> None:
        self._device.does("reset")


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    device = Device()
    monkeypatch.setattr(guarded_lines, "Session", lambda address, output: FakeSession(device))
    monkeypatch.setattr(guarded_lines, "Lines", lambda session, outputs, inputs, timeout: FakeLines(device))
    monkeypatch.setattr(guarded_lines, "Watchdog", lambda session, name: FakeWatchdog(device))
    return device


class Waiting:
    """Stands for the end that the thread waits for: each wait takes what it asks for, until `until` (s)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, until: float) -> None:
        self.now, self._until = 0.0, until
        self.waits: list[float] = []
        monkeypatch.setattr(guarded_lines, "host_clock", SimpleNamespace(now=lambda: self.now))

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        self.now += seconds
        return self.now > self._until + 1e-9


LOW = dict.fromkeys(TERMINALS, False)
CLOSED = ["lines closed", "watchdog closed", "session closed"]


def guarded() -> GuardedLines:
    return GuardedLines("Dev1", TERMINALS, TIMEOUT, None)


def guarded_until(end: float, monkeypatch: pytest.MonkeyPatch) -> tuple[GuardedLines, Waiting]:
    waiting, lines = Waiting(monkeypatch, end), guarded()  # in this order: they look at the clock as they are made
    lines._end = waiting  # type: ignore[assignment]
    return lines, waiting


def test_the_watchdog_is_reserved_first_and_runs_once_the_lines_are_low(device: Device) -> None:
    """The device does not give a watchdog away once another task is reserved; a line is not high before something guards it."""
    lines = guarded()
    lines.open()
    lines.close()
    safe = dict.fromkeys(TERMINALS.values(), False)
    opened = ["devices", ("reserve", TIMEOUT, safe), "lines open", ("write", LOW), "start"]
    told = [what for what in device.order if what != "reset"]
    assert told == [*opened, ("write", LOW), *CLOSED]


@pytest.mark.parametrize("step", ["devices", "reserve", "lines open", "write", "start"])
def test_where_it_does_not_open_nothing_is_held(device: Device, step: str) -> None:
    device.broken = {step: NotConnected}
    with pytest.raises(NotConnected, match=f"{step} failed"):
        guarded().open()
    assert device.order[-3:] == CLOSED and "reset" not in device.order


def test_a_session_that_hangs_is_told_to_fall_within_both_times(device: Device) -> None:
    """2 s without a sign of life, then the watchdog's own time."""
    assert guarded().falls_within == pytest.approx(2.0 + TIMEOUT)


def test_the_watchdog_is_reset_four_times_in_its_own_time_while_there_are_signs_of_life(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, waiting = guarded_until(1.9, monkeypatch)
    lines._keep()
    assert waiting.waits == pytest.approx([TIMEOUT / 4] * len(waiting.waits))
    assert device.order == ["reset"] * 7  # at 0.25, 0.5 ... 1.75 s


def test_two_seconds_without_a_sign_of_life_are_enough_and_one_that_comes_back_is_served(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, waiting = guarded_until(3.0, monkeypatch)
    wait = waiting.wait

    def spoken(seconds: float) -> bool:
        ended = wait(seconds)
        if waiting.now == 2.5:
            lines.alive()
        device.order.append(waiting.now)
        return ended

    waiting.wait = spoken  # type: ignore[method-assign]
    lines._keep()
    reset_at = [device.order[at - 1] for at, what in enumerate(device.order) if what == "reset"]
    assert reset_at == [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.5, 2.75, 3.0]


def test_a_device_that_is_gone_ends_the_thread(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, _ = guarded_until(1.9, monkeypatch)
    device.broken = {"reset": WatchdogExpired}
    lines._keep()
    assert device.order == ["reset"]


def test_what_goes_wrong_at_the_end_is_told_and_the_rest_is_given_back(device: Device) -> None:
    lines = guarded()
    lines.open()
    device.broken = {"write": NotConnected}
    assert lines.close() == ["write failed"]
    assert device.order[-3:] == CLOSED


def test_lines_are_written_as_asked(device: Device) -> None:
    lines = guarded()
    lines.write_lines({"rod_enable": True})
    assert device.order == [("write", {"rod_enable": True})]


def test_closing_what_was_never_opened_writes_nothing(device: Device) -> None:
    assert guarded().close() == []
    assert device.order == CLOSED


def test_a_device_that_took_long_to_open_has_a_session_that_lives(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign of life is that it has been opened, not that somebody began to."""
    waiting = Waiting(monkeypatch, until=4.25)
    lines = guarded()
    monkeypatch.setattr(FakeWatchdog, "start", lambda self: setattr(waiting, "now", 4.0))
    lines._end = waiting  # type: ignore[assignment]
    lines._thread = SimpleNamespace(start=lines._keep)  # type: ignore[assignment]
    lines.open()
    assert device.order[-1] == "reset"


def test_no_reset_is_under_way_once_the_watchdog_is_closed(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    began = threading.Event()

    def reset(self: FakeWatchdog) -> None:
        began.set()
        time.sleep(0.05)
        device.order.append("reset is over")

    monkeypatch.setattr(FakeWatchdog, "reset", reset)
    lines = GuardedLines("Dev1", TERMINALS, 0.004, None)
    assert lines._thread.daemon, "a program that ends without a word ends"
    lines.open()
    assert began.wait(10.0)
    lines.close()
    assert device.order[-4:] == ["reset is over", *CLOSED]
