"""`rig virtual-bench [EXPERIMENT]`: the simulated hardware of a bench file alone, for any client."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from drivers.simulated.device_file import BadDeviceFile, Setup, read
from rig import config
from rig.command_line.names import file_path
from rig.command_line.result import Result
from rig.commands import add_setup_arguments
from rig.errors import ConfigError
from rig.files import output_files
from rig.streaming.processes import PROCESSES, VIRTUAL_BENCH
from rig.supervision.worker_process import hurry
from rig.virtual.virtual_bench import Hardware, host

LAST_PORT = 65535


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig virtual-bench`."""
    add_setup_arguments(parser, optional=True)
    parser.add_argument(
        "--devices", metavar="FILE", type=file_path,
        help="devices from this file (.toml, or .ini exported by NI MAX) instead of the bench's",
    )  # fmt: skip
    parser.add_argument(
        "--port", type=int, metavar="N", help="port on this machine; 0: a free one (default: as the file of --devices says)"
    )
    parser.add_argument("--log", metavar="FILE", type=file_path, help="append the log to this file (default: standard error)")


def execute(args: argparse.Namespace) -> Result:
    """Serve until Ctrl-C or SIGTERM. Raises ConfigError for what cannot be simulated, and for a port in use."""
    if args.port is not None and not 0 <= args.port <= LAST_PORT:
        raise ConfigError(f"--port {args.port}: expected 0 to {LAST_PORT}")
    hardware = _hardware(args)
    port = hardware.setup.port if args.port is None else args.port
    out = sys.stderr if args.json else sys.stdout

    def announce(line: str) -> None:
        print(line, file=out, flush=True)
        # A run's bench worker has such a priority, and would come before it.
        if hardware.plant is not None and hardware.setup.pace == "real":
            hurry(os.getpid(), next(process.real_time for process in PROCESSES if process.name == VIRTUAL_BENCH))

    with _open(args.log) as log:
        host(hardware, port, log, announce)
    return Result("stopped")


def _hardware(args: argparse.Namespace) -> Hardware:
    given = _read_devices(args.devices) if args.devices else None
    for remark in given.remarks if given else ():
        print(f"{args.devices}: {remark}", file=sys.stderr)
    if args.experiment:
        asked = config.load(args.experiment, args.overrides, args.bench)
        bench = asked.bench
        if bench.plant is None and given is None:
            raise ConfigError(f"{args.experiment}: its bench has no [plant]: it is real hardware, and there is nothing to simulate")
        hardware = Hardware.from_bench(bench, str(asked.bench_path))
        return hardware if given is None else replace(hardware, setup=_over(given, hardware.setup))
    if args.bench or args.overrides:
        raise ConfigError("--bench and --set go with an EXPERIMENT; give one")
    if given is None:
        raise ConfigError("nothing to simulate: give an EXPERIMENT, or --devices FILE.toml for devices without a plant")
    return Hardware(given)


def _over(given: Setup, bench: Setup) -> Setup:
    """Other devices in an experiment's bench: its pace stays, and so do its wires where the file has none."""
    if given.wiring:
        return replace(given, pace=bench.pace)
    return replace(given, pace=bench.pace, wiring=bench.wiring, bridges=bench.bridges)


def _read_devices(path: Path) -> Setup:
    try:
        return read(path)
    except BadDeviceFile as error:
        raise ConfigError(error.problems) from error


@contextlib.contextmanager
def _open(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stderr
        return
    log = output_files.file("--log", path).open("a", encoding="utf-8")
    try:
        yield log
    finally:
        with contextlib.suppress(OSError):  # what the disk does not take has been told (VirtualBench.say)
            log.close()
