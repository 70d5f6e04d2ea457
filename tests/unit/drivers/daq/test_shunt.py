"""Shunt of a bridge module: the simulated device does what the resistors do, for the stock client and for the rig's own reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import BridgeConfiguration, BridgeElectricalUnits, BridgePhysicalUnits, ForceUnits, ShuntCalSelect
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError
from numpy.typing import NDArray

from drivers.daq.at_rest import read_for, read_lines, read_shunted
from drivers.daq.wiring import Input
from drivers.errors import Refused
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

CELL = Input("load", "Dev2/ai0", "force_bridge", gain=12.5e6, range=25e-3, capacity=250e3, excitation_voltage=10.0)
CARDS = [("Dev1", "PCIe-6363"), ("Dev2", "PXIe-4331")]


class Cell:
    """A load cell that carries 5 kN, beside a conditioner whose shunt hangs on a digital line."""

    analogue_inputs: tuple[str, ...] = ()
    analogue_outputs = ("bridge", "monitor")
    digital_inputs = ("shunt",)
    digital_outputs = ("hydraulics_on",)

    def __init__(self) -> None:
        self.line, self.history = False, [False]

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        self.line = bool(lines[0])
        if self.history[-1] != self.line:
            self.history.append(self.line)
        return np.tile([5e3 / 12.5e6, 0.2 + (4.0 if self.line else 0.0)], (len(times), 1))

    def read_lines(self) -> NDArray[np.bool_]:
        return np.array([False])

    def take_events(self) -> list[tuple[float, str, str]]:
        return []


class Connected:
    """What the readings at rest need of a device."""

    def __init__(self, bench: Any) -> None:
        self._bench = bench

    @contextmanager
    def extra_task(self, doing: str) -> Iterator[nidaqmx.Task]:
        with self._bench.task() as task:
            yield task


@pytest.fixture
def laboratory(make_bench: Callable[..., Any]) -> tuple[Any, Cell]:
    cell = Cell()
    wires = {"Dev2/ai0": "bridge", "Dev1/ai0": "monitor", "Dev1/port0/line6": "shunt", "Dev1/port1/line1": "hydraulics_on"}
    return make_bench(devices=CARDS, wiring=wires, plant=cell), cell


def solved(bridge: float, shunt: float) -> float:
    """Output of the bridge with one arm shunted, V/V, by Kirchhoff's laws rather than by the formula."""
    arms = np.array([bridge, bridge, bridge, 1.0 / (1.0 / bridge + 1.0 / shunt)])
    left, right = arms[1] / (arms[0] + arms[1]), arms[3] / (arms[2] + arms[3])
    return abs(left - right)


@pytest.mark.parametrize("bridge", [120.0, 350.0, 700.0, 1000.0])
@pytest.mark.parametrize("resistor", [33_333.0, 50e3, 100e3])
def test_the_reading_moves_by_what_the_resistors_do(laboratory: tuple[Any, Cell], bridge: float, resistor: float) -> None:
    bench, _ = laboratory
    bench.engine.board.bridges["dev2/ai0"] = bridge
    found = read_shunted(Connected(bench), CELL, 2000.0, 0.2, resistor, "")
    assert found.before == found.after == pytest.approx(5e3, abs=1.0)
    assert found.change == pytest.approx(12.5e6 * 10.0 * solved(bridge, resistor), rel=1e-4)
    assert found.drift == 0.0


def test_a_resistor_that_the_module_has_not_is_refused(laboratory: tuple[Any, Cell]) -> None:
    with pytest.raises(DaqError, match=r"(?s)not a supported value.*60.0e3"):
        read_shunted(Connected(laboratory[0]), CELL, 2000.0, 0.2, 60e3, "")


