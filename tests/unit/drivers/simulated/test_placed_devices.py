"""Where devices are and what hangs at them, as files of devices say it: slots, terminal blocks, memories of sensors."""

from __future__ import annotations

import pytest
from nidaqmx.errors import DaqError

from drivers.simulated import serve_devices
from drivers.simulated.daqmx.core.device_entries import UNKNOWN
from drivers.simulated.device_file import BadDeviceFile, read

# Beginning of NI's bit stream of a voltage sensor (nidaqmx-python, test_physical_channel_properties.py): the basic part, template 30.
BITS = "11 40 00 20 04 39 30 00 78 00 00 00"

TOML = f"""
pace = "lockstep"
[[devices]]
name = "bridge"
product = "PXIe-4331"
pxi_chassis = 3
slot = 7
accessory = "RM-24999_A"
[[devices]]
name = "Dev1"
product = "PCIe-6363"
[[teds]]
terminal = "Dev1/ai2"
bits = "{BITS}"
[[teds]]
terminal = "bridge/ai0"
file = "cell.ted"
"""
# Written in the manner of an export of NI MAX.
INI = """
[DAQmxDevice bridgeTester]
ProductType = PXIe-4331
DevSerialNum = 0x0
BusType = PXIe
PXI.ChassisNum = 2
PXI.SlotNum = 4

[DAQmxAccessory RM-24999_A/bridgeTester/0]

[DAQmxDevice positionTester]
ProductType = PXIe-4340
DevSerialNum = 0x0
BusType = PXIe
PXI.ChassisNum = 4294967295
PXI.SlotNum = 4294967295

[DAQmxCDAQChassis chassis]
ProductType = cDAQ-9185

[DAQmxCDAQModule lines]
ProductType = NI 9401
CompactDAQ.ChassisDevName = chassis
CompactDAQ.SlotNum = 4
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "cell.ted").write_bytes(bytes.fromhex(BITS))
    path = tmp_path / "lab.toml"
    path.write_text(TOML)
    return path


def test_slot_and_terminal_block(file):
    with serve_devices(file) as bench:
        device = bench.system.devices["bridge"]
        assert (device.pxi_chassis_num, device.pxi_slot_num) == (3, 7)
        assert device.accessory_product_types == ["RM-24999_A"]


def test_an_export_of_max(tmp_path):
    path = tmp_path / "max.ini"
    path.write_text(INI)
    with serve_devices(path, pace="lockstep") as bench:
        devices = bench.system.devices
        assert (devices["bridgeTester"].pxi_chassis_num, devices["bridgeTester"].pxi_slot_num) == (2, 4)
        assert devices["bridgeTester"].accessory_product_nums == [0x7992]
        assert devices["positionTester"].pxi_slot_num == UNKNOWN
        assert [m.name for m in devices["chassis"].chassis_module_devices] == ["lines"]
        assert devices["lines"].compact_daq_slot_num == 4


def test_the_memory_of_a_sensor(file):
    with serve_devices(file) as bench:
        for name in ("Dev1/ai2", "bridge/ai0"):
            device, _, channel = name.partition("/")
            sensor = bench.system.devices[device].ai_physical_chans[channel]
            with pytest.raises(DaqError):
                _ = sensor.teds_serial_num
            sensor.configure_teds()
            assert (sensor.teds_serial_num, sensor.teds_template_ids) == (12345, [30])
        sensor.write_to_teds_from_array([17, 64, 0, 32, 4, 1, 0, 0, 120, 0])
        sensor.configure_teds()
        assert sensor.teds_serial_num == 1


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('terminal = "Dev1/ai0"', "expected either a file or bits"),
        ('terminal = "Dev1/ai0"\nbits = "zz"', "hexadecimal"),
        ('terminal = "Dev1/ai0"\nfile = "none.ted"', "none.ted: no such TEDS file"),
        ('file = "cell.ted"', "terminal: missing"),
    ],
)
def test_what_is_wrong_with_a_memory_is_said(file, table, told):
    file.write_text(TOML + f"[[teds]]\n{table}\n")
    with pytest.raises(BadDeviceFile) as caught:
        read(file)
    assert told in str(caught.value)
