"""What a test was and how it went, of its record and of the summary beside it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping

from drivers.files import toml_trees
from drivers.files.plain_values import Json, table
from rig.formats.table import Course, Happening
from rig.recorder.reading import RunData
from rig.recorder.run_files import SUMMARY

DOCUMENT = ("title", "customer", "order", "specimen", "operator", "notes")
"""Keys of an experiment's [document] that go along."""
COMPLETE, CUT = "done", "failed"


def course(run: RunData) -> Course:
    """Of the whole test. A record that has no summary beside it was done if it is complete; texts that cannot be read are left out."""
    document, summary = _document(run), _summary(run)
    happenings = [Happening(one.time, one.sample, one.source, one.kind, one.text) for one in run.events]
    outcome = str(summary.get("outcome") or (COMPLETE if run.complete else CUT))
    lasted = (run.first_sample + run.samples) / run.rate
    return Course(document.pop("title", "") or run.title, document, happenings, outcome, str(summary.get("reason") or ""), lasted)


def _document(run: RunData) -> dict[str, str]:
    found: Mapping[str, Json] = {}
    with contextlib.suppress(toml_trees.NotToml, toml_trees.OutOfBounds, TypeError):
        found = table(toml_trees.parse(run.experiment_text).get("document", {}))
    return {key: str(found[key]) for key in DOCUMENT if found.get(key)}


def _summary(run: RunData) -> Mapping[str, Json]:
    with contextlib.suppress(OSError, ValueError, TypeError):
        return table(json.loads((run.path.parent / SUMMARY).read_text(encoding="utf-8")))
    return {}
