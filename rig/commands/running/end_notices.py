"""The end of a test, told to the programs of its bench file; how they went stands in the summary, which is written once more."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rig.command_line.result import Result, envelope
from rig.commands import version
from rig.recorder.run_files import SUMMARY
from rig.supervision.notices import KIND, SOURCE, Notices


def told(notices: Notices, run_dir: Path, result: Result) -> Result:
    """The result with what has come of it. Waits for the programs, within their bound; a second Ctrl-C waits no longer."""
    verdict = result.data["verdict"]
    assert isinstance(verdict, Mapping)
    said = [result.outcome.replace("_", " "), str(result.data["reason"] or verdict["reason"])]
    try:
        found = notices.ended(result.outcome, str(verdict["result"]), ": ".join(word for word in said if word))
    except KeyboardInterrupt:
        notices.close()
        found = [*notices.take(), "broken off while the end of the test was told"]
    if not found:
        return result
    events = result.data["events"]
    assert isinstance(events, list)
    more = [{"sample": None, "time_s": None, "source": SOURCE, "kind": KIND, "text": text} for text in found]
    warnings = list(dict.fromkeys([*result.warnings, *notices.warnings]))
    result = replace(result, data={**result.data, "events": [*events, *more]}, warnings=warnings)
    with contextlib.suppress(OSError):  # as it was written before: without how the programs went
        summary = json.loads(envelope("run", version(), result))
        new = run_dir / f"{SUMMARY}.new"
        new.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
        new.replace(run_dir / SUMMARY)
    return result
