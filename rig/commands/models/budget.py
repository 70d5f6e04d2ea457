"""`rig budget RUN`: what the tolerances of a test have to allow, and which wrong models it finds, from the record of one test."""

from __future__ import annotations

import argparse
from pathlib import Path

from rig.budget import table
from rig.budget.errors import motions
from rig.budget.findings import findings, need
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import add_comparison_of, add_overrides
from rig.console.progress import told_on_stderr
from rig.console.time_left import TimeLeft
from rig.recorder.examination import run_folder
from rig.report.summary import plan_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig budget`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, as of a rehearsal on the virtual bench")
    add_comparison_of(parser)
    add_overrides(parser, "comparison.KEY=VALUE, as comparison.budget.specimens=20")


def execute(args: argparse.Namespace) -> Result:
    """Draw specimens, judge them; exit 1 where a tolerance is tighter than good specimens need. Raises ConfigError."""
    run_dir = run_folder(Path(args.run))
    plan = plan_of(run_dir, args.overrides, args.experiment)
    budget = need(plan)
    with told_on_stderr("budget") as tell:
        total = motions(budget.specimens, len(budget.doubt))
        left = TimeLeft(total)
        found = findings(run_dir, plan, lambda done: tell(f"{done} of {total} motions computed{left.words(done)}"))
    outcome = "verdict_failed" if found.too_tight else "done"
    warnings = [f"{name}: its sensor's record says nothing of its uncertainty, so none is in the budget" for name in found.silent]
    taken = {"set": args.overrides, "experiment": None if args.experiment is None else str(args.experiment)}
    data = {"run": run_dir.resolve().name, **taken, **found.to_json()}
    return Result(outcome, EXIT_CODES[outcome], data, table.text(found), warnings)
