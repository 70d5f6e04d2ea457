"""Serial ports of a virtual bench: `port = "virtual:NAME"` in the table of a drive or a loader stands for its line NAME ([[serial]])."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import TypeVar

from drivers.axes.settings import SerialAxisSettings
from drivers.instruments.instrument import InstrumentSettings
from drivers.loaders.settings import SerialLoaderSettings
from rig.config.bench import Bench, SerialEntry
from rig.config.kinds import kind_of
from rig.config.tree import Path_, Problem

T = TypeVar("T")
PREFIX = "virtual:"


def named(instrument: object) -> str | None:
    """The line that the port of a drive or a loader stands for; None for a real port, or none."""
    port = instrument.port if isinstance(instrument, (SerialAxisSettings, SerialLoaderSettings, InstrumentSettings)) else ""
    return port.removeprefix(PREFIX) if port.startswith(PREFIX) else None


def wanted(bench: Bench) -> set[str]:
    """Lines that the axes, the loader or the instruments of a bench stand on."""
    devices = (bench.loader, *(axis.drive for axis in bench.axes), *(one.device for one in bench.instruments))
    return {name for one in devices if (name := named(one)) is not None}


def fixed(bench: Bench) -> dict[str, str]:
    """Line -> port, of a virtual bench that somebody has started by hand at `address`."""
    host = (bench.address or "").rpartition(":")[0]
    return {entry.name: f"socket://{host}:{entry.port}" for entry in bench.serial if host and entry.port}


def resolved(bench: Bench, ports: Mapping[str, str]) -> Bench:
    """The bench with real ports in the tables of what is on a line. Raises KeyError for a line without one."""
    axes = tuple(replace(axis, drive=_resolved(axis.drive, ports)) for axis in bench.axes)
    instruments = tuple(replace(one, device=_resolved(one.device, ports)) for one in bench.instruments)
    return replace(bench, axes=axes, instruments=instruments, loader=_resolved(bench.loader, ports))


def problems(bench: Bench) -> Iterator[Problem]:
    """Ports that stand for no line, or for one whose port nobody knows."""
    lines, known = {entry.name: entry for entry in bench.serial}, fixed(bench)
    drives: list[tuple[Path_, object]] = [(("axes", i, "drive", "port"), axis.drive) for i, axis in enumerate(bench.axes)]
    drives += [(("instruments", i, "device", "port"), one.device) for i, one in enumerate(bench.instruments)]
    for at, instrument in [(("loader", "port"), bench.loader), *drives]:
        name = named(instrument)
        if name is not None and name not in lines:
            yield Problem(at, f"no serial line {name!r} ([[serial]]); there are {', '.join(lines) or 'none'}")
        elif name is not None and (there := _kind(lines[name])) != kind_of(instrument) and there.isidentifier():
            yield Problem(at, f"expected a line with a {kind_of(instrument)}; at the end of {name!r} is a {there}")
        elif name is not None and bench.address is not None and name not in known:
            text = f"the bench is at {bench.address}, so serial line {name} needs a port that both know, not 0: the one that"
            yield Problem(("serial", list(lines).index(name), "port"), f"{text} it was started with (--set bench.serial.{name}.port=40001)")


def _kind(entry: SerialEntry) -> str:
    """A word, or the path of a module, of which nobody can tell what it answers."""
    found = entry.device or entry.drive
    return entry.kind if found is None else kind_of(found)


def _resolved(instrument: T, ports: Mapping[str, str]) -> T:
    name = named(instrument)
    if name is None:
        return instrument
    assert is_dataclass(instrument) and not isinstance(instrument, type)
    return replace(instrument, port=ports[name])
