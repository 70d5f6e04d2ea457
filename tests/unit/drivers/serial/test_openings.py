"""Serial ports: how they are opened, shared, lost and opened again, and how bytes are shown."""

from __future__ import annotations

import pytest
import serial

from drivers.errors import NotConnected, Refused
from drivers.serial import serial_line
from drivers.serial.serial_line import Line, SerialLine
from tests.each_row import each_row
from tests.unit.drivers.serial.memory_port import LOOK, Port, opened, whole


def test_a_port_is_opened_as_set_and_for_this_program_alone(port: Port) -> None:
    line = opened(parity="even", stop_bits=2)
    line.open()
    assert port.opened == [
        {
            "name": "COM1",
            "baud": 9600,
            "parity": serial.PARITY_EVEN,
            "stopbits": 2,
            "timeout": LOOK,
            "write_timeout": 0.2,
            "exclusive": True,
        }
    ]
    assert line.close() == [] and port.closed == 1
    assert line.close() == [] and port.closed == 1
    with pytest.raises(NotConnected, match="gauge at COM1: the port is not open; connect first"):
        line.exchange(b"?\n", whole)


@pytest.mark.parametrize(("parity", "stop_bits", "bits"), [("none", 1, 10), ("even", 1, 11), ("none", 2, 11), ("odd", 2, 12)])
def test_how_long_a_byte_takes(parity: str, stop_bits: int, bits: int) -> None:
    """A start bit, eight of data, parity, stop bits."""
    assert Line("COM1", 9600, parity, stop_bits).byte_time == pytest.approx(bits / 9600)


@pytest.mark.parametrize("name", ["socket://10.0.0.1", "socket://:4001", "socket://host:port"])
def test_an_address_has_a_host_and_a_port(port: Port, name: str) -> None:
    with pytest.raises(Refused, match="expected socket://HOST:PORT"):
        SerialLine(Line(name, 9600), "gauge").open()
    assert port.opened == []


@pytest.mark.parametrize("changes", [{"baud": 19200}, {"parity": "even"}, {"stop_bits": 2}])
def test_who_shares_a_port_has_the_same_settings(port: Port, changes: dict[str, object]) -> None:
    line = opened()
    other = SerialLine(Line(**({"port": "COM1", "baud": 9600} | changes)), "other")  # type: ignore[arg-type]
    with pytest.raises(Refused, match="other at COM1: gauge has this port open with other settings"):
        other.open()
    same = opened("same")
    line.address, same.address = 3, 4
    assert (line.neighbours, same.neighbours) == ({4}, {3})
    assert line.close() == [] and port.closed == 0 and same.neighbours == set()
    assert same.close() == [] and port.closed == 1


def test_a_port_that_does_not_open_is_free_again(port: Port, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **settings: object) -> None:
        raise serial.SerialException("no such port")

    good = serial_line.serial.serial_for_url
    monkeypatch.setattr(serial_line.serial, "serial_for_url", broken)
    with pytest.raises(NotConnected, match="gauge at COM1: "):
        opened()
    monkeypatch.setattr(serial_line.serial, "serial_for_url", good)
    other = SerialLine(Line("COM1", 19200), "other")
    other.open()
    assert port.opened[0]["baud"] == 19200


def test_a_port_that_goes_is_closed_and_can_be_opened_again(port: Port) -> None:
    line = opened()
    port.gone = True
    for say in (lambda: line.exchange(b"?\n", whole), lambda: line.send(b"!\n")):
        with pytest.raises(NotConnected, match="gauge at COM1: "):
            say()
    assert port.closed == 1
    port.gone = False
    line.open()
    port.answers = [[(0.01, b"back\n")]]
    assert line.exchange(b"?\n", whole) == b"back" and len(port.opened) == 2


def test_a_port_that_does_not_close_is_told(port: Port, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise serial.SerialException("device is gone")

    line = opened()
    monkeypatch.setattr(port, "close", broken)
    assert line.close() == ["gauge at COM1: closing: device is gone"]
    assert line.close() == []


@each_row(
    ("data", "shown"),
    [(b"12.5\r\n", r"'12.5\r\n'"), (b"\x01\x03", "01 03"), (b"12\xff", "31 32 ff"), (b"x" * 65, repr("x" * 64) + " ..."),
     (b"x" * 64, repr("x" * 64)), (b"\x01" * 65, "01 " * 63 + "01 ..."), (b"\x1f", "1f"), (b"\x7f", "7f"), (b" ~", "' ~'")],
)  # fmt: skip
def test_bytes_are_shown_as_text_where_they_are_text(data: bytes, shown: str) -> None:
    assert serial_line._shown(data) == shown
