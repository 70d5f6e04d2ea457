"""The order in which a device is opened, started and let go, and what of it is guarded: with parts that only note what they are told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from drivers.daq import ni_daq
from drivers.daq.ni_daq import Config, NiDaq
from drivers.daq.wiring import Counter, Input, Wiring
from drivers.errors import NotConnected, Refused

OUT = {"interlock": "Dev1/port0/line2", "program": "Dev1/port0/line3", "shunt": "Dev1/port0/line5"}
IN = {"estop_ok": "Dev1/port1/line2"}
SAFE = {"interlock": False, "program": False, "shunt": True}
INPUTS = (Input("force", "Dev1/ai0", gain=25e3, offset=100.0), Input("stroke", "Dev1/ai1", gain=0.005))
COUNTER = Counter("crank", "Dev1/ctr0")


class Parts:
    """`order` is what was told; the device runs at 9999.5 Hz, and `columns` is what the next reads of inputs and counters bring."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.order: list[Any] = []
        self.doings: list[str] = []
        self.names = ["Dev1"]
        self.volts = [[1.0, 2.0], [3.0, 4.0]]
        for name in ("Session", "Output", "Lines", "Watchdog", "Counters"):
            monkeypatch.setattr(ni_daq, name, lambda *given, name=name, **more: self._part(name, given))
        monkeypatch.setattr(ni_daq, "AnalogMultiChannelReader", lambda stream: SimpleNamespace(read_many_sample=self._read))
        monkeypatch.setattr(ni_daq.daqmx_inputs, "add_input", lambda task, item: self.does("input", item.name))
        monkeypatch.setattr(ni_daq.daqmx_inputs, "let_hardware_remove_delay", lambda task, items: self.does("hardware delay"))
        monkeypatch.setattr(ni_daq.daqmx_inputs, "samples_before_start", lambda task, items: 7)
        monkeypatch.setattr(ni_daq.daqmx_inputs, "read_single", lambda task, read: read(1))

    def does(self, *what: Any) -> Any:
        self.order.append(what if len(what) > 1 else what[0])

    def _read(self, data: Any, samples: int, timeout: float) -> None:
        self.does("read", samples, round(timeout, 6))
        data[:] = np.resize(np.array(self.volts), data.shape)

    @contextlib.contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        self.doings.append(doing)
        yield

    def _task(self) -> Any:
        timing = SimpleNamespace(
            samp_clk_rate=9999.5, cfg_samp_clk_timing=lambda rate, sample_mode, samps_per_chan: self.does("clock", rate, samps_per_chan)
        )
        return SimpleNamespace(
            timing=timing, in_stream=SimpleNamespace(avail_samp_per_chan=123), control=lambda mode: self.does("commit"),
            start=lambda: self.does("start inputs"), stop=lambda: self.does("stop inputs"), close=lambda: self.does("close inputs"),
        )  # fmt: skip

    def _part(self, name: str, given: tuple[Any, ...]) -> Any:
        def told(what: str) -> Any:
            return lambda *more: self.does(f"{name} {what}", *more)

        tasks = {name.lower(): SimpleNamespace(close=lambda: self.does(f"close {name}"))}
        part = SimpleNamespace(tasks=tasks, given=given, where="here", underflows=0, explained=self._explained, task=self._task)
        part.devices, part.starts = (lambda: self.names), [0.5]
        for what in ("open", "reserve", "start", "stop", "reset", "close", "place", "write", "hold", "release", "set", "abort"):
            setattr(part, what, told(what))
        part.read = lambda samples=None: np.full((samples, 1), 9.0) if samples else {"estop_ok": True}
        return part


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> Parts:
    return Parts(monkeypatch)


def device(watchdog: float | None = 0.2, inputs: tuple[Any, ...] = INPUTS, **settings: Any) -> NiDaq:
    config = Config(device="Dev1", watchdog=watchdog, timeout=1.5, input_buffer=2.0, **settings)
    return NiDaq(config, Wiring(inputs, ("Dev1/ao0",), OUT, IN, SAFE), None)


