"""`daqmx-sim check FILE`: everything that is wrong with a file of devices, or what it describes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from drivers.simulated.command.setup_words import devices_of
from drivers.simulated.device_file import read
from drivers.simulated.device_setup import BadDeviceFile
from drivers.simulated.run import BAD_INPUT
from drivers.simulated.serving import engine_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a file of devices (.toml, or .ini exported by NI MAX)")


def execute(args: argparse.Namespace) -> int:
    """Print one line for each thing that is wrong, and return 2; or what the file describes, and return 0."""
    try:
        setup = read(args.file)
        engine_of(setup).close()  # where wires end is known by the devices
    except BadDeviceFile as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    for remark in setup.remarks:
        print(f"{args.file}: {remark}", file=sys.stderr)
    wires, kept = len(setup.wiring), len(setup.scales) + len(setup.channels) + len(setup.tasks)
    print(f"{args.file}: in order: {devices_of(setup)}; wires: {wires}; scales, channels and tasks: {kept}; pace: {setup.pace}")
    return 0
