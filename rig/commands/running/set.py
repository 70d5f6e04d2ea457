"""`rig set RUN KEY=VALUE`: another amplitude, mean, frequency or speed while the test runs, within its limits."""

from __future__ import annotations

import argparse

from rig.command_line.operating import add_arguments, add_new_baseline, need_pair, operate
from rig.command_line.result import Result


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig set`."""
    add_arguments(parser, waits=False)
    add_new_baseline(parser, "once the change has come in")
    parser.add_argument("pair", metavar="KEY=VALUE", help='as trajectory.amplitude="0.9 mm"; comes in within change.time')


def execute(args: argparse.Namespace) -> Result:
    """Ask for it; refused where a limit would be passed."""
    key, value = need_pair(args.pair)
    return operate(args, "set", (), key=key, value=value)