def test_the_watchdog_is_reserved_before_any_task_with_the_states_by_terminal(parts: Parts) -> None:
    """The device does not give it away once another task is reserved; it does not run yet."""
    assert device().open(10e3, 100, 500) == 9999.5
    safe = {"Dev1/port0/line2": False, "Dev1/port0/line3": False, "Dev1/port0/line5": True}
    clock = "/Dev1/ai/SampleClock"
    assert parts.order == [
        ("Watchdog reserve", 0.2, safe), ("input", "force"), ("input", "stroke"), ("clock", 10e3, 20000), "hardware delay", "commit",
        ("Counters open", 9999.5, clock, 20000), ("Output open", 9999.5, clock, 500 + 400), "Lines open",
    ]  # fmt: skip


def test_without_a_watchdog_none_is_reserved(parts: Parts) -> None:
    device(watchdog=None).open(10e3, 100, 500)
    assert not any("Watchdog" in str(one) for one in parts.order)


def test_the_host_buffer_holds_four_blocks_at_least(parts: Parts) -> None:
    device().open(10e3, 8000, 500)
    assert ("clock", 10e3, 32000) in parts.order


def test_without_an_analogue_input_there_is_no_clock(parts: Parts) -> None:
    with pytest.raises(Refused, match="outputs and counters go by the sample clock of an analogue input"):
        device(inputs=(COUNTER,)).open(10e3, 100, 500)
    assert parts.order == []


def test_the_watchdog_is_started_and_reset_as_told(parts: Parts) -> None:
    daq = device()
    daq.start_watchdog()
    daq.reset_watchdog()
    assert parts.order == ["Watchdog start", "Watchdog reset"]


def test_counters_and_output_wait_for_the_clock_that_the_inputs_start(parts: Parts) -> None:
    daq = device()
    daq.open(10e3, 100, 500)
    parts.order.clear()
    daq.start()
    assert parts.order == ["Counters start", "Output start", "start inputs"]
    parts.order.clear()
    daq.start_inputs()
    daq.stop_inputs()
    assert parts.order == ["Counters start", "start inputs", "stop inputs", "Counters stop"]


def test_everything_is_closed_the_watchdog_last(parts: Parts) -> None:
    """As long as a line may be high something guards it."""
    daq = device()
    daq.open(10e3, 100, 500)
    parts.order.clear()
    assert daq.close() == []
    assert parts.order == ["close inputs", "close Counters", "close Output", "close Lines", "close Watchdog", "Session close"]


def test_blocks_are_in_the_channels_quantities(parts: Parts) -> None:
    daq = device()
    daq.open(10e3, 100, 500)
    parts.order.clear()
    assert daq.read(2) == pytest.approx(np.array([[25e3 * 1.0 + 100.0, 0.005 * 3.0], [25e3 * 2.0 + 100.0, 0.005 * 4.0]]))
    assert parts.order == [("read", 2, round(1.5 + 2 / 9999.5, 6))]
    assert daq.samples_waiting() == 123


def test_counters_stand_in_their_own_columns(parts: Parts) -> None:
    daq = device(inputs=(INPUTS[0], COUNTER, INPUTS[1]))
    daq.open(10e3, 100, 500)
    found = daq.read(2)
    assert found[:, 1] == pytest.approx([9.0, 9.0]) and found[:, 2] == pytest.approx([0.015, 0.02])
    once = daq.read_once()
    assert once[1] == 0.5 and once[2] == pytest.approx(0.005 * 2.0)


def test_samples_of_before_the_start_are_thrown_away_once(parts: Parts) -> None:
    daq = device(filter_delay="discard")
    daq.open(10e3, 100, 500)
    assert "hardware delay" not in parts.order and any(one[:1] == ("Output open",) and one[3] == 907 for one in parts.order)
    parts.order.clear()
    daq.read(2)
    daq.read(2)
    assert [one[1] for one in parts.order] == [7, 2, 2]


