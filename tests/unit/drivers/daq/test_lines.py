"""Digital lines that are all written at once, and a watchdog that is started once and reset while it runs: without a device."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from nidaqmx.constants import Level, LineGrouping, TaskMode
from nidaqmx.errors import DaqError

from drivers.daq import lines as daqmx_lines
from drivers.daq.lines import Lines, Watchdog
from drivers.daq.session import Session
from drivers.errors import Refused, WatchdogExpired

OUT = {"interlock": "Dev1/port0/line2", "program": "Dev1/port0/line3", "heartbeat": "Dev1/port0/line4"}
IN = {"estop_ok": "Dev1/port1/line2", "interlock_ok": "Dev1/port1/line0"}


class Tasks:
    """What nidaqmx would be told; `states` is what comes of the input lines."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.order: list[Any] = []
        self.states = [False, True]
        self.fails = 0
        self.session = Session(None, "Dev1/ao0")
        monkeypatch.setattr(self.session, "task", self._task)
        monkeypatch.setattr(daqmx_lines, "DigitalSingleChannelWriter", self._writer)
        monkeypatch.setattr(daqmx_lines, "DigitalSingleChannelReader", self._reader)
        monkeypatch.setattr(daqmx_lines, "WatchdogTask", self._watchdog)

    def does(self, *what: Any) -> None:
        self.order.append(what)
        if self.fails:
            raise DaqError("it says no", self.fails)

    def _task(self) -> Any:
        def add(kind: str) -> Any:
            return lambda lines, line_grouping: self.does(kind, lines, line_grouping)

        return SimpleNamespace(
            do_channels=SimpleNamespace(add_do_chan=add("out")), di_channels=SimpleNamespace(add_di_chan=add("in")),
            in_stream="in", out_stream="out", start=lambda: self.does("start"),
        )  # fmt: skip

    def _writer(self, stream: str, auto_start: bool) -> Any:
        assert stream == "out" and auto_start
        return SimpleNamespace(write_one_sample_multi_line=lambda data, timeout: self.does("write", data.tolist(), timeout))

    def _reader(self, stream: str) -> Any:
        def read(data: Any, timeout: float) -> None:
            self.does("read", timeout)
            data[:] = np.array(self.states)

        assert stream == "in"
        return SimpleNamespace(read_one_sample_multi_line=read)

    def _watchdog(self, device: str, timeout: float, grpc_options: Any) -> Any:
        self.does("watchdog", device, timeout, grpc_options)
        return SimpleNamespace(
            cfg_watchdog_do_expir_states=lambda states: self.does(
                "states", {one.physical_channel: one.expiration_state for one in states}
            ),
            control=lambda mode: self.does("control", mode), start=lambda: self.does("start"), reset_timer=lambda: self.does("reset"),
        )  # fmt: skip


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> Tasks:
    return Tasks(monkeypatch)


def test_each_write_is_of_all_lines_and_the_others_keep_their_state(tasks: Tasks) -> None:
    lines = Lines(tasks.session, OUT, {}, 1.5)
    lines.open()
    assert tasks.order == [("out", ", ".join(OUT.values()), LineGrouping.CHAN_FOR_ALL_LINES)]
    lines.write({"program": True})
    lines.write({"heartbeat": True, "interlock": True})
    lines.write({"interlock": False, "program": False})
    lines.write({})
    states = [[False, True, False], [True, True, True], [False, False, True], [False, False, True]]
    assert tasks.order[1:] == [("write", one, 1.5) for one in states]
    assert list(lines.tasks) == ["lines_out"]


def test_input_lines_are_read_by_name_from_a_task_that_runs(tasks: Tasks) -> None:
    lines = Lines(tasks.session, {}, IN, 1.5)
    lines.open()
    assert tasks.order == [("in", ", ".join(IN.values()), LineGrouping.CHAN_FOR_ALL_LINES), ("start",)]
    assert lines.read() == {"estop_ok": False, "interlock_ok": True}
    tasks.states = [True, False]
    assert lines.read() == {"estop_ok": True, "interlock_ok": False}
    assert tasks.order[2:] == [("read", 1.5)] * 2 and list(lines.tasks) == ["lines_in"]


def test_without_lines_there_is_no_task_and_nothing_is_asked(tasks: Tasks) -> None:
    lines = Lines(tasks.session, {}, {}, 1.5)
    lines.open()
    lines.write({})
    assert lines.read() == {} and tasks.order == [] and lines.tasks == {}


@pytest.mark.parametrize("call", ["write", "read"])
def test_what_goes_wrong_on_a_line_is_told_as_such(tasks: Tasks, call: str) -> None:
    lines = Lines(tasks.session, OUT, IN, 1.5)
    lines.open()
    tasks.fails = -200452
    with pytest.raises(Refused, match=rf"DAQ: {'writing' if call == 'write' else 'reading'} the digital lines: it says no \(-200452\)"):
        lines.write({"program": True}) if call == "write" else lines.read()


def test_the_watchdog_is_committed_with_its_states_and_waits_to_be_started(tasks: Tasks) -> None:
    dog = Watchdog(tasks.session, "Dev1")
    dog.start()
    dog.reset()
    assert tasks.order == [], "nothing where none is reserved"
    dog.reserve(0.2, {"Dev1/port0/line2": False, "Dev1/port0/line5": True})
    states = {"Dev1/port0/line2": Level.LOW, "Dev1/port0/line5": Level.HIGH}
    reserved = [("watchdog", "Dev1", 0.2, None), ("states", states), ("control", TaskMode.TASK_COMMIT)]
    assert tasks.order == reserved
    dog.reset()
    assert tasks.order == reserved, "it does not run yet"
    dog.start()
    dog.start()
    dog.reset()
    dog.reset()
    assert tasks.order[3:] == [("start",), ("reset",), ("reset",)]


def test_one_that_is_reserved_again_runs_when_it_is_started_again(tasks: Tasks) -> None:
    dog = Watchdog(tasks.session, "Dev1")
    dog.reserve(0.2, {})
    dog.start()
    dog.reserve(0.2, {})
    tasks.order.clear()
    dog.reset()
    dog.start()
    dog.reset()
    assert tasks.order == [("start",), ("reset",)]


def test_one_whose_task_is_closed_is_not_reset(tasks: Tasks) -> None:
    """Heartbeats of drives may still come while everything is closed."""
    dog = Watchdog(tasks.session, "Dev1")
    dog.reserve(0.2, {})
    dog.start()
    dog.tasks.clear()
    tasks.order.clear()
    dog.reset()
    dog.start()
    assert tasks.order == []


def test_one_that_does_not_start_does_not_run(tasks: Tasks) -> None:
    dog = Watchdog(tasks.session, "Dev1")
    dog.reserve(0.2, {})
    tasks.fails = -200452
    with pytest.raises(Refused, match="starting the watchdog"):
        dog.start()
    tasks.fails = 0
    tasks.order.clear()
    dog.reset()
    assert tasks.order == []


def test_one_that_has_expired_says_that_the_lines_have_gone(tasks: Tasks) -> None:
    """-200644, CANT_RESET_EXPIRED_WATCHDOG."""
    dog = Watchdog(tasks.session, "Dev1")
    dog.reserve(0.2, {})
    dog.start()
    tasks.fails = -200644
    with pytest.raises(WatchdogExpired, match=r"resetting the watchdog: nobody spoke to the device for longer than daq\.watchdog"):
        dog.reset()
