"""`rig stop RUN`: a ramped stop of a running test, with its record complete; asked again it is an interlock."""

from __future__ import annotations

import argparse

from rig.command_line.operating import add_arguments, operate
from rig.command_line.result import Result


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig stop`."""
    add_arguments(parser, waits=False)


def execute(args: argparse.Namespace) -> Result:
    """Ask for it; the test tells the rest where it was started."""
    return operate(args, "stop", ())
