"""`daqmx-sim run`, `python -m drivers.simulated.run`: run a program for nidaqmx, as it is, on simulated devices.

The program is a process of its own, as it is elsewhere, and the devices are served from this one. What it starts in turn has the same
devices: processes of `multiprocessing` by whatever method, `sys.executable`, console scripts (`run_site/sitecustomize.py` says how).
With `--address HOST:PORT` the devices are those of a server that runs already.
"""

from __future__ import annotations

from drivers.interpreter import leave_folder_of_start

if __name__ == "__main__":
    leave_folder_of_start()

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from drivers.errors import DriverError
from drivers.simulated import DEFAULT_DEVICES, serve_devices
from drivers.simulated.device_setup import BadDeviceFile
from drivers.simulated.program_environment import environment

BAD_INPUT = 2


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--devices", type=Path, metavar="FILE", help="devices to simulate meanwhile (.toml, or .ini exported by NI MAX)")
    where.add_argument("--address", metavar="HOST:PORT", help="a server that runs already")
    parser.add_argument("-m", dest="module", action="store_true", help="PROGRAM is a module, as for `python -m`: `-m pytest`")
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT").required = False


def execute(args: argparse.Namespace) -> int:
    """Run the program; returns its exit code, 2 for what cannot be run."""
    if not args.module and not Path(args.program).is_file():
        print(f"run: {args.program}: no such program", file=sys.stderr)
        return BAD_INPUT
    command = [*(["-m"] if args.module else []), args.program, *args.arguments]
    if args.address:
        return _run(command, args.address)
    if args.devices is None:
        there = ", ".join(f"{name} ({product})" for name, product in DEFAULT_DEVICES.items())
        print(f"run: devices: {there}, as no --devices FILE was given", file=sys.stderr)
    try:
        bench = serve_devices(args.devices or DEFAULT_DEVICES)
    except (BadDeviceFile, DriverError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    with bench:
        return _run(command, bench.address)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m drivers.simulated.run", description="run a program for nidaqmx on simulated devices")
    configure(parser)
    return execute(parser.parse_args(arguments))


def _run(command: Sequence[str], address: str) -> int:
    """Run a Python program to its end; 128 + signal where one ended it. It gets what this process is sent meanwhile."""
    options = [f"-W{option}" for option in sys.warnoptions]
    program = subprocess.Popen([sys.executable, *options, *command], env={**os.environ, **environment(address)})

    def forward(number: int, frame: FrameType | None) -> None:
        program.send_signal(number)

    signal.signal(signal.SIGTERM, forward)
    while True:
        try:
            code = program.wait()
            return code if code >= 0 else 128 - code
        except KeyboardInterrupt:  # the terminal has sent it to the program as well, which decides
            continue


if __name__ == "__main__":
    sys.exit(main())
