"""`rig hold RUN`: bring the command of a running test to a stand; limits stay armed, samples go on."""

from __future__ import annotations

import argparse

from rig.command_line.operating import add_arguments, operate
from rig.command_line.result import Result


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig hold`."""
    add_arguments(parser)
    parser.add_argument("--now", action="store_true", help="at once, whatever hold.at says")


def execute(args: argparse.Namespace) -> Result:
    """Ask for it, and wait until the command stands."""
    return operate(args, "hold", ("hold",), now=args.now)
