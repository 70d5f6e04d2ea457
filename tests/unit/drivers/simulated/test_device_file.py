"""Files of devices: what they may hold, and one line for each thing that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from drivers.simulated.device_file import BadDeviceFile, read

EVERYTHING = """
pace = "lockstep"
port = 40000
[[devices]]
name = "Dev1"
product = "PCIe-6363"
serial = 0x1234
[[devices]]
name = "PXI1Slot3"
product = "PXIe-4331"
slot = 3
[[wiring]]
terminal = "Dev1/ai0"
signal = "Dev1/ao0"
[[wiring]]
terminal = "PXI1Slot3/ai0"
signal = "sample_code"
bridge_resistance = "1 kohm"
[[scales]]
name = "double"
ScaleType = "Linear"
Lin.Slope = 2
Lin.YIntercept = 0
[[channels]]
name = "load"
AI.Max = 10
Author = "somebody"
[[tasks]]
name = "everything"
Channels = ["load"]
"""
# As NI MAX writes it; the keys and their values are those of the file nidaqmxMaxConfig.ini of NI's own tests of nidaqmx.
EXPORTED = """
[DAQmx]
MajorVersion = 21
[DAQmxScale double]
Lin.Slope = 2
ScaleType = Linear
[DAQmxChannel load]
AI.Max = 10
Author = "Test Author"
[DAQmxDevice bridge]
ProductType = PXIe-4331
DevSerialNum = 0x1F
DevIsSimulated = 1
PXI.ChassisNum = 1
PXI.SlotNum = 2
[DAQmxDevice loose]
ProductType = PXIe-4331
DevIsSimulated = 1
PXI.SlotNum = 4294967295
[DAQmxDevice oscilloscope]
ProductType = PXIe-0000
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "devices.toml"


def problems(file: Path, text: str) -> list[str]:
    file.write_text(text)
    with pytest.raises(BadDeviceFile) as caught:
        read(file)
    assert all(problem.startswith(f"{file}: ") for problem in caught.value.problems)
    return [problem.removeprefix(f"{file}: ") for problem in caught.value.problems]


def test_everything_that_a_file_may_hold(file: Path) -> None:
    file.write_text(EVERYTHING)
    setup = read(file)
    assert setup.devices == (DeviceEntry("Dev1", "PCIe-6363", serial=0x1234), DeviceEntry("PXI1Slot3", "PXIe-4331", slot=3))
    assert (setup.pace, setup.port) == ("lockstep", 40000)
    assert setup.wiring == {"Dev1/ai0": "Dev1/ao0", "PXI1Slot3/ai0": "sample_code"}
    assert setup.bridges == {"PXI1Slot3/ai0": 1000.0}
    assert [(s.name, dict(s.attributes)) for s in setup.scales] == [
        ("double", {"ScaleType": "Linear", "Lin.Slope": "2", "Lin.YIntercept": "0"})
    ]
    assert dict(setup.channels[0].attributes) == {"AI.Max": "10", "Author": "somebody"}
    assert dict(setup.tasks[0].attributes) == {"Channels": "load"}


def test_an_export_of_ni_max(tmp_path: Path) -> None:
    file = tmp_path / "exported.ini"
    file.write_text(EXPORTED)
    setup = read(file)
    assert setup.devices == (
        DeviceEntry("bridge", "PXIe-4331", slot=2, serial=0x1F, pxi_chassis=1, simulated=True),
        DeviceEntry("loose", "PXIe-4331", simulated=True),
    )
    assert dict(setup.scales[0].attributes) == {"Lin.Slope": "2", "ScaleType": "Linear"}
    assert dict(setup.channels[0].attributes) == {"AI.Max": "10", "Author": "Test Author"}
    assert setup.remarks == ("oscilloscope (PXIe-0000) is left out: no such product here",)


