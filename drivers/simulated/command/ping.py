"""`daqmx-sim ping HOST:PORT`: whether a server is there, as the health check of a container asks."""

from __future__ import annotations

import argparse
import sys

import grpc
from nidaqmx import GrpcSessionOptions
from nidaqmx.errors import Error
from nidaqmx.system import System

SILENT = 1
HERE = "127.0.0.1:31763"
"""The container's own server; asked again and again, so nothing of the devices is loaded for it."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("address", metavar="HOST:PORT", nargs="?", default=HERE, help="default: %(default)s")
    parser.add_argument("--timeout", type=float, default=3.0, metavar="SECONDS", help="how long to wait for it (default %(default)g)")


def execute(args: argparse.Namespace) -> int:
    """Print its devices and return 0; 1 where nobody answers."""
    with grpc.insecure_channel(args.address) as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=args.timeout)
            devices = list(System.remote(GrpcSessionOptions(channel, "")).devices)
            print(f"{args.address}: {', '.join(f'{device.name} ({device.product_type})' for device in devices) or 'no devices'}")
        except grpc.FutureTimeoutError:
            print(f"{args.address}: no device server answers within {args.timeout:g} s", file=sys.stderr)
            return SILENT
        except Error as error:
            print(f"{args.address}: no device server of NI-DAQmx: {str(error).splitlines()[0]}", file=sys.stderr)
            return SILENT
    return 0
