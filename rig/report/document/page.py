"""The report as one file of HTML: made whole in memory, so that a place on the disk has all of it or nothing."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from rig.release import VERSION
from rig.report.document.chapter import chapter
from rig.report.document.content import Report
from rig.report.document.facts import title
from rig.report.document.figure_data import figure_data
from rig.report.document.reported_run import ReportedRun
from rig.report.document.series import series
from rig.report.document.template import PageTemplate, asset
from rig.report.document.wording import Words

SCRIPTS = ("plotly-basic.min.js", "figures.js")


def report(runs: Sequence[ReportedRun], words: Words) -> Report:
    """What it says of one test, or of several in the order in which they are given. Reads their samples."""
    several = len(runs) > 1
    named = words["report.several"].format(count=len(runs)) if several else runs[0].plan.run
    return Report(
        title=title(runs[0]), subtitle=named, language=words.language,
        made=datetime.datetime.now().astimezone().isoformat(sep=" ", timespec="seconds"),
        program=f"clearance-rig {VERSION}",
        chapters=[chapter(run, f"run{number}", words) for number, run in enumerate(runs, 1)],
        series=series(runs, words),
    )  # fmt: skip


def page(told: Report, words: Words, template: PageTemplate) -> str:
    """HTML that asks for nothing beside itself. Raises ConfigError for a template that is wrong."""
    return template.render(
        report=told, words=words, style=template.style(), logo=template.logo(), data=figure_data(told.figures),
        scripts=[asset(name) for name in SCRIPTS],
    )  # fmt: skip


def write(path: Path, text: str) -> int:
    """Bytes written to `path`."""
    data = text.encode()
    path.write_bytes(data)
    return len(data)
