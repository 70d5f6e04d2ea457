"""Data sheets that are none, or that say what is not known here: always an error of the driver's.

Expected numbers: by the driver's texts of -200784 (no such file), -200753 (an error "detected during parsing"), -200827 (a file "being
written to the TEDS sensor") and -200741; a PXIe-4340 knows no TEDS (nidaqmx-python, tests/component/task/channels/test_ai_channel.py).
"""

from __future__ import annotations

import random

import pytest
from nidaqmx.errors import DaqError
from nidaqmx.system import System

from tests.thorough import times
from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of
from tests.unit.drivers.simulated.daqmx.sensors.sensor_sheets import (
    BASIC,
    RESISTANCE,
    VOLTAGE_SENSOR,
    accelerometer,
    current,
    load_cell,
    microphone,
    rtd,
    single,
    stream,
    thermistor,
)

CHANGES = times(60, thorough=300)
SHEETS = {
    "bridgeTester/ai0": (
        ("force_bridge_chan", load_cell()), ("bridge_chan", load_cell()), ("strain_gage_chan", stream(*BASIC, (0, 2), (35, 8))),
    ),
    "dsaTester/ai0": (
        ("accel_chan", accelerometer(0.1)), ("force_iepe_chan", accelerometer(0.1, force=1)), ("microphone_chan", microphone()),
    ),
    "Dev1/ai0": (
        ("current_chan", current()), ("resistance_chan", RESISTANCE), ("rtd_chan", rtd()), ("thrmstr_chan_iex", thermistor()),
        ("voltage_chan", VOLTAGE_SENSOR),
    ),
}  # fmt: skip


@pytest.fixture
def rig(testers):
    return testers


def sensor(bench, where):
    device, _, channel = where.partition("/")
    return System.remote(bench.options).devices[device].ai_physical_chans[channel]


@pytest.mark.parametrize("content", [b"", b"\x00" * 64, b"\x01" * 65, bytes(2**16 + 1), b"\x11\x40\x00"])
def test_a_file_that_is_no_data_sheet(testers, tmp_path, content):
    path = tmp_path / "sensor.ted"
    path.write_bytes(content)
    code, text = error_of(sensor(testers, "Dev1/ai0").configure_teds, str(path))
    assert code == -200753 and "detected during parsing" in text and str(path) in text
    assert code_of(sensor(testers, "Dev1/ai0").write_to_teds_from_file, str(path)) == -200827


@pytest.mark.parametrize("name", ["nowhere.ted", ".", "a\nb"])
def test_a_file_that_is_not_there(testers, tmp_path, name):
    code, text = error_of(sensor(testers, "Dev1/ai0").configure_teds, str(tmp_path / name))
    assert code == -200784 and "could not be found at the specified location" in text


LVDT = stream(*BASIC, (0, 2), (34, 8), (0, 200))


def test_a_device_that_knows_no_data_sheets(testers, virtual):
    assert code_of(virtual, "positionTester/ai0", LVDT) == -200741
    with testers.task() as task:
        assert code_of(task.ai_channels.add_teds_ai_pos_lvdt_chan, "positionTester/ai0") == -200709


def test_a_sensor_at_a_device_that_cannot_measure_it(testers, virtual):
    virtual("Dev1/ai0", LVDT)
    with testers.task() as task:
        assert code_of(task.ai_channels.add_teds_ai_pos_lvdt_chan, "Dev1/ai0") == -200431


def test_changed_data_sheets_end_in_a_channel_or_in_an_error_of_the_driver(testers, tmp_path):
    """Anything else than a DaqError (a status of the transport, say) fails the test."""
    chance, path, made, refused = random.Random(51), tmp_path / "sensor.ted", 0, set()
    for _ in range(CHANGES):
        where, sheets = chance.choice(list(SHEETS.items()))
        call, sheet = chance.choice(sheets)
        changed = bytearray(sheet)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        path.write_bytes(changed[: chance.choice((None, None, chance.randrange(len(changed))))])
        with testers.task() as task:
            try:
                sensor(testers, where).configure_teds(str(path))
                getattr(task.ai_channels, f"add_teds_ai_{call}")(where)
                task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=2)
                task.start()
                made += 1
            except DaqError as error:
                refused.add(error.error_code)
    assert made > 10 and {-200754, -200756} <= refused


@pytest.mark.parametrize(("measurand", "units"), [
    (0, "Kelvin"), (1, "Celsius"), (4, "Newton"), (13, "psi"), (16, "m"), (18, "inch"), (19, "m/s"), (25, "rpm"), (26, "Hertz"), (41, "V"),
    (45, "W"), (46, None), (63, None),
])  # fmt: skip
def test_what_a_sensor_measures(testers, virtual, measurand, units):
    """e_LTEDS_INFO_PHYSICAL_MEASURAND of L-Card's ltedsapi_stdtmpl.h: 0 to 45 of six bits."""
    scale = (single(0.0), single(1.0), (3, 2), single(0.0), single(0.02))
    virtual("Dev1/ai0", stream(*BASIC, (0, 2), (31, 8), (measurand, 6), *scale))
    with testers.task() as task:
        if units is None:
            assert code_of(task.ai_channels.add_teds_ai_current_chan, "Dev1/ai0") == -200754
        else:
            assert task.ai_channels.add_teds_ai_current_chan("Dev1/ai0", ext_shunt_resistor_val=250.0).ai_teds_units == units


def test_a_memory_that_holds_no_data_sheet(testers):
    testers.engine.nonvolatile.sensors["dev1/ai0"] = b"\xff" * 32
    code, text = error_of(sensor(testers, "Dev1/ai0").configure_teds)
    assert code == -200753 and "Dev1/ai0" in text
