"""`rig virtual-bench [EXPERIMENT]`: the simulated hardware of a bench file alone, for any client."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from rig import config
from rig.commands import add_setup_arguments
from rig.commands.result import Result
from rig.config.bench import Device, Wire
from rig.errors import ConfigError
from rig.virtual_bench import Hardware, host

LAST_PORT = 65535


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig virtual-bench`."""
    add_setup_arguments(parser, optional=True)
    parser.add_argument(
        "--devices", metavar="FILE", type=Path, help="[[devices]] and [[wiring]] from this file (.toml) instead of the bench's"
    )
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port on this machine; 0: a free one (default)")
    parser.add_argument("--log", metavar="FILE", type=Path, help="append the log to this file (default: standard error)")


def execute(args: argparse.Namespace) -> Result:
    """Serve until Ctrl-C or SIGTERM. Raises ConfigError for what cannot be simulated, and for a port in use."""
    if not 0 <= args.port <= LAST_PORT:
        raise ConfigError(f"--port {args.port}: expected 0 to {LAST_PORT}")
    hardware = _hardware(args)
    out = sys.stderr if args.json else sys.stdout
    with _opened(args.log) as log:
        host(hardware, args.port, log, lambda line: print(line, file=out, flush=True))
    return Result("stopped")


@dataclass(frozen=True)
class _DeviceFile:
    """What --devices reads."""

    devices: tuple[Device, ...]
    wiring: tuple[Wire, ...] = ()


def _hardware(args: argparse.Namespace) -> Hardware:
    given = _read_devices(args.devices) if args.devices else None
    if args.experiment:
        bench = config.load(args.experiment, args.overrides, args.bench).bench
        if bench.plant is None and given is None:
            raise ConfigError(f"{args.experiment}: its bench has no [plant]: it is real hardware, and there is nothing to simulate")
        hardware = Hardware.of(bench)
        return hardware if given is None else replace(hardware, devices=given.devices, wiring=given.wiring or hardware.wiring)
    if args.bench or args.overrides:
        raise ConfigError("--bench and --set go with an EXPERIMENT; give one")
    if given is None:
        raise ConfigError("nothing to simulate: give an EXPERIMENT, or --devices FILE.toml for devices without a plant")
    return Hardware(given.devices, given.wiring)


def _read_devices(path: Path) -> _DeviceFile:
    from rig.config.conversion import Conversion
    from rig.config.schema import build
    from rig.config.tree import dotted, read

    tree, _ = read(path, "devices")
    conversion = Conversion()
    found: _DeviceFile | None = build(_DeviceFile, tree, conversion)
    if found is None or conversion.problems:
        raise ConfigError([f"{path}: {dotted(problem.path)}: {problem.text}" for problem in conversion.problems])
    return found


@contextlib.contextmanager
def _opened(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stderr
        return
    with path.open("a", encoding="utf-8") as log:
        yield log
