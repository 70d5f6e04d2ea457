"""Lines by their other names: a pin that is PFI and line at once, lines counted through all ports, numbers with leading zeros."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.simulated.daqmx.core.names import terminal, unpadded
from drivers.simulated.daqmx.products.product import C_SERIES_MODULE, MIO_DAQ, X_SERIES, Product


def pfi_lines(product: Product) -> list[str]:
    """Lines that are the same pins as PFI0 and on: those of port 1 and up of an X Series card, all of a mioDAQ or a module."""
    if product.category not in (X_SERIES, MIO_DAQ, C_SERIES_MODULE):
        return []
    first = 1 if product.category == X_SERIES else 0
    return [f"port{port}/line{n}" for port, count in enumerate(product.ports) if port >= first for n in range(count)]


def line_of(product: Product, channel: str) -> str:
    """A line as `port1/line0`, by any name that the driver takes for it; anything else as it is, in small letters.

    `line31` without a port is counted through all ports ("Physical Channel Syntax", NI-DAQmx Help). `PFI0` of a card is a digital channel
    as well ("X Series User Manual", Digital I/O: PFI 0..7 is port 1, PFI 8..15 port 2).
    """
    channel = unpadded(channel.lower())
    for head, lines in (
        ("line", [f"port{port}/line{n}" for port, count in enumerate(product.ports) for n in range(count)]), ("pfi", pfi_lines(product)),
    ):  # fmt: skip
        number = channel.removeprefix(head)
        if number != channel and number.isdigit() and int(number) < len(lines):
            return lines[int(number)]
    return channel


def canonical(products: Mapping[str, Product], device: str, name: str) -> str:
    """A line or port in the form in which terminals are compared; without a device it is one of `device`."""
    head, _, rest = terminal(name).partition("/")
    owner = next((known for known in products if known.lower() == head), "")
    owner, rest = (owner, rest) if owner else (device, terminal(name))
    return terminal(f"{owner}/{line_of(products[owner], rest)}")
