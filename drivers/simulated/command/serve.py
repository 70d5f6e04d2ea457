"""`daqmx-sim serve`: devices for any client of NI's gRPC device server, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import argparse
import ipaddress
import json
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TextIO

from drivers.errors import DriverError
from drivers.simulated import DEFAULT_DEVICES
from drivers.simulated.clock import PACES
from drivers.simulated.command.setup_words import devices_of
from drivers.simulated.device_setup import BadDeviceFile
from drivers.simulated.run import BAD_INPUT
from drivers.simulated.serving import LOOPBACK, SimulatedDevices, setup_of

PORT = 31763
"""Where NI's own device server listens, unless it is told otherwise."""
LAST_PORT = 65535
LOG_EVERY = 0.1  # s


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("--devices", type=Path, metavar="FILE", help="devices to simulate (.toml, or .ini of NI MAX); default: one card")
    parser.add_argument("--port", type=int, metavar="N", help=f"port to listen at, 0: a free one (default: that of the file, else {PORT})")
    parser.add_argument("--pace", choices=PACES, help="device time: that of the wall, or only in calls that wait (default: as the file)")
    parser.add_argument(
        "--host", default=LOOPBACK, metavar="ADDRESS",
        help=f"address to listen at (default {LOOPBACK}); others, as 0.0.0.0: whoever reaches this machine can use the devices",
    )  # fmt: skip
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="append to this file what devices do by themselves (default: standard error)"
    )


def execute(args: argparse.Namespace) -> int:
    """Serve; returns 0, or 2 for what cannot be served."""
    if args.port is not None and not 0 <= args.port <= LAST_PORT:
        print(f"serve: --port: expected 0 to {LAST_PORT}, got {args.port}", file=sys.stderr)
        return BAD_INPUT
    try:
        address = ipaddress.ip_address(args.host.strip("[]"))
    except ValueError:
        print(f"serve: --host: expected an address of this machine, as {LOOPBACK} or 0.0.0.0; got {args.host!r}", file=sys.stderr)
        return BAD_INPUT
    host = f"[{address}]" if address.version == 6 else str(address)
    try:
        setup = setup_of(args.devices or DEFAULT_DEVICES, pace=args.pace)
        log = sys.stderr if args.log is None else args.log.open("a", encoding="utf-8")
    except BadDeviceFile as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        print(f"serve: {args.log}: the log cannot be written: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    for remark in setup.remarks:
        print(f"{args.devices}: {remark}", file=sys.stderr)
    port = args.port if args.port is not None else setup.port or PORT
    try:
        with SimulatedDevices(replace(setup, port=port), host) as bench:
            origin = args.devices or "the default, as no --devices FILE was given"
            _until_ended(bench, log, f"devices: {devices_of(setup)} ({origin})\npace: {setup.pace}\nlistening {bench.address}")
    except (BadDeviceFile, DriverError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    finally:
        if args.log is not None:
            log.close()
    return 0


def _until_ended(bench: SimulatedDevices, log: TextIO, announcement: str) -> None:
    """Say that it is there once it can be told to end, and serve until it is."""
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    # The first process of a container gets no signal that it has not asked for.
    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    print(announcement, flush=True)
    try:
        while not ended.wait(LOG_EVERY):
            _write(bench, log)
        _write(bench, log)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _write(bench: SimulatedDevices, log: TextIO) -> None:
    for at, source, text in bench.engine.take_events():
        print(json.dumps({"wall": time.time(), "bench": at, "source": source, "text": text}), file=log, flush=True)
