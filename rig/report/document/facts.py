"""What was tested, for whom, by whom, on what; and when, how long, by which program."""

from __future__ import annotations

import datetime

from rig.console.durations import duration
from rig.report.document.content import Fact, Section
from rig.report.document.reported_run import ReportedRun
from rig.report.document.wording import Words

ASKED = ("customer", "order", "specimen", "operator")


def title(run: ReportedRun) -> str:
    """Of the report."""
    return run.plan.experiment.document.title or run.plan.experiment.title


def facts(run: ReportedRun, words: Words) -> list[Fact]:
    """What is not known is not there."""
    document, attributes = run.plan.experiment.document, run.record.attributes
    found = [(name, str(getattr(document, name))) for name in ASKED]
    found += [("run", run.plan.run), ("started", moment(str(attributes.get("started", ""))))]
    found += [("experiment", run.plan.experiment.title), ("bench", run.plan.bench.title), ("duration", _duration(run))]
    found += [("outcome", words[f"outcome.{run.summary.get('outcome', 'unknown')}"])]
    return [Fact(words.titled(f"fact.{name}"), text) for name, text in found if text]


def notes(run: ReportedRun, words: Words) -> Section | None:
    """As they were written, line by line."""
    lines = [line.strip() for line in run.plan.experiment.document.notes.splitlines()]
    return Section("notes", words.titled("section.notes"), paragraphs=[line for line in lines if line]) if any(lines) else None


def moment(iso: str) -> str:
    """To the second, with its zone; as it stands where it is no time."""
    try:
        return datetime.datetime.fromisoformat(iso).isoformat(sep=" ", timespec="seconds")
    except ValueError:
        return iso


def _duration(run: ReportedRun) -> str:
    return f"{duration(run.duration)}, {run.record.rate / 1e3:.6g} kS/s"