def test_a_conditioners_shunt_is_switched_by_its_line_and_off_again(laboratory: tuple[Any, Cell]) -> None:
    bench, cell = laboratory
    item = Input("monitor", "Dev1/ai0", gain=25e3)
    found = read_shunted(Connected(bench), item, 2000.0, 0.2, None, "Dev1/port0/line6")
    assert found.change == pytest.approx(100e3, rel=1e-3)
    assert cell.history == [False, True, False]


def test_the_line_falls_also_when_the_reading_fails(laboratory: tuple[Any, Cell]) -> None:
    bench, _ = laboratory
    with pytest.raises(DaqError):
        read_shunted(Connected(bench), Input("monitor", "Dev1/ai99", gain=25e3), 2000.0, 0.2, None, "Dev1/port0/line6")
    assert not bench.engine.board.lines["dev1/port0/line6"]


def test_without_a_shunt_nothing_is_switched(laboratory: tuple[Any, Cell]) -> None:
    with pytest.raises(Refused, match="no shunt that could be switched"):
        read_shunted(Connected(laboratory[0]), Input("monitor", "Dev1/ai0"), 2000.0, 0.2, None, "")


def test_lines_and_several_inputs_at_rest(laboratory: tuple[Any, Cell]) -> None:
    device = Connected(laboratory[0])
    assert read_lines(device, ["Dev1/port1/line1"]) == [False]
    values = read_for(device, [Input("monitor", "Dev1/ai0", gain=25e3, offset=100.0)], 1000.0, 0.5)
    assert values.shape == (500, 1)
    assert values.mean() == pytest.approx(5100.0, abs=5.0)


def bridge_channel(task: nidaqmx.Task, terminal: str) -> Any:
    return task.ai_channels.add_ai_force_bridge_two_point_lin_chan(
        terminal, min_val=-250e3, max_val=250e3, units=ForceUnits.NEWTONS, bridge_config=BridgeConfiguration.FULL_BRIDGE,
        voltage_excit_val=10.0, nominal_bridge_resistance=350.0, second_electrical_val=2.0, second_physical_val=250e3,
        electrical_units=BridgeElectricalUnits.MILLIVOLTS_PER_VOLT, physical_units=BridgePhysicalUnits.NEWTONS,
    )  # fmt: skip


def test_a_shunt_calibration_takes_out_what_the_bridge_differs_by(laboratory: tuple[Any, Cell]) -> None:
    bench, _ = laboratory
    bench.engine.board.bridges["dev2/ai0"] = 364.0
    with bench.task() as task:
        channel = bridge_channel(task, "Dev2/ai0")
        assert not channel.ai_bridge_shunt_cal_enable
        assert channel.ai_bridge_shunt_cal_select == ShuntCalSelect.A
        assert channel.ai_bridge_shunt_cal_gain_adjust == 1.0
        raw = task.read()
        task.perform_bridge_shunt_cal(shunt_resistor_value=100e3, bridge_resistance=350.0)
        assert channel.ai_bridge_shunt_cal_gain_adjust == pytest.approx(solved(350.0, 100e3) / solved(364.0, 100e3), rel=1e-9)
        assert task.read() == pytest.approx(raw * channel.ai_bridge_shunt_cal_gain_adjust, rel=1e-9)


def test_only_bridges_have_a_shunt(laboratory: tuple[Any, Cell]) -> None:
    bench, _ = laboratory
    with bench.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        with pytest.raises(DaqError, match="not supported by the device or is not applicable"):
            channel.ai_bridge_shunt_cal_enable = True
        with pytest.raises(DaqError):
            task.perform_bridge_shunt_cal()
        task.perform_bridge_shunt_cal(skip_unsupported_channels=True)


def test_an_open_input_has_no_bridge(laboratory: tuple[Any, Cell]) -> None:
    bench, _ = laboratory
    with bench.task() as task:
        bridge_channel(task, "Dev2/ai3")
        assert (
            code_of(task.perform_bridge_shunt_cal) == DAQmxErrors.SHUNT_CAL_FAILED_OUT_OF_RANGE
        )  # tests/component/test_task.py of nidaqmx-python
