"""By what it can be told that the files are as the test left them, and by which programs all this was computed."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from rig.release import VERSION
from rig.report.document.content import Fact, Row, Section, Table
from rig.report.document.reported_run import ReportedRun
from rig.report.document.wording import Words

PACKAGES = ("numpy", "scipy", "numba", "h5py", "jinja2")
PLOTLY = "4.1.1"
"""Version of assets/plotly-basic.min.js."""


def evidence(run: ReportedRun, words: Words) -> Section:
    """SHA-256 of the parts, from the chain of evidence."""
    links = run.sealed
    if links is None:
        return Section("evidence", words.titled("section.evidence"), empty=words["evidence.none"])
    rows = [Row([name, entry.sha256, f"{entry.bytes}"]) for name, entry in links.entries.items()]
    table = Table("", [words.titled(f"evidence.{name}") for name in ("file", "sha256", "bytes")], rows, left=2)
    said = [words["evidence.verify"].format(run=run.plan.run)]
    said += [] if links.ended and links.damaged_at is None else [words["evidence.unfinished"]]
    last = Fact(words.titled("evidence.last"), links.digest)
    return Section("evidence", words.titled("section.evidence"), facts=[last], paragraphs=said, tables=[table])


def versions(run: ReportedRun, words: Words) -> Section:
    """Of the program that ran the test, and of what made this report."""
    tested = str(run.summary.get("rig_version") or run.record.attributes.get("rig_version") or "")
    found = [
        (words.titled("versions.test"), f"clearance-rig {tested}".strip()),
        (words.titled("versions.report"), f"clearance-rig {VERSION}"),
    ]
    found += [("Python", platform.python_version()), *((name, known) for name in PACKAGES if (known := _version(name)))]
    return Section("versions", words.titled("section.versions"), facts=[Fact(*one) for one in [*found, ("plotly.js", PLOTLY)]])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
