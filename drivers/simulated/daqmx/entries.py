"""What a set of simulated devices is made of, as configuration describes it and the engine takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class DeviceEntry(NamedTuple):
    """A device under the name that programs use. A module of a chassis names it and its slot (from 1); `serial` is what it answers."""

    name: str
    product: str
    chassis: str = ""
    slot: int = 0
    serial: int = 0


class Stored(NamedTuple):
    """A scale, global channel or task kept under a name: `attributes` by NI's own names and as text (`AI.Max`: `10`)."""

    name: str
    attributes: Mapping[str, str]


def entries(devices: Sequence[Sequence[object]]) -> dict[str, DeviceEntry]:
    """Entries by name; (name, product) is enough for one."""
    made = [device if isinstance(device, DeviceEntry) else DeviceEntry(*device) for device in devices]  # type: ignore[arg-type]
    return {entry.name: entry for entry in made}
