"""Configurations of devices as NI MAX exports them (.ini).

MAX says `DevIsSimulated = 1` of simulated devices. Of others it says 0 or nothing (`nidaqmxconfig --export` with a cDAQ-9174 on the bench
prints product and serial number): such a device is served as one that says it is real.
"""

from __future__ import annotations

import configparser
from collections.abc import Mapping
from pathlib import Path

from drivers.simulated.daqmx.core.device_entries import DeviceEntry, Stored
from drivers.simulated.daqmx.products import product_named
from drivers.simulated.device_setup import BadDeviceFile, Setup

_DEVICES = ("DAQmxDevice", "DAQmxCDAQChassis", "DAQmxCDAQModule")
_NO_SLOT = 2**32 - 1


def read_export(path: Path, text: str, problems: list[str]) -> Setup:
    """The setup that the text of a file tells; what is wrong goes to `problems`. Raises BadDeviceFile where it is no export."""
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=(";", "#"))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text)
    except (configparser.Error, ValueError) as error:
        raise BadDeviceFile([f"{path}: not a configuration exported by NI MAX: {str(error).splitlines()[0]}"]) from None
    sections = [(*section.partition(" ")[::2], {k: v.strip('"') for k, v in parser[section].items()}) for section in parser.sections()]
    blocks = {name.split("/")[1]: name.split("/")[0] for kind, name, _ in sections if kind == "DAQmxAccessory" and name.count("/") == 2}
    found = [_device(name, keys, blocks.get(name, ""), problems) for kind, name, keys in sections if kind in _DEVICES]
    served = [entry for entry in found if product_named(entry.product) is not None]
    gone = [f"{entry.name} ({entry.product}) is left out: no such product here" for entry in found if entry not in served]
    if not served:
        problems.append("describes no device that can be simulated" + (f"; {'; '.join(gone)}" if gone else ""))
    scales, channels, tasks = (
        tuple(Stored(name, keys) for what, name, keys in sections if what == section)
        for section in ("DAQmxScale", "DAQmxChannel", "DAQmxTask")
    )
    return Setup(tuple(served), scales=scales, channels=channels, tasks=tasks, remarks=tuple(gone))


def _device(name: str, keys: Mapping[str, str], accessory: str, problems: list[str]) -> DeviceEntry:
    def number(key: str) -> int:
        text = keys.get(key, "0")
        try:
            if 0 <= (found := int(text, 0)) <= _NO_SLOT:
                return found
        except ValueError:
            pass
        problems.append(f"{name}: {key}: expected a whole number from 0 to {_NO_SLOT}, got {text!r}")
        return 0

    chassis = keys.get("CompactDAQ.ChassisDevName", "")
    slot = number("CompactDAQ.SlotNum" if chassis else "PXI.SlotNum")
    serial, in_chassis = number("DevSerialNum"), number("PXI.ChassisNum")
    known = slot != _NO_SLOT
    return DeviceEntry(
        name, keys.get("ProductType", ""), chassis, slot if known else 0, serial, in_chassis if known else 0, accessory,
        simulated=number("DevIsSimulated") != 0,
    )  # fmt: skip
