"""A set of simulated devices with what hangs at them, and whether all of it can be had together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from drivers.files.tables import meant
from drivers.files.text_files import in_one_line
from drivers.simulated.daqmx.core.device_entries import DeviceEntry, Stored, product_of
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.products.product import (
    C_SERIES_MODULE,
    CHASSIS,
    COMPACT_DAQ_CHASSIS,
    PXI,
    PXI_EXPRESS,
    TEST_SCALE_CHASSIS,
    TEST_SCALE_MODULE,
)
from drivers.simulated.daqmx.routing.unconnected_pins import AT_ONCE
from drivers.simulated.daqmx.sensors import scales
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.signals.played import Played, PlayedEdges

LONGEST_NAME = 255
NOT_IN_NAMES = "/\\,:;\"'"
"""Signs that mean something in lists of channels and in terminals."""
GOES_INTO = {C_SERIES_MODULE: COMPACT_DAQ_CHASSIS, TEST_SCALE_MODULE: TEST_SCALE_CHASSIS}
WORDS = ("descr", "author", "name", "units", "type", "channels", "src", "term")
"""Ends of the names of attributes that are words, whatever they spell."""


class BadDeviceFile(ValueError):
    """A file of devices that cannot be used; `problems` holds one line for each thing that is wrong."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = [in_one_line(problem) for problem in problems]
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True)
class Setup:
    """Devices, what is wired to what, and what is kept under a name.

    `bridges`: terminal -> resistance (ohm); `teds`: terminal -> memory of the sensor there. `unconnected`: what triggers on loose
    pins do. `remarks`: what was left out, and why. `signals`: what is played to inputs, by terminal.
    """

    devices: tuple[DeviceEntry, ...]
    wiring: Mapping[str, str] = field(default_factory=dict)
    bridges: Mapping[str, float] = field(default_factory=dict)
    pace: str = "real"
    port: int = 0
    unconnected: str = AT_ONCE
    scales: tuple[Stored, ...] = ()
    channels: tuple[Stored, ...] = ()
    tasks: tuple[Stored, ...] = ()
    teds: Mapping[str, bytes] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    signals: Mapping[str, Played | PlayedEdges] = field(default_factory=dict)


def together(setup: Setup) -> Iterator[str]:
    """What is wrong with a setup, one line for each thing."""
    for device in setup.devices:
        yield from _name(device.name)
    yield from _places(setup.devices)
    yield from _sensors(setup)
    for what, kept in (("scales", setup.scales), ("channels", setup.channels), ("tasks", setup.tasks)):
        yield from _kept(what, kept)


def _name(name: str) -> Iterator[str]:
    wrong = [sign for sign in name if sign in NOT_IN_NAMES or not sign.isprintable()]
    if wrong:
        yield f"devices: a name cannot have {wrong[0]!r} in it, got {name[:60]!r}"
    if name != name.strip():
        yield f"devices: a name begins and ends with no space, got {name[:60]!r}"
    if len(name) > LONGEST_NAME:
        yield f"devices: a name has at most {LONGEST_NAME} characters, got {len(name)} ({name[:20]}...)"


def _places(devices: Iterable[DeviceEntry]) -> Iterator[str]:
    """Each device has a name and a place of its own, in what takes it."""
    names: dict[str, DeviceEntry] = {}
    taken: dict[tuple[str, int], str] = {}
    for device in devices:
        if device.name.lower() in names:
            yield f"devices: two are called {device.name!r}"
        names[device.name.lower()] = device
    for device in devices:
        product = product_of(device)
        if device.chassis:
            yield from _in_chassis(device, names)
            place = (device.chassis.lower(), device.slot)
            where = f"slot {device.slot} of {device.chassis}"
        elif product is not None and (device.slot or device.pxi_chassis):
            if product.bus not in (PXI, PXI_EXPRESS):
                told = "a module says its chassis, too" if product.category in GOES_INTO else f"{device.product} goes into no chassis"
                yield f"devices: {device.name} is in slot {device.slot}, of which chassis? {told}"
                continue
            place = (f"PXI {device.pxi_position()[0]}", device.pxi_position()[1])
            where = f"slot {place[1]} of PXI chassis {device.pxi_position()[0]}"
        else:
            continue
        if device.slot and (other := taken.setdefault(place, device.name)) != device.name:
            yield f"devices: {other} and {device.name} are both in {where}"


def _in_chassis(device: DeviceEntry, names: Mapping[str, DeviceEntry]) -> Iterator[str]:
    chassis, product = names.get(device.chassis.lower()), product_of(device)
    takes = None if chassis is None else product_of(chassis)
    if chassis is None:
        there = [entry.name for entry in names.values()]
        yield f"devices: {device.name} is in chassis {device.chassis!r}, and there is none{meant(device.chassis, there)}"
    elif chassis.name == device.name:
        yield f"devices: {device.name} is in itself; expected the name of its chassis"
    elif takes is None or product is None:  # told already, or left out
        return
    elif takes.category not in CHASSIS:
        yield f"devices: {device.name} is in {chassis.name}, which is no chassis but a {chassis.product}"
    elif GOES_INTO.get(product.category) != takes.category:
        yield f"devices: {device.name} ({device.product}) does not go into {chassis.name} ({chassis.product})"
    elif not device.slot:
        yield f"devices: {device.name} is in chassis {device.chassis}; in which slot? expected slot = 1, 2, ..."
    elif device.slot > takes.slots:
        yield f"devices: {device.name} is in slot {device.slot} of {chassis.name}; a {chassis.product} has {takes.slots} slots"
    elif device.simulated is False and chassis.simulated is not False:
        yield f"devices: {device.name} says that it is real, and its chassis {chassis.name} does not; expected both, or neither"
    if device.pxi_chassis:
        yield f"devices: {device.name} is in chassis {device.chassis} and in PXI chassis {device.pxi_chassis}; expected one of them"


def _sensors(setup: Setup) -> Iterator[str]:
    """Bridges and data sheets hang at inputs."""
    inputs = {
        terminal(f"{device.name}/{name}"): found
        for device in setup.devices
        if (product := product_of(device)) is not None and (found := product.inputs) is not None
        for name in found.names
    }
    for end in setup.bridges:
        if terminal(end) not in inputs:
            yield f"wiring: {end} has a bridge_resistance, and is no analogue input"
        elif not any("bridge" in kind or "strain" in kind for kind in inputs[terminal(end)].kinds):
            yield f"wiring: {end} has a bridge_resistance, and its device measures no bridges"
    for end in setup.teds:
        if terminal(end) not in inputs:
            yield f"teds: {end} is no analogue input of these devices"


def _kept(what: str, kept: Iterable[Stored]) -> Iterator[str]:
    """What is kept under a name: the name is one of its kind, numbers are numbers, and a scale can be used."""
    names: set[str] = set()
    for one in kept:
        if one.name.lower() in names:
            yield f"{what}: two are called {one.name!r}"
        names.add(one.name.lower())
        wrong = [key for key, text in one.attributes.items() if _no_number(key, text)]
        for key in wrong:
            yield f"{what}: {one.name}: {key}: expected a number, got {one.attributes[key]}"
        if what == "scales" and not wrong:
            try:
                scales.scale_of(one).law()
            except DaqmxError as error:
                yield f"scales: {one.name}: {error.text()}"


def _no_number(key: str, text: str) -> bool:
    """Whether a number is infinite, or none."""
    if key.lower().endswith(WORDS):
        return False
    try:
        return not all(math.isfinite(float(part)) for part in text.split(","))
    except ValueError:
        return False
