"""Which serial ports there are, by what the operating system knows of them. None is opened: opening one resets some instruments."""

from __future__ import annotations

from dataclasses import dataclass

from serial.tools import list_ports


@dataclass(frozen=True)
class SerialPort:
    """One port; USB identity (`usb` = "VID:PID" in hexadecimal, serial number, manufacturer) is None of a port that is not on USB."""

    port: str
    description: str
    usb: str | None
    serial: str | None
    manufacturer: str | None


def find() -> list[SerialPort]:
    """Every port of this machine, by name."""
    return [
        SerialPort(
            found.device, found.description if found.description != "n/a" else "",
            None if found.vid is None else f"{found.vid:04X}:{found.pid:04X}", found.serial_number, found.manufacturer,
        )
        for found in sorted(list_ports.comports(), key=lambda found: found.device)
    ]  # fmt: skip
