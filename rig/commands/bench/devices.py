"""`rig devices`: which NI devices and serial ports there are. No output is written, no serial port is opened."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from drivers.errors import DriverError
from rig.command_line.result import EXIT_CODES, Result
from rig.errors import ConfigError

HERE = "NI driver of this machine"
Row = Mapping[str, object]
"""Key -> value, of a device, a port or a sensor."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig devices`."""
    parser.add_argument("--teds", metavar="BENCH", help="read the data sheets of this bench's sensors as well (IEEE 1451.4)")
    parser.add_argument("--address", metavar="HOST:PORT", help="NI devices of a gRPC device server instead of this machine's")


def execute(args: argparse.Namespace) -> Result:
    """List both. Without an NI driver the serial ports alone; exit 3 when a server that was named does not answer. Raises ConfigError."""
    if args.address is not None:
        _check_address(args.address)
    devices, reason = _ni_devices(args.address)
    ports = _serial_ports()
    where = args.address or HERE
    data: dict[str, object] = {
        "ni": {"where": where, "reachable": reason is None, "reason": reason},
        "devices": devices,
        "serial_ports": ports,
    }
    parts = [_ni_text(devices, where, reason), _serial_text(ports)]
    warnings: list[str] = []
    if args.teds is not None:
        sheets, warnings = _data_sheets(args.teds, args.address)
        data["data_sheets"] = sheets
        parts.append(_table("data sheets (TEDS)", sheets, ("channel", "terminal", "sensor", "sensitivity", "unit")))
    text = "\n\n".join(parts)
    if reason is not None and args.address:
        return Result("failed", EXIT_CODES["failed"], {**data, "error": reason, "problems": [reason]}, text)
    return Result(data=data, text=text, warnings=warnings)


def _check_address(address: str) -> None:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise ConfigError(f"--address: expected HOST:PORT with a port from 1 to 65535, as 127.0.0.1:31763, got {address!r}")


def _ni_devices(address: str | None) -> tuple[list[Row], str | None]:
    """(devices, why they cannot be told)."""
    from drivers.daq.devices import find  # the vendor's package takes a second

    try:
        return [asdict(device) for device in find(address)], None
    except DriverError as error:
        return [], str(error)


def _serial_ports() -> list[Row]:
    from drivers.serial.serial_ports import find

    return [asdict(port) for port in find()]


def _data_sheets(file: str, address: str | None) -> tuple[list[Row], list[str]]:
    """(a row for each sensor that has one, where they disagree with the bench file), of the bench at `address` where it is named.

    Raises ConfigError, DriverError.
    """
    from rig import config
    from rig.commands.bench.data_sheets import others, sheet_row
    from rig.hardware import data_sheets
    from rig.supervision.bench_access import reachable

    bench, path = config.load_bench(file)
    bench = bench if address is None else replace(bench, address=address)
    with reachable(bench, path) as there:
        sheets = data_sheets.read(there)
    rows: list[Row] = [
        {"channel": c.name, "terminal": c.terminal, "unit": f"{c.unit}/V", **(sheet_row(c, sheets[c.name]) or {})}
        for c in bench.channels
        if c.name in sheets
    ]
    return rows, others(bench, sheets)


def _ni_text(devices: Sequence[Row], where: str, reason: str | None) -> str:
    if reason is not None:
        return f"NI devices: none can be told: {reason}"
    return _table(f"NI devices ({where})", devices, ("name", "product", "serial", "chassis", "slot", "simulated"))


def _serial_text(ports: Sequence[Row]) -> str:
    return _table("serial ports (not opened)", ports, ("port", "description", "usb", "serial", "manufacturer"))


def _table(title: str, rows: Sequence[Row], keys: Sequence[str]) -> str:
    from rig.report.table import aligned

    if not rows:
        return f"{title}: none"
    cells = [[_shown(key, row[key]) for key in keys] for row in rows]
    return f"{title}\n{aligned([list(keys), *cells], len(keys))}"


def _shown(key: str, value: object) -> str:
    """NI writes serial numbers in hexadecimal, as they stand on the device."""
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and key == "serial":
        return f"{value:08X}" if value else "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
