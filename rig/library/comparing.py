"""A comparison, as values and as the table that is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json, table
from rig.recorder.examination import run_folder
from rig.report.summary import compared_run


@dataclass(frozen=True)
class Comparison:
    """What a comparison found. The values of the tables are those of `rig compare --json`, in SI units."""

    run: Path
    result: str
    """pass, fail, cannot_be_judged, cannot_discriminate or none."""
    reason: str
    criteria: Sequence[Mapping[str, Json]]
    """One for each criterion: channel, metric, error, tolerance, bounds (low, high), passed, text."""
    agreement: Mapping[str, Mapping[str, Json]]
    """Channel -> its figures, with `intervals`."""
    warnings: Sequence[str] = ()
    beside: Sequence[str] = ()
    """What is off although no criterion failed on it."""
    text: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.text


def compared(path: Path, overrides: Sequence[str], experiment: Path | None) -> Comparison:
    """See `rig.compare`."""
    folder = run_folder(path)
    found, _ = compared_run(folder, overrides=overrides, experiment_file=experiment)
    verdict = found["verdict"]
    lines, beside = verdict["lines"], verdict["beside"]
    assert isinstance(lines, list) and isinstance(beside, list)
    agreement = {name: table(figures) for name, figures in found["agreement"].items()}
    return Comparison(
        folder,
        str(verdict["result"]),
        str(verdict["reason"]),
        tuple(map(table, lines)),
        agreement,
        tuple(found["warnings"]),
        tuple(map(str, beside)),
        found["text"],
    )
