"""The port that serial lines of a test open, whatever its name."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from drivers.serial import serial_line
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