@pytest.mark.parametrize(("names", "said"), [([], "there are: none"), (["Dev2"], "there are: Dev2"), (["dev1"], "there are: dev1")])
def test_a_device_that_is_not_there_is_told_with_those_that_are(parts: Parts, names: list[str], said: str) -> None:
    parts.names = names
    with pytest.raises(NotConnected, match=rf"no device 'Dev1' at here; {said}\. Set daq\.device in the bench file"):
        device().connect()


def test_every_terminal_is_of_a_device_that_is_there(parts: Parts) -> None:
    """NI does not mind capitals."""
    daq = device(inputs=(*INPUTS, Input("far", "Mod3/ai0")))
    with pytest.raises(NotConnected, match=r"no such device at here: 'Mod3', wanted for far\. There are: Dev1\. Set the terminals"):
        daq.connect()
    parts.names = ["Dev1", "MOD3"]
    daq.connect()


def test_lines_are_written_and_read_by_name(parts: Parts) -> None:
    daq = device()
    daq.write_lines({"program": True})
    assert parts.order == [("Lines write", {"program": True})] and daq.read_lines() == {"estop_ok": True}


def test_what_goes_wrong_is_told_with_what_was_being_done(parts: Parts) -> None:
    daq = device()
    daq.connect()
    daq.open(10e3, 100, 500)
    channels = ["channel force (voltage) on Dev1/ai0", "channel stroke (voltage) on Dev1/ai1"]
    assert parts.doings == ["looking for Dev1 at here", "setting up", *channels, "sampling Dev1 at 10000 Hz"]
    calls = {
        "starting": daq.start, "starting the inputs": daq.start_inputs, "stopping the inputs": daq.stop_inputs,
        "reading 2 samples of Dev1": lambda: daq.read(2), "asking how many samples wait": daq.samples_waiting,
    }  # fmt: skip
    for doing, call in calls.items():
        parts.doings.clear()
        call()
        assert parts.doings == [doing]
    parts.doings.clear()
    daq.read_once()
    assert parts.doings == ["reading every channel once", *channels]


def test_the_output_is_told_as_asked(parts: Parts) -> None:
    daq = device()
    daq.hold_output(1.5)
    daq.set_output(2.5)
    daq.release_output()
    daq.write(np.zeros(3))
    daq.abort_output()
    told = [one if isinstance(one, str) else one[0] for one in parts.order]
    assert told == ["Output hold", "Output set", "Output release", "Output write", "Output abort"]
    assert [one[1] for one in parts.order if isinstance(one, tuple)][:2] == [1.5, 2.5]


def test_an_extra_task_is_closed_whatever_happens(parts: Parts) -> None:
    with pytest.raises(ZeroDivisionError), device().extra_task("shunt of load"):
        raise ZeroDivisionError
    assert parts.order == ["close inputs"] and parts.doings == ["shunt of load"]


def test_without_analogue_inputs_only_counters_are_read_once(parts: Parts) -> None:
    assert device(inputs=(COUNTER,)).read_once() == pytest.approx([0.5])
    assert parts.order == []


def test_lines_are_of_devices_that_are_there_as_well(parts: Parts) -> None:
    config, wired = (
        Config(device="Dev1"),
        Wiring(INPUTS, ("Dev1/ao0",), {"program": "Dev8/port0/line3"}, {"estop_ok": "Dev9/port1/line2"}, {}),
    )
    with pytest.raises(NotConnected, match="'Dev8', wanted for program; 'Dev9', wanted for estop_ok"):
        NiDaq(config, wired, None).connect()


def test_the_task_of_one_reading_is_closed_though_it_fails(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(task: Any, read: Any) -> None:
        raise Refused("not so")

    monkeypatch.setattr(ni_daq.daqmx_inputs, "read_single", fails)
    with pytest.raises(Refused, match="not so"):
        device().read_once()
    assert parts.order[-1] == "close inputs"
