"""Serial ports of a virtual bench: `port = "virtual:NAME"` in a drive's table stands for its line NAME ([[serial]])."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rig.config.bench import Axis, Bench
from rig.config.tree import Problem

PREFIX = "virtual:"


def named(axis: Axis) -> str | None:
    """The line that an axis' port stands for; None for a real port, or none."""
    port = getattr(axis.drive, "port", "")
    return port.removeprefix(PREFIX) if port.startswith(PREFIX) else None


def on_a_line(axis: Axis) -> bool:
    """Whether an axis is on a serial line; the others hang on outputs of the DAQ device."""
    return hasattr(axis.drive, "port")


def wanted(bench: Bench) -> set[str]:
    """Lines that the axes of a bench stand on."""
    return {name for axis in bench.axes if (name := named(axis)) is not None}


def fixed(bench: Bench) -> dict[str, str]:
    """Line -> port, of a virtual bench that somebody has started by hand at `address`."""
    host = (bench.address or "").rpartition(":")[0]
    return {entry.name: f"socket://{host}:{entry.port}" for entry in bench.serial if host and entry.port}


def resolved(bench: Bench, ports: Mapping[str, str]) -> Bench:
    """The bench with real ports in its axes' tables. Raises KeyError for a line without one."""
    axes = [
        axis if (name := named(axis)) is None else replace(axis, drive=replace(axis.drive, port=ports[name])) for axis in bench.axes
    ]
    return replace(bench, axes=tuple(axes))


def problems(bench: Bench) -> Iterator[Problem]:
    """Ports that stand for no line, or for one whose port nobody knows."""
    lines, known = [entry.name for entry in bench.serial], fixed(bench)
    for i, axis in enumerate(bench.axes):
        name, at = named(axis), ("axes", i, "drive", "port")
        if name is not None and name not in lines:
            yield Problem(at, f"no serial line {name!r} ([[serial]]); there are {', '.join(lines) or 'none'}")
        elif name is not None and bench.address is not None and name not in known:
            yield Problem(at, f"the bench is at {bench.address}, so serial line {name} needs a port of its own (port = 40001), not 0")
