"""`rig report RUN [RUN...]`: one file of HTML for whoever ordered the test."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from rig.command_line.names import file_name
from rig.command_line.result import Result
from rig.errors import ConfigError
from rig.files import output_files
from rig.report.document.reported_run import ReportedRun, reported_run
from rig.supervision.unfinished import readable

NAME = "report.html"
LARGE = 15e6
"""Bytes from which on a file is hard to send."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig report`."""
    parser.add_argument("runs", metavar="RUN", nargs="+", type=Path, help="folder of a run; of several runs, side by side")
    parser.add_argument("--out", metavar="FILE.html", type=file_name, help=f"the file (default: {NAME} in the first run's folder)")
    parser.add_argument("--template", metavar="DIR", type=Path, help="folder of a laboratory's own template, style, logo or words")
    parser.add_argument("--language", metavar="NAME", help="en, de, fr, or one that the template brings (default: document.language)")


def execute(args: argparse.Namespace) -> Result:
    """Write it whole, or nothing. Raises ConfigError for a run that is none, or not over, and for a template that is wrong."""
    from rig.report.document.page import page, report, write  # Jinja2 only where it is needed
    from rig.report.document.template import PageTemplate
    from rig.report.document.wording import words

    template = PageTemplate(args.template)
    with ExitStack() as stack:
        runs = [_over(path, stack) for path in args.runs]
        spoken = words(args.language or runs[0].plan.experiment.document.language, args.template)
        path = output_files.checked("--out", Path(args.out) if args.out else runs[0].folder / NAME, (".html", ".htm"))
        text = page(report(runs, spoken), spoken, template)
        with output_files.whole("--out", path) as new:
            size = write(new, text)
    record = runs[0].folder / "run.h5"
    data = {"files": [{"path": path, "bytes": size, "format": "html"}], "record": record, "runs": [run.plan.run for run in runs]}
    large = [f"{path}: {size / 1e6:.1f} MB; fewer runs in a report make it smaller"] if size > LARGE else []
    return Result(data=data, text=f"report: {path} ({size / 1e6:.1f} MB)", warnings=large)


def _over(path: Path, stack: ExitStack) -> ReportedRun:
    """Of a test that has ended. Raises ConfigError."""
    there = stack.enter_context(readable(path))
    if there.said:
        raise ConfigError(f"{there.said}; a report is of a test that has ended")
    return reported_run(there.run)
