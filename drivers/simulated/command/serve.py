"""`daqmx-sim serve`: devices for any client of NI's gRPC device server, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
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
        setup = setup_of(args.devices or DEFAULT_DEVICES, pace=args.pace)
        for remark in setup.remarks:
            print(f"{args.devices}: {remark}", file=sys.stderr)
        port = args.port if args.port is not None else setup.port or PORT
        with _log(args.log) as log, SimulatedDevices(replace(setup, port=port), args.host) as bench:
            from_where = args.devices or "the default, as no --devices FILE was given"
            print(f"devices: {devices_of(setup)} ({from_where})\npace: {setup.pace}\nlistening {bench.address}", flush=True)
            _until_ended(bench, log)
    except (BadDeviceFile, DriverError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        print(f"serve: {error.filename or args.log}: the log cannot be written: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    return 0


def _until_ended(bench: SimulatedDevices, log: TextIO) -> None:
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    # The first process of a container gets no signal that it has not asked for.
    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
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


@contextlib.contextmanager
def _log(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stderr
        return
    with path.open("a", encoding="utf-8") as log:
        yield log
