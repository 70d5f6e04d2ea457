"""`daqmx-sim SUBCOMMAND`."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from importlib import import_module, metadata

PACKAGE = __spec__.parent if __spec__ is not None else __package__
EPILOG = "daqmx-sim SUBCOMMAND --help tells more. NI-DAQmx devices in software, for any program that uses nidaqmx: no NI driver is needed."
DISTRIBUTIONS = {"daqmx_sim": "daqmx-sim", "drivers": "clearance-rig"}
"""Package -> the distribution that installs it: these devices are in two."""
SUBCOMMANDS = {
    "serve": "serve devices over gRPC until Ctrl-C",
    "run": "run a program for nidaqmx, as it is, on simulated devices",
    "products": "list the products that can be simulated, or tell what one has",
    "check": "tell everything that is wrong with a file of devices",
    "ping": "ask a server which devices it has",
}
"""Each is a module beside this one, with `configure` and `execute`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0, 1 where what was asked for is not so, 2 for input that cannot be used."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC's own log says again, in its words, what is told here
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(prog="daqmx-sim", description="Simulated NI-DAQmx devices.", epilog=EPILOG)
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(required=True, metavar="SUBCOMMAND", title="subcommands")
    for name, told in SUBCOMMANDS.items():
        command = commands.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
        if words[:1] == [name]:  # what the others need is not loaded
            module = import_module(f"{PACKAGE}.{name}")
            module.configure(command)
            command.set_defaults(execute=module.execute)
    args = parser.parse_args(words)
    return int(args.execute(args))


class _Version(argparse.Action):
    """Of what is installed, and of what decides how it behaves."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the versions of this program, nidaqmx and Python, and exit")

    def __call__(self, parser: argparse.ArgumentParser, *given: object) -> None:
        name = DISTRIBUTIONS[str(PACKAGE).partition(".")[0]]
        try:
            here = metadata.version(name)
        except metadata.PackageNotFoundError:
            here = "not installed, run from its sources"
        print(f"daqmx-sim ({name} {here}), nidaqmx {metadata.version('nidaqmx')}, Python {platform.python_version()}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