CARD = '[[devices]]\nname = "Dev1"\nproduct = "PCIe-6363"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "devices: missing; expected a list of tables ([[devices]])"),
        ("[devices]", "devices: expected a list of tables ([[devices]])"),
        ("pace = \n", "not TOML: Invalid value (at line 1, column 8)"),
        (CARD.replace("6363", "6364"), "devices[0].product: no product 'PCIe-6364'; did you mean PCIe-6361 or PCIe-6363?"),
        (CARD.replace("name", "nam"), "devices[0].name: missing; expected a text"),
        (CARD.replace("name", "nam"), "devices[0].nam: unknown key; did you mean name?"),
        (CARD + "slot = 0", "devices[0].slot: expected a whole number from 1 to 255, got 0"),
        (CARD + "serial = true", "devices[0].serial: expected a whole number from 0 to 4294967295, got True"),
        ("pace = 'slow'\n" + CARD, "pace: expected one of real, lockstep; got 'slow'"),
        ("prot = 1\n" + CARD, "prot: unknown key; did you mean port?"),
        ("port = 65536\n" + CARD, "port: expected a whole number from 0 to 65535, got 65536"),
        (CARD + CARD.replace("Dev1", "dev1"), "devices: two are called 'dev1'"),
        (CARD + 'chassis = "cDAQ1"\nslot = 1', "devices: Dev1 is in chassis 'cDAQ1', and there is none; there are Dev1"),
        (CARD + '[[wiring]]\nterminal = "Dev1/ai0"', "wiring[0].signal: missing; expected a text"),
        (
            CARD + '[[wiring]]\nterminal = "Dev1/ai0"\nsignal = "Dev1/ao0"\nbridge_resistance = "-1 ohm"',
            "wiring[0].bridge_resistance: expected a resistance above 0, in ohm (350, or '350 ohm'); got '-1 ohm'",
        ),
        (CARD + "simulated = 0", "devices[0].simulated: expected true or false, got 0"),
        (CARD + "[[scales]]\nLin.Slope = 2", "scales[0].name: expected a text, got None"),
    ],
)
def test_what_is_wrong_is_said(file: Path, text: str, said: str) -> None:
    assert said in problems(file, text)


def test_all_that_is_wrong_is_said_at_once(file: Path) -> None:
    assert len(problems(file, "pace = 1\nport = -1\n[[devices]]\nname = 3\n[[wiring]]\n")) == 6


def test_a_file_that_is_not_there_and_one_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for name, words in (("none.toml", "no such devices file"), ("binary.toml", "not a text file")):
        with pytest.raises(BadDeviceFile, match=words):
            read(tmp_path / name)


def test_an_export_without_any_simulated_device(tmp_path: Path) -> None:
    file = tmp_path / "exported.ini"
    file.write_text("[DAQmxDevice scope]\nProductType = PXIe-0000\n")
    with pytest.raises(BadDeviceFile, match="describes no device that can be simulated; scope"):
        read(file)
    file.write_text("[DAQmxDevice Dev1]\nProductType = PCIe-6363\nDevIsSimulated = yes\n")
    with pytest.raises(BadDeviceFile, match="Dev1: DevIsSimulated: expected a whole number from 0 to 4294967295, got 'yes'"):
        read(file)
    file.write_text("no section\n")
    with pytest.raises(BadDeviceFile, match="not a configuration exported by NI MAX"):
        read(file)


def test_the_file_of_the_guide_is_one(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[4] / "docs" / "simulated_daqmx.md").read_text()
    (tmp_path / "load_cell.ted").write_bytes(bytes(40))
    file = tmp_path / "devices.toml"
    file.write_text(guide.partition("```toml\n")[2].partition("```")[0])
    setup = read(file)
    assert [device.name for device in setup.devices] == ["Dev1", "PXI1Slot2", "cDAQ1", "cDAQ1Mod1"]
    assert len(setup.wiring) == 2 and len(setup.teds) == 1 and len(setup.scales) == 1
