"""What a run has left is named; what is not there is not, and that it is not is a failure."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rig.command_line.result import Result
from rig.commands.running.run import _without_summary
from rig.recorder import run_files

FULL = OSError(28, "No space left on device")


def run(folder: Path) -> tuple[Any, Result]:
    """A run that went well, with a record and a picture, and its result."""
    folder.mkdir()
    for name in ("run.h5", "overlay.png"):
        (folder / name).write_bytes(b"")
    files = run_files.left(folder, {"overlay": str(folder / "overlay.png")})
    return SimpleNamespace(run=folder.name, run_dir=folder), Result("done", 0, {"files": files, "reason": ""}, "0001: done")


def test_what_is_there_is_named_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "0001"
    _, result = run(folder)
    picture = str(folder / "overlay.png")
    assert result.data["files"] == {"run": folder, "record": folder / "run.h5", "summary": folder / "summary.json", "overlay": picture}
    (folder / "run.h5").unlink()
    assert run_files.left(folder, {})["record"] is None and run_files.gone(folder) == ""


def test_a_folder_that_has_gone_before_the_summary_is_a_failure(tmp_path: Path) -> None:
    plan, result = run(tmp_path / "0001")
    shutil.rmtree(plan.run_dir)
    told = _without_summary(result, plan, FileNotFoundError(2, "No such file or directory"))
    assert (told.outcome, told.exit_code) == ("failed", 3)
    assert told.data["error"] == told.data["reason"] == run_files.gone(plan.run_dir) and "0001 is gone" in told.text
    assert set(told.data["files"].values()) == {None}
    before = replace(result, outcome="failed", exit_code=3, data={**result.data, "reason": "recorder: gone", "error": "recorder: gone"})
    assert _without_summary(before, plan, FULL).data["error"] == "recorder: gone", "the first reason stays"


def test_a_full_disk_takes_no_summary_and_the_record_is_there(tmp_path: Path) -> None:
    plan, result = run(tmp_path / "0001")
    told = _without_summary(result, plan, FULL)
    assert (told.outcome, told.exit_code, told.warnings) == ("done", 0, ["summary.json could not be written: No space left on device"])
    assert (told.data["files"]["record"], told.data["files"]["summary"]) == (plan.run_dir / "run.h5", None)
