"""A shunt is off again whatever happens meanwhile, and readings settle before they count: with a task that notes what it is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from nidaqmx.constants import ShuntCalSelect

from drivers.daq import at_rest
from drivers.daq.at_rest import Shunted, read_for, read_lines, read_shunted
from drivers.daq.wiring import Input
from drivers.errors import NoReply

CELL = Input("load", "Dev2/ai0", "force_bridge", gain=12.5e6, range=25e-3, capacity=250e3, excitation_voltage=10.0)
MONITOR = Input("load", "Dev1/ai0", gain=10.0, offset=1.0)
RATE, DURATION = 1000.0, 0.5
SETTLING = 250  # samples: a conditioner's filters are given a quarter of a second


class Device:
    """`order` is what was told; each reading is 9 while it settles, then 3 with the shunt and 2 without. `fails_at`: which reading."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.order: list[Any] = []
        self.on, self.readings, self.fails_at = False, 0, 0
        self.states: bool | list[bool] = False
        monkeypatch.setattr(at_rest, "add_input", lambda task, item: self.order.append(f"input {item.name}"))
        monkeypatch.setattr(at_rest, "AnalogMultiChannelReader", lambda stream: SimpleNamespace(read_many_sample=self._read))

    @contextlib.contextmanager
    def extra_task(self, doing: str) -> Iterator[Any]:
        device = self

        class Channel:
            def __setattr__(self, name: str, value: Any) -> None:
                if name == "ai_bridge_shunt_cal_enable":
                    device.on = value
                device.order.append((name.removeprefix("ai_bridge_shunt_cal_"), value))

        def switch(on: bool) -> None:
            device.on = on
            device.order.append(("line", on))

        yield SimpleNamespace(
            ai_channels={"load": Channel()}, in_stream=None, stop=lambda: self.order.append("stop"), write=switch,
            timing=SimpleNamespace(cfg_samp_clk_timing=lambda rate, sample_mode, samps_per_chan: self.order.append((rate, samps_per_chan))),
            do_channels=SimpleNamespace(add_do_chan=lambda line: self.order.append(line)),
            di_channels=SimpleNamespace(add_di_chan=lambda lines, line_grouping: self.order.append(lines)),
            read=lambda: self.states,
        )  # fmt: skip

    def _read(self, data: Any, samples: int, timeout: float) -> None:
        self.readings += 1
        if self.readings == self.fails_at:
            raise NoReply("no samples")
        assert data.shape[1] == samples
        data[:] = 3.0 if self.on else 2.0
        data[:, :SETTLING] = 9.0


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    return Device(monkeypatch)


ACQUIRED = [(RATE, 750), "stop"]


def test_the_module_s_shunt_is_off_on_off_and_readings_have_settled(device: Device) -> None:
    assert read_shunted(device, CELL, RATE, DURATION, 50e3, "") == Shunted(2.0, 3.0, 2.0)
    steps = [step for on in (False, True, False) for step in (("enable", on), *ACQUIRED)]
    chosen = [("select", ShuntCalSelect.A), ("shunt_cal_a_resistance", 50e3)]
    assert device.order == ["input load", *chosen, *steps, ("enable", False)]


def test_without_a_resistance_it_takes_the_one_that_it_has(device: Device) -> None:
    read_shunted(device, CELL, RATE, DURATION, None, "")
    assert not any("resistance" in str(one) for one in device.order)


@pytest.mark.parametrize("line", ["", "Dev1/port0/line6"])
def test_the_shunt_is_off_though_the_reading_fails(device: Device, line: str) -> None:
    device.fails_at = 2
    with pytest.raises(NoReply, match="no samples"):
        read_shunted(device, CELL, RATE, DURATION, None, line)
    assert device.on is False and device.order[-1] == (("line", False) if line else ("enable", False))


def test_a_conditioner_s_shunt_hangs_on_a_line(device: Device) -> None:
    """The monitor reads 10 units a volt, 1 of which are its offset."""
    assert read_shunted(device, MONITOR, RATE, DURATION, None, "Dev1/port0/line6") == Shunted(21.0, 31.0, 21.0)
    steps = [step for on in (False, True, False) for step in (("line", on), "input load", *ACQUIRED)]
    assert device.order == ["Dev1/port0/line6", *steps, ("line", False)]


@pytest.mark.parametrize(("duration", "samples"), [(0.5, 500), (0.0, 2), (0.0024, 2), (0.0026, 3)])
def test_as_many_samples_as_the_duration_has_but_two_at_least(device: Device, duration: float, samples: int) -> None:
    assert read_for(device, [MONITOR], RATE, duration).shape == (samples, 1) and device.order[1] == (RATE, samples)


def test_one_line_is_read_as_several_are(device: Device) -> None:
    """NI gives a bare state for one."""
    assert read_lines(device, ["Dev1/port1/line1"]) == [False] and device.order == ["Dev1/port1/line1"]
    device.states = [True, False]
    assert read_lines(device, ["Dev1/port1/line1", "Dev1/port1/line2"]) == [True, False]
    assert device.order[-1] == "Dev1/port1/line1, Dev1/port1/line2"
