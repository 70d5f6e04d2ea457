"""The port that serial lines of a test open, whatever its name; the serial side of a simulated device."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from drivers.serial import serial_line
from drivers.simulated.clock import BenchClock
from drivers.simulated.serial.serial_device import SerialDevice
from drivers.simulated.serial.serial_side import SerialSide
from tests.unit.drivers.serial.memory_port import Port


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Port:
    port = Port()

    def opened(name: str, baud: int, **settings: object) -> Port:
        port.opened.append({"name": name, "baud": baud, **settings})
        return port

    monkeypatch.setattr(serial_line, "time", SimpleNamespace(sleep=port.sleep))
    monkeypatch.setattr(serial_line, "host_clock", SimpleNamespace(now=lambda: port.now))
    monkeypatch.setattr(serial_line, "_ports", {})
    monkeypatch.setattr(serial_line.serial, "serial_for_url", opened)
    return port


@pytest.fixture
def side(device: SerialDevice) -> Iterator[SerialSide]:
    """Of the `device` of the room or file; time stands still but for `advance`: exact, and as fast as it is read."""
    with SerialSide(device, BenchClock("lockstep")) as side:
        yield side
