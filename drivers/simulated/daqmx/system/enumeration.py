"""Devices and their channels by name: chassis and modules, physical channels, lines and ports, in the driver's order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from drivers.simulated.daqmx.core.names import split
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.routing import pins
from drivers.simulated.daqmx.status.errors import DaqmxError

Device = tuple[str, Product]

AI, AO, CI, CO, LINE, PORT = "ai", "ao", "ci", "co", "line", "port"


def joined(names: Iterable[str]) -> str:
    """A list as the driver writes it."""
    return ", ".join(names)


# -- chassis and modules ---------------------------------------------------------------------------------------------------------------


def chassis_of(engine: Engine, device: str) -> str:
    """Name of the chassis that a module is in, empty for any other device."""
    return engine.entries[device].chassis if device in engine.entries else ""


def modules_of(engine: Engine, chassis: str) -> list[str]:
    """Modules of a chassis by slot."""
    inside = [entry for name, entry in engine.entries.items() if entry.chassis == chassis and name in engine.devices]
    return [entry.name for entry in sorted(inside, key=lambda entry: entry.slot)]


def with_modules(engine: Engine, device: str) -> list[str]:
    """A device and, of a chassis, all that is in it."""
    return [device, *modules_of(engine, device)]


# -- channels --------------------------------------------------------------------------------------------------------------------------


def channels(product: Product, kind: str) -> list[str]:
    """Channels of a product without the device's name."""
    if kind == AI:
        return list(product.inputs.names) if product.inputs else []
    if kind == AO:
        return list(product.outputs.names) if product.outputs else []
    if kind == PORT:
        return [f"port{port}" for port in range(len(product.ports))]
    if kind == LINE:
        return [f"port{port}/line{line}" for port, count in enumerate(product.ports) for line in range(count)]
    counting = product.counting
    if counting is None or counting.hidden or (kind == CO and not counting.outputs):
        return []
    return [f"ctr{n}" for n in range(counting.count)] + (["freqout"] if kind == CO and counting.frequency_output else [])


def listed(device: Device, kind: str) -> str:
    """Physical channels of a device as one text."""
    name, product = device
    return joined(f"{name}/{channel}" for channel in channels(product, kind))


@dataclass(frozen=True)
class Physical:
    """One physical channel; `kinds`: what it can be (a counter is both input and output)."""

    device: str
    product: Product
    channel: str
    kinds: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.device}/{self.channel}"

    @property
    def port(self) -> int:
        """Number of the port of a port or line."""
        return int(self.channel.partition("/")[0].removeprefix("port"))


def physical(engine: Engine, text: str) -> Physical:
    """The physical channel of that name. Raises DaqmxError -200220 (no such device), -200170 (no such channel)."""
    name = (split(text) or [""])[0].strip("/")
    device, _, channel = name.partition("/")
    known, product = engine.product(device)
    wanted = pins.line_of(product, channel)
    for kind in (AI, AO, PORT, LINE, CI, CO):
        spelt = {candidate.lower(): candidate for candidate in channels(product, kind)}
        if wanted in spelt:
            kinds = tuple(k for k in (AI, AO, PORT, LINE, CI, CO) if spelt[wanted] in channels(product, k))
            return Physical(known, product, spelt[wanted], kinds)
    raise DaqmxError(-200170, Device=known, Physical_Channel_Name=channel)


def device_of(engine: Engine, text: str) -> tuple[str, Product]:
    """Device by its name, or by that of one of its physical channels. Raises DaqmxError -200220.

    NI's example playrec.py (nidaqmx-python, examples/) asks `Dev2/ao0` for the ranges of its device.
    """
    if "/" in text.strip("/"):
        try:
            found = physical(engine, text)
        except DaqmxError:
            raise DaqmxError(-200220, Device_Specified=text) from None
        return found.device, found.product
    return engine.product(text)
