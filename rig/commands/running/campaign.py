"""`rig campaign faults`: every fault of the table on every rig, on virtual benches, and whether what happens is what is declared."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from rig.command_line.result import Result
from rig.console.progress import told_on_stderr
from rig.errors import ConfigError
from rig.examples import tree
from rig.faults import campaign, table
from rig.faults.injecting import Course
from rig.faults.tables import text

BROKEN_OFF = "the comparison was broken off"
"""In the verdict of a test that had ended when somebody stopped it: its outcome is what it was."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig campaign`."""
    parser.add_argument("what", choices=("faults",), help="which campaign")
    parser.add_argument("--rigs", metavar="A,B", default="", help="rigs of the table of faults (default: all)")
    parser.add_argument("--kinds", metavar="A,B", default="", help='kinds of fault, as "sensor open,valve stuck" (default: all)')
    parser.add_argument("--injections", metavar="N", type=int, default=0, help="how many in all (default: each row of the table once)")
    parser.add_argument("--clean", metavar="N", type=int, default=1, help="tests without a fault, of each rig (default: 1)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the first bench; the next one has the next (default: 1)")
    parser.add_argument("--pace", choices=("lockstep", "real"), default="lockstep", help="of the benches (default: lockstep, exact)")
    parser.add_argument("--results", metavar="FILE", type=Path, help="keep what has been found, a line each, and go on from there")
    parser.add_argument("--experiments", metavar="DIR", type=Path, help="folder (default: that of the program's own examples)")


def execute(args: argparse.Namespace) -> Result:
    """Inject them, one test after the other. Raises ConfigError for rigs and kinds that there are not."""
    whole = table.read()
    rows = whole.chosen(_names(args.rigs), _names(args.kinds))
    if not rows:
        raise ConfigError("--rigs, --kinds: none of these faults applies to any of these rigs")
    if min(args.injections, args.clean, args.seed - 1) < 0:
        raise ConfigError("--injections, --clean: expected 0 or more; --seed: 1 or more")
    experiments = args.experiments or tree.folder() / tree.EXPERIMENTS
    if not experiments.is_dir():
        raise ConfigError(f"--experiments {experiments}: no such folder; expected the one with {', '.join(_files(whole))}")
    course = Course(_run, args.pace, experiments.resolve())
    seeds = range(args.seed, args.seed + args.clean)
    with told_on_stderr("campaign") as tell:
        kept = campaign.Findings(args.results)
        data = campaign.run(whole, rows, course, args.injections, seeds, args.seed, kept, tell)
    failed = data["totals"]["as_declared"] < data["injections"] or data["clean"]["false_trips"] > 0
    return Result("verdict_failed" if failed else "done", int(failed), data, text(data))


def _names(given: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in given.split(",") if one.strip())


def _files(whole: table.Table) -> list[str]:
    return [f"{rig.experiment}.toml" for rig in whole.rigs.values()]


def _run(words: list[str]) -> dict[str, Any]:
    """`rig` with these arguments in this process, which has loaded what it needs. Raises KeyboardInterrupt where the test was stopped."""
    from rig.commands import main

    said, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
        main(words)
    data: dict[str, Any] = json.loads(said.getvalue())
    if data["outcome"] == "stopped" or BROKEN_OFF in str(data.get("verdict", {}).get("reason")):  # a person, who wants no more of them
        raise KeyboardInterrupt(str(data.get("reason", "")))
    return data
