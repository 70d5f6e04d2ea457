"""Devices that say they are real, to programs that look for one.

Expected: `nidaqmxconfig --export` as published from a bench with a cDAQ-9174 (ProductType and DevSerialNum, no DevIsSimulated) and the
configuration of NI's own tests of nidaqmx (DevIsSimulated = 1 at each device); how those tests look for a real device (`is_simulated`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.simulated import serve_devices
from drivers.simulated.device_file import read

TOML = """
pace = "lockstep"
[[devices]]
name = "Dev1"
product = "PCIe-6363"
simulated = false
[[devices]]
name = "Dev2"
product = "PCIe-6363"
simulated = true
[[devices]]
name = "Dev3"
product = "PCIe-6363"
[[devices]]
name = "cDAQ1"
product = "cDAQ-9174"
simulated = false
[[devices]]
name = "cDAQ1Mod1"
product = "NI 9215"
chassis = "CDAQ1"
slot = 1
[[devices]]
name = "cDAQ1Mod2"
product = "NI 9215"
chassis = "cDAQ1"
slot = 2
simulated = true
[[devices]]
name = "cDAQ1Mod3"
product = "NI 9215"
"""
EXPORT = """
[DAQmx]
MajorVersion = 26
MinorVersion = 5
[DAQmxCDAQChassis cDAQ1]
ProductType = cDAQ-9174
DevSerialNum = 0x213ADA3
[DAQmxCDAQModule cDAQ1Mod1]
ProductType = NI 9263
DevSerialNum = 0x1FB99A6
CompactDAQ.ChassisDevName = cDAQ1
CompactDAQ.SlotNum = 1
[DAQmxDevice Dev1]
ProductType = PCIe-6363
DevIsSimulated = 0
[DAQmxDevice Dev2]
ProductType = PCIe-6363
DevIsSimulated = 1
"""


@pytest.mark.parametrize(
    ("name", "text", "real"),
    [
        ("devices.toml", TOML, ["Dev1", "cDAQ1", "cDAQ1Mod1", "cDAQ1Mod3"]),
        ("exported.ini", EXPORT, ["cDAQ1", "cDAQ1Mod1", "Dev1"]),
    ],
)
def test_a_program_finds_the_real_ones(name: str, text: str, real: list[str], tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with serve_devices(tmp_path / name, pace="lockstep") as bench:
        assert [device.name for device in bench.system.devices if not device.is_simulated] == real
        with pytest.deprecated_call():
            assert not bench.system.devices["Dev1"].dev_is_simulated


def test_nothing_is_left_out_because_it_is_real(tmp_path: Path) -> None:
    (tmp_path / "exported.ini").write_text(EXPORT)
    setup = read(tmp_path / "exported.ini")
    assert [entry.name for entry in setup.devices] == ["cDAQ1", "cDAQ1Mod1", "Dev1", "Dev2"]
    assert setup.remarks == ()
