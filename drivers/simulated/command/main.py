"""`daqmx-sim SUBCOMMAND`."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from importlib import metadata

from drivers.simulated import run
from drivers.simulated.command import catalogue, check, ping, serve

EPILOG = "daqmx-sim SUBCOMMAND --help tells more. NI-DAQmx devices in software, for any program that uses nidaqmx: no NI driver is needed."
DISTRIBUTIONS = {"daqmx_sim": "daqmx-sim", "drivers": "clearance-rig"}
"""Package -> the distribution that installs it: these devices are in two."""
SUBCOMMANDS = (
    ("serve", serve, "serve devices over gRPC until Ctrl-C"),
    ("run", run, "run a program for nidaqmx, as it is, on simulated devices"),
    ("products", catalogue, "list the products that can be simulated, or tell what one has"),
    ("check", check, "tell everything that is wrong with a file of devices"),
    ("ping", ping, "ask a server which devices it has"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0, 1 where what was asked for is not so, 2 for input that cannot be used."""
    parser = argparse.ArgumentParser(prog="daqmx-sim", description="Simulated NI-DAQmx devices.", epilog=EPILOG)
    parser.add_argument("--version", action="version", version=version())
    commands = parser.add_subparsers(required=True, metavar="SUBCOMMAND", title="subcommands")
    for name, module, words in SUBCOMMANDS:
        command = commands.add_parser(name, help=words, description=f"{words[0].upper()}{words[1:]}.")
        module.configure(command)
        command.set_defaults(execute=module.execute)
    args = parser.parse_args(arguments)
    return int(args.execute(args))


def version() -> str:
    """Of what is installed, and of what decides how it behaves."""
    name = DISTRIBUTIONS[catalogue.__name__.partition(".")[0]]
    try:
        here = metadata.version(name)
    except metadata.PackageNotFoundError:
        here = "not installed, run from its sources"
    return f"daqmx-sim ({name} {here}), nidaqmx {metadata.version('nidaqmx')}, Python {platform.python_version()}"


if __name__ == "__main__":
    sys.exit(main())
