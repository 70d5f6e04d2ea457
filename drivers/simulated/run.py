"""`python -m drivers.simulated.run --devices FILE PROGRAM [ARGUMENT...]`: run a program for nidaqmx, as it is, on simulated devices.

A program for the local driver gives no `grpc_options`; every class and function of nidaqmx that takes them gets them as a default here.
Nothing else of nidaqmx is touched. With `--address HOST:PORT` the devices are those of a server that runs already.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import grpc
import nidaqmx
import nidaqmx.system
import nidaqmx.system.storage
from nidaqmx.scale import Scale
from nidaqmx.system.device import Device
from nidaqmx.system.physical_channel import PhysicalChannel
from nidaqmx.system.watchdog import WatchdogTask

from drivers.errors import DriverError
from drivers.simulated import serve_devices
from drivers.simulated.device_file import BadDeviceFile
from drivers.simulated.serving import UNLIMITED

OPTIONS = "grpc_options"
CLASSES: tuple[type, ...] = (
    nidaqmx.Task, nidaqmx.system.System, Device, PhysicalChannel, Scale, WatchdogTask,
    nidaqmx.system.storage.PersistedTask, nidaqmx.system.storage.PersistedScale, nidaqmx.system.storage.PersistedChannel,
)  # fmt: skip


def use(options: nidaqmx.GrpcSessionOptions) -> None:
    """From now on nidaqmx means this server, where a program says nothing else."""
    for owner in CLASSES:
        for name, member in list(vars(owner).items()):
            wrapped = _with_default(member, options)
            if wrapped is not member:
                setattr(owner, name, wrapped)
    nidaqmx.system.System.local = staticmethod(functools.partial(nidaqmx.system.System.remote, options))


def _with_default(member: Any, options: nidaqmx.GrpcSessionOptions) -> Any:
    if isinstance(member, staticmethod | classmethod):
        wrapped = _with_default(member.__func__, options)
        return member if wrapped is member.__func__ else type(member)(wrapped)
    if not inspect.isfunction(member) or OPTIONS not in inspect.signature(member).parameters:
        return member
    return _wrapped(member, options)


def _wrapped(function: Callable[..., Any], options: nidaqmx.GrpcSessionOptions) -> Callable[..., Any]:
    at = list(inspect.signature(function).parameters).index(OPTIONS)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) <= at and kwargs.get(OPTIONS) is None:
            kwargs[OPTIONS] = options
        return function(*args, **kwargs)

    return call


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
    if args.address:
        with grpc.insecure_channel(args.address, options=UNLIMITED) as channel:
            _run(args, nidaqmx.GrpcSessionOptions(channel, ""))
        return 0
    try:
        bench = serve_devices(args.devices)
    except (BadDeviceFile, DriverError) as error:
        print(error, file=sys.stderr)
        return 2
    with bench:
        _run(args, bench.grpc_options)
    return 0


def _run(args: argparse.Namespace, options: nidaqmx.GrpcSessionOptions) -> None:
    use(options)
    sys.argv = [str(args.program), *args.arguments]
    sys.path.insert(0, str(args.program.resolve().parent))
    runpy.run_path(str(args.program), run_name="__main__")


if __name__ == "__main__":
    sys.exit(main())
