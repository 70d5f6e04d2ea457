"""TOML that describes devices, of this project's own.

`pace`, `port`, `unconnected`; tables `[[devices]]` (name, product, chassis, slot, serial, pxi_chassis, accessory, simulated), `[[wiring]]`
(terminal, signal: of a terminal, or a table that says which of a file, bridge_resistance in ohm), `[[products]]` (of the user's own:
`daqmx/products/product_tables.py`), `[[teds]]` (terminal, and the memory of the sensor there: file, or bits in hexadecimal), and what is
kept under a name: `[[scales]]`, `[[channels]]`, `[[tasks]]`, with NI's attribute names as MAX writes them (`AI.Max = 10`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from drivers.files import tables, toml_trees
from drivers.files.text_files import Unusable
from drivers.simulated.clock import PACES
from drivers.simulated.daqmx.core.device_entries import DeviceEntry, Stored
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.products import Product, faults, known_tables, product_named, product_tables, products
from drivers.simulated.daqmx.products.product_tables import Tree
from drivers.simulated.daqmx.routing.unconnected_pins import UNCONNECTED
from drivers.simulated.daqmx.system.teds import read_data_sheet
from drivers.simulated.device_setup import BadDeviceFile, Setup
from drivers.simulated.signals.played import BadSignal, Played, PlayedEdges
from drivers.simulated.signals.signal_tables import is_digital, signal_of

LAST_PORT = 65535


def bad_product(value: object) -> str | None:
    """What is wrong with the name of a product, in words; None: it is simulated."""
    if not isinstance(value, str):
        return f"expected a text, got {value!r}"
    return _unknown(value, {})


def _unknown(name: str, own: Mapping[str, object]) -> str | None:
    if name in own or product_named(name) is not None:
        return None
    return f"no product {name!r}{tables.meant(name, [*products(), *own])}{faults()}"


def _resistance(value: object) -> str | None:
    return None if _ohms(value) is not None else f"expected a resistance above 0, in ohm (350, or '350 ohm'); got {value!r}"


def _ohms(value: object) -> float | None:
    number, _, unit = value.strip().partition(" ") if isinstance(value, str) else (value, "", "ohm")
    if isinstance(number, bool) or not isinstance(number, (int, float, str)):
        return None
    try:
        ohms = float(number) * {"ohm": 1.0, "kohm": 1e3}[unit.strip()]
    except (KeyError, ValueError):
        return None
    return ohms if 0.0 < ohms < float("inf") else None


def _signal(value: object) -> str | None:
    return (
        None
        if isinstance(value, Mapping) or tables.text(value) is None
        else f"expected a text, or a table of a file's signal; got {value!r}"
    )


def _bits(value: object) -> str | None:
    try:
        if isinstance(value, str):
            return None if bytes.fromhex(value) else "expected bytes in hexadecimal, got none"
    except ValueError:
        pass
    return f"expected bytes in hexadecimal (11 40 00 20 ...), got {value!r}"


def _memory(path: Path, sheet: Mapping[str, object], where: str, problems: list[str]) -> bytes:
    """What stands in the memory of a sensor: in a file beside this one, or here in hexadecimal."""
    if ("file" in sheet) == ("bits" in sheet):
        problems.append(f"{where}file: expected either a file or bits")
        return b""
    if "bits" in sheet:
        return bytes.fromhex(str(sheet["bits"]))
    try:
        return read_data_sheet(path.parent / str(sheet["file"]))
    except Unusable as error:
        problems.append(f"{where}file: {error}")
        return b""


_TOP: dict[str, tables.Check] = {
    "pace": tables.one_of(PACES),
    "port": tables.whole(0, LAST_PORT),
    "unconnected": tables.one_of(UNCONNECTED),
}
_DEVICE: dict[str, tables.Check] = {
    "name": tables.text, "product": tables.text, "chassis": tables.text, "slot": tables.whole(1, 255), "serial": tables.whole(0, 2**32 - 1),
    "pxi_chassis": tables.whole(1, 255), "accessory": tables.text, "simulated": tables.truth,
}  # fmt: skip
_TEDS: dict[str, tables.Check] = {"terminal": tables.text, "file": tables.text, "bits": _bits}
_WIRE: dict[str, tables.Check] = {"terminal": tables.text, "signal": _signal, "bridge_resistance": _resistance}
_LISTS = ("devices", "wiring", "teds", "products", "scales", "channels", "tasks")


def read_toml(path: Path, text: str, problems: list[str]) -> Setup:
    """The setup that the text of a file tells; what is wrong goes to `problems`. Raises BadDeviceFile where it is no TOML."""
    try:
        tree = toml_trees.parse(text)
    except toml_trees.NotToml as error:
        raise BadDeviceFile([f"{path}: not TOML: {error}"]) from None
    except toml_trees.OutOfBounds as error:
        raise BadDeviceFile([f"{path}: {error}"]) from None
    top = tables.checked({k: v for k, v in tree.items() if k not in _LISTS}, _TOP, (), "", problems, _LISTS)
    if "devices" not in tree:
        problems.append("devices: missing; expected a list of tables ([[devices]])")
    own = product_tables.read(tables.tables_of(tree, "products", problems), known_tables(), problems)
    at = [*tables.tables_of(tree, "devices", problems)]
    devices = [tables.checked(t, _DEVICE, ("name", "product"), w, problems) for w, t in at]
    for (where, _), device in zip(at, devices, strict=True):
        if "product" in device and (wrong := _unknown(str(device["product"]), own)):
            problems.append(f"{where}product: {wrong}")
            del device["product"]
    wires = [tables.checked(t, _WIRE, ("terminal", "signal"), w, problems) for w, t in tables.tables_of(tree, "wiring", problems)]
    wires = [wire for wire in wires if "terminal" in wire and "signal" in wire]
    scales, channels, tasks = (tuple(_stored(tree, kind, problems)) for kind in _LISTS[-3:])
    sheets = [(w, tables.checked(t, _TEDS, ("terminal",), w, problems)) for w, t in tables.tables_of(tree, "teds", problems)]
    memories = {str(sheet["terminal"]): _memory(path, sheet, where, problems) for where, sheet in sheets if "terminal" in sheet}
    problems += [f"wiring: {end} is wired {n} times, expected once" for end, n in _repeated(str(wire["terminal"]) for wire in wires)]
    sensed = _repeated(str(sheet["terminal"]) for _, sheet in sheets if "terminal" in sheet)
    problems += [f"teds: {end} has {n} sensors, expected one" for end, n in sensed]
    played = dict(_played(path, wires, problems))
    return Setup(
        tuple(_entry(device, own) for device in devices if "name" in device and "product" in device),
        {str(wire["terminal"]): str(wire["signal"]) for wire in wires if not isinstance(wire["signal"], Mapping)},
        {str(wire["terminal"]): _ohms(wire["bridge_resistance"]) or 0.0 for wire in wires if "bridge_resistance" in wire},
        str(top.get("pace", Setup.pace)), as_int(top.get("port", Setup.port)), str(top.get("unconnected", Setup.unconnected)),
        scales, channels, tasks, memories, signals=played,
    )  # fmt: skip


def _played(path: Path, wires: Sequence[Mapping[str, object]], problems: list[str]) -> Iterator[tuple[str, Played | PlayedEdges]]:
    """Signals from files, which are looked for beside this one."""
    for wire in wires:
        end, table = str(wire["terminal"]), wire["signal"]
        if isinstance(table, Mapping):
            try:
                yield end, signal_of(end, table, path.parent, digital=is_digital(end))
            except BadSignal as error:
                problems.append(f"wiring: {error}")


def _entry(device: Mapping[str, object], own: Mapping[str, tuple[Tree, Product]]) -> DeviceEntry:
    name, product, chassis, accessory = (str(device.get(key, "")) for key in ("name", "product", "chassis", "accessory"))
    slot, serial, pxi_chassis = (as_int(device.get(key, 0)) for key in ("slot", "serial", "pxi_chassis"))
    simulated = device.get("simulated")
    described = own[product][1] if product in own else None
    return DeviceEntry(
        name, product, chassis, slot, serial, pxi_chassis, accessory, None if simulated is None else bool(simulated), described
    )  # fmt: skip


def _repeated(ends: Iterable[str]) -> list[tuple[str, int]]:
    """Terminals that are there several times, and how often."""
    return [(end, n) for end, n in Counter(terminal(end) for end in ends).items() if n > 1]


def _stored(tree: Mapping[str, object], kind: str, problems: list[str]) -> Iterator[Stored]:
    for where, table in tables.tables_of(tree, kind, problems):
        if wrong := tables.text(table.get("name")):
            problems.append(f"{where}name: {wrong}")
            continue
        yield Stored(str(table["name"]), dict(_flat({k: v for k, v in table.items() if k != "name"})))


def _flat(table: Mapping[str, object], head: str = "") -> Iterator[tuple[str, str]]:
    """`AI = {Max = 10}`, which is how TOML takes `AI.Max = 10`, as ("AI.Max", "10")."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{head}{key}.")
        else:
            yield f"{head}{key}", ", ".join(map(str, value)) if isinstance(value, list) else str(value)
