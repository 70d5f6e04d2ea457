"""What a run leaves in its folder, as far as it is there: somebody, or a disk, may take the folder away while the test runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rig.recorder.folders import RECORD

SUMMARY = "summary.json"


def left(run_dir: Path, others: Mapping[str, Path | str | None]) -> dict[str, Path | str | None]:
    """The folder, the record, the summary (which is written last, if it can be) and `others`; None for what is not there."""
    there = run_dir.is_dir()
    named = {**others, "run": run_dir, "record": run_dir / RECORD}
    found: dict[str, Path | str | None] = {name: path if path and Path(path).exists() else None for name, path in named.items()}
    return found | {"summary": run_dir / SUMMARY if there else None}


def gone(run_dir: Path) -> str:
    """In words that the folder is not there any more; empty where it is."""
    if run_dir.is_dir():
        return ""
    return f"{run_dir} is gone: it was removed or renamed while the test ran; there is no record of it there, and no summary"
