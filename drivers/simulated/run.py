"""`python -m drivers.simulated.run --devices FILE PROGRAM [ARGUMENT...]`: run a program for nidaqmx, as it is, on simulated devices.

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
from drivers.simulated import serve_devices
from drivers.simulated.device_file import BadDeviceFile

SITE = Path(__file__).resolve().parent / "run_site"
"""Where the module is that Python imports when it starts."""
ADDRESS = "SIMULATED_DAQMX_ADDRESS"
"""Environment variable that it looks at."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m drivers.simulated.run", description="run a program for nidaqmx on simulated devices")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--devices", type=Path, metavar="FILE", help="devices to simulate meanwhile (.toml, or .ini exported by NI MAX)")
    where.add_argument("--address", metavar="HOST:PORT", help="a server that runs already")
    parser.add_argument("program", type=Path, metavar="PROGRAM")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    args = parser.parse_args(arguments)
    if not args.program.is_file():
        parser.error(f"{args.program}: no such program")
    command = [str(args.program), *args.arguments]
    if args.address:
        return _run(command, args.address)
    try:
        bench = serve_devices(args.devices)
    except (BadDeviceFile, DriverError) as error:
        print(error, file=sys.stderr)
        return 2
    with bench:
        return _run(command, bench.address)


def environment(address: str) -> dict[str, str]:
    """Environment of a program, and of what it starts, in which nidaqmx means the server at HOST:PORT.

    gRPC is told to bear forks: `fork` is how multiprocessing starts a process on Linux unless it is told otherwise.
    """
    path = os.pathsep.join(filter(None, (str(SITE), os.environ.get("PYTHONPATH"))))
    quiet = {"GRPC_ENABLE_FORK_SUPPORT": "true", "GRPC_VERBOSITY": "NONE"}
    return {**quiet, **os.environ, ADDRESS: address, "PYTHONPATH": path}


def _run(command: Sequence[str], address: str) -> int:
    """Run a Python program to its end; 128 + signal where one ended it. It gets what this process is sent meanwhile."""
    program = subprocess.Popen([sys.executable, *(f"-W{option}" for option in sys.warnoptions), *command], env=environment(address))

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
