"""`rig compare RUN`: measured against predicted of a run that is over, once more, from its record."""

from __future__ import annotations

import argparse
from pathlib import Path

from rig.commands.result import EXIT_CODES, Result
from rig.report.summary import PICTURE, compare_run


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig compare`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run")
    parser.add_argument("--alternative", metavar="LAW", help="contact law that the verdict must be able to tell from the one used")
    parser.add_argument("--out", metavar="DIR", help=f"folder for {PICTURE} (default: the run's own)")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest="overrides",
        action="append",
        default=[],
        help='comparison.KEY=VALUE, as comparison.lowpass="500 Hz" or comparison.criteria.nrms.tolerance=0.01',
    )


def execute(args: argparse.Namespace) -> Result:
    """Compare, draw, judge; exit 1 when the verdict is `fail`."""
    run_dir = Path(args.run)
    if run_dir.is_file():  # run.h5 itself
        run_dir = run_dir.parent
    picture = None
    if args.out is not None:
        picture = Path(args.out) / PICTURE
        picture.parent.mkdir(parents=True, exist_ok=True)
    found = compare_run(run_dir, alternative=args.alternative, overrides=args.overrides, picture=picture)
    outcome = "verdict_failed" if found["verdict"]["result"] == "fail" else "done"
    data = {key: found[key] for key in ("agreement", "verdict", "files")} | {"run": run_dir.resolve().name}
    text = f"{found['text']}\n{found['files']['overlay']}"
    return Result(outcome, EXIT_CODES[outcome], data, text, found["warnings"])
