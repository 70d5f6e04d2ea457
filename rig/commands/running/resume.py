"""`rig resume RUN`: a test that is held goes on where it stands, in the same cycle."""

from __future__ import annotations

import argparse

from rig.command_line.operating import add_arguments, operate
from rig.command_line.result import Result


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig resume`."""
    add_arguments(parser)


def execute(args: argparse.Namespace) -> Result:
    """Ask for it, and wait until the trajectory goes at its full pace again."""
    return operate(args, "resume", ("running",))
