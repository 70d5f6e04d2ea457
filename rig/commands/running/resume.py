"""`rig resume RUN`: a test that is held goes on where it stands; one that was broken off goes on at its next cycle."""

from __future__ import annotations

import argparse
from pathlib import Path

from rig.command_line.operating import add_arguments, add_new_baseline, operate
from rig.command_line.result import Result
from rig.commands.running.run import add_window_arguments
from rig.errors import ConfigError
from rig.supervision.operation_client import NotRunning


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig resume`."""
    add_arguments(parser)
    add_new_baseline(parser, "from here on, of a test that is held")
    broken_off = parser.add_argument_group("of a test that was broken off")
    broken_off.add_argument("--accept", action="store_true", help="go on although files, sensors or the program are not those of before")
    broken_off.add_argument("--cycle", metavar="N", type=int, help="go on with cycle N (from 0 on), whatever state and record say")
    add_window_arguments(parser)


def execute(args: argparse.Namespace) -> Result:
    """Ask the process that runs it, and wait until the trajectory goes at its full pace again; where none runs, run on."""
    try:
        return operate(args, "resume", ("running",))
    except NotRunning:
        from rig.commands.running.broken_off import resume  # a test that is held needs none of it

        if args.new_baseline is not None:
            raise
        if not args.run.exists():
            raise ConfigError(f"{args.run}: no such run; expected the folder of a run") from None
        folder: Path = args.run if args.run.is_dir() else args.run.parent
        return resume(folder, args)
