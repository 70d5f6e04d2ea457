"""`rig devices` against simulated devices, without any, and with serial ports as the operating system tells them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import serial
from nidaqmx.errors import DaqNotFoundError
from nidaqmx.system import System
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.plant.plant import NoPlant
from rig import commands
from tests.unit.rig.hardware.still_bench import error_of, only_line

DEVICES = (
    DeviceEntry("Dev1", "PCIe-6363", serial=0x01ABCDEF),
    DeviceEntry("cDAQ1", "cDAQ-9178"),
    DeviceEntry("cDAQ1Mod3", "NI 9234", "cDAQ1", 3),
    DeviceEntry("PXI1Slot4", "PXIe-4331", slot=4, pxi_chassis=2),
)


@pytest.fixture
def address() -> Iterator[str]:
    server = serve(Engine(DEVICES, {}, NoPlant(), BenchClock("lockstep")))
    yield f"127.0.0.1:{server.port}"
    server.stop()


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ODrive on USB and a port of the board; opening any of them fails the test."""
    drive = ListPortInfo("/dev/ttyACM0")
    drive.description, drive.vid, drive.pid, drive.serial_number, drive.manufacturer = "ODrive", 0x1209, 0x0D32, "3365", "ODrive Robotics"
    monkeypatch.setattr(list_ports, "comports", lambda: [ListPortInfo("/dev/ttyS0"), drive])

    def opened(*args: Any, **more: Any) -> None:
        raise AssertionError("a port was opened")

    monkeypatch.setattr(serial.Serial, "open", opened)
    monkeypatch.setattr(serial, "serial_for_url", opened)


def told(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("ports")
def test_devices_with_chassis_slot_and_serial_number(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["devices", "--address", address, "--json"]) == 0
    data = told(capsys)
    assert (data["command"], data["outcome"], data["ni"]) == ("devices", "done", {"where": address, "reachable": True, "reason": None})
    found = {one["name"]: (one["product"], one["serial"], one["chassis"], one["slot"], one["simulated"]) for one in data["devices"]}
    assert found == {
        "Dev1": ("PCIe-6363", 0x01ABCDEF, None, None, True),
        "cDAQ1": ("cDAQ-9178", 0, None, None, True),
        "cDAQ1Mod3": ("NI 9234", 0, "cDAQ1", 3, True),
        "PXI1Slot4": ("PXIe-4331", 0, "PXI chassis 2", 4, True),
    }


@pytest.mark.usefixtures("ports")
def test_ports_by_usb_identity_and_none_is_opened(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["devices", "--address", address]) == 0
    said = capsys.readouterr().out
    assert only_line(said, "/dev/ttyACM0") == ["/dev/ttyACM0", "ODrive", "1209:0D32", "3365", "ODrive", "Robotics"]
    assert only_line(said, "/dev/ttyS0") == ["/dev/ttyS0", "-", "-", "-", "-"]
    assert only_line(said, "Dev1") == ["Dev1", "PCIe-6363", "01ABCDEF", "-", "-", "yes"]


@pytest.mark.usefixtures("ports")
def test_without_the_ni_driver_the_ports_are_listed_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class NoDriver:
        @property
        def devices(self) -> Any:
            raise DaqNotFoundError("no library")

    monkeypatch.setattr(System, "local", NoDriver)
    assert commands.main(["devices", "--json"]) == 0
    data = told(capsys)
    assert data["ni"]["reason"].startswith("no NI driver (NI-DAQmx) is installed on this machine; install it, or")
    assert [port["port"] for port in data["serial_ports"]] == ["/dev/ttyACM0", "/dev/ttyS0"]


@pytest.mark.usefixtures("ports")
def test_a_server_that_was_named_and_does_not_answer_fails(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.daq.session.CONNECT_TIMEOUT", 0.3)
    assert commands.main(["devices", "--address", "127.0.0.1:9"]) == 3
    assert "no device server answers at 127.0.0.1:9" in error_of(capsys)
    assert commands.main(["devices", "--address", "nowhere"]) == 2
    assert "--address: expected HOST:PORT" in error_of(capsys)
