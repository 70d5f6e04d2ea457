"""Data sheets of sensors as the driver reads them, from memories whose content is known (see `test_teds_templates`)."""

from __future__ import annotations

import pytest

from drivers.daq.teds import DataSheet, read
from drivers.daq.wiring import Input
from drivers.errors import NotConnected
from tests.unit.drivers.simulated.daqmx.sensors.sensor_sheets import BASIC, accelerometer, load_cell, stream

CARDS = (("Dev1", "PCIe-6363"), ("dsa", "PXIe-4466"), ("bridge", "PXIe-4331"))
BUMP = Input("bump", "dsa/ai0", "iepe", gain=100.0)
CELL = Input("cell", "bridge/ai1", "force_bridge", gain=12.5e6, range=0.025, capacity=250e3, excitation_voltage=5.0)
PLAIN = Input("plain", "Dev1/ai0")


@pytest.fixture
def bench(make_bench):
    return make_bench(devices=CARDS)


def found(bench, *inputs: Input) -> dict[str, DataSheet]:
    sheets = read(f"127.0.0.1:{bench.server.port}", inputs)
    assert not bench.engine.tasks
    return sheets


def test_gain_and_numbers(bench):
    """100 mV/(m/s^2) are 10 m/s^2 a volt; 50 kN at 2 mV/V excited with 5 V are 5 MN a volt."""
    bench.engine.nonvolatile.sensors |= {"dsa/ai0": accelerometer(0.1), "bridge/ai1": load_cell()}
    sheets = found(bench, BUMP, CELL, PLAIN)
    assert sorted(sheets) == ["bump", "cell"]
    assert sheets["bump"].gain == pytest.approx(10.0, rel=3e-4)
    assert sheets["cell"].gain == pytest.approx(5e6)
    assert sheets["bump"].in_words == "manufacturer 17, model 1A1, serial 12345"


def test_a_sheet_in_pounds_is_newtons_all_the_same(bench):
    bench.engine.nonvolatile.sensors["bridge/ai1"] = load_cell(measurand=5)
    assert found(bench, CELL)["cell"].gain == pytest.approx(5e6 * 4.4482216)


def test_inputs_without_a_sensor_that_describes_itself(bench):
    assert found(bench, BUMP, CELL) == {}
    bench.engine.nonvolatile.sensors["bridge/ai1"] = bytes(32)
    assert found(bench, CELL) == {}, "an empty memory"
    assert found(bench, Input("conditioned", "Dev1/ai1", "iepe")) == {}, "a device that reads no sheets is not asked"


@pytest.mark.parametrize("sheet", [load_cell(measurand=12), stream(*BASIC)])
def test_another_quantity_or_no_template(bench, sheet):
    bench.engine.nonvolatile.sensors["bridge/ai1"] = sheet
    (one,) = found(bench, CELL).values()
    assert (one.serial, one.gain) == (12345, None)


def test_no_server(monkeypatch):
    monkeypatch.setattr("drivers.daq.session.CONNECT_TIMEOUT", 0.3)
    with pytest.raises(NotConnected, match=r"no device server answers at 127\.0\.0\.1:9"):
        read("127.0.0.1:9", [BUMP])
    assert read("127.0.0.1:9", [PLAIN]) == {}, "nothing to ask for"
