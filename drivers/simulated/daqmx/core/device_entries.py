"""What a set of simulated devices is made of, as configuration describes it and the engine takes it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from drivers.simulated.daqmx.products import Product, product_named

UNKNOWN = 2**32 - 1
"""What the driver says for a PXI chassis or slot that was not identified."""
_PXI = re.compile(r"^PXI(\d+)Slot(\d+)$", re.IGNORECASE)
_MODULE = re.compile(r"^(.+)Mod(\d+)$", re.IGNORECASE)


class DeviceEntry(NamedTuple):
    """A device under the name that programs use. A module of a chassis names it and its slot (from 1); `serial` is what it answers.

    `pxi_chassis`: number of the PXI chassis. `accessory`: terminal block at its connector, by NI's name. `simulated`: what it answers to
    those who ask whether it is a simulated one, None: what its chassis is, else yes. It does the same either way.
    `described`: the product, where it is one of the file's own.
    """

    name: str
    product: str
    chassis: str = ""
    slot: int = 0
    serial: int = 0
    pxi_chassis: int = 0
    accessory: str = ""
    simulated: bool | None = None
    described: Product | None = None

    def pxi_position(self) -> tuple[int, int]:
        """Numbers of PXI chassis and slot: as given, or as a name like `PXI1Slot2` tells them."""
        told = _PXI.match(self.name)
        if self.slot:
            return self.pxi_chassis or (int(told[1]) if told else 1), self.slot
        return (int(told[1]), int(told[2])) if told else (UNKNOWN, UNKNOWN)


def product_of(entry: DeviceEntry) -> Product | None:
    """What a device is; None for a product that nobody knows."""
    return entry.described or product_named(entry.product)


class Stored(NamedTuple):
    """A scale, global channel or task kept under a name: `attributes` by NI's own names and as text (`AI.Max`: `10`)."""

    name: str
    attributes: Mapping[str, str]


def entries(devices: Sequence[Sequence[object]]) -> dict[str, DeviceEntry]:
    """Entries by name; (name, product) is enough for one, where a name like `cDAQ1Mod2` tells chassis and slot."""
    made = [device if isinstance(device, DeviceEntry) else DeviceEntry(*device) for device in devices]  # type: ignore[arg-type]
    known = {entry.name.lower(): entry.name for entry in made}
    placed = {entry.name: _placed(entry, known) for entry in made}
    return {name: entry._replace(simulated=_simulated(entry, placed)) for name, entry in placed.items()}


def _simulated(entry: DeviceEntry, placed: Mapping[str, DeviceEntry]) -> bool:
    if entry.simulated is not None:
        return entry.simulated
    return entry.chassis not in placed or placed[entry.chassis].simulated is not False


def _placed(entry: DeviceEntry, known: Mapping[str, str]) -> DeviceEntry:
    told = _MODULE.match(entry.name)
    if not entry.chassis and told and told[1].lower() in known:
        return entry._replace(chassis=known[told[1].lower()], slot=entry.slot or int(told[2]))
    return entry._replace(chassis=known.get(entry.chassis.lower(), entry.chassis))
