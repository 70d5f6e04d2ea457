"""What `rig run` ends with when somebody asks it to: 0 where something is recorded, else as a command that a signal ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rig.command_line.result import EXIT_CODES, Result
from rig.commands import main
from rig.commands.running import drive_iteration, run
from rig.commands.running.drive_iteration import DriveIterationReport
from rig.config import load
from rig.supervision.outcome import Outcome
from tests.each_row import each_row

LINKAGE = "configs/experiments/linkage.toml"


@each_row(
    ("ended", "begun", "reason", "code"),
    [
        ("stopped", None, "Ctrl-C", 130), ("stopped", None, "asked to terminate", 143), ("stopped", None, "terminal closed", 129),
        ("stopped", None, "stop button", 130), ("stopped", 2.5, "Ctrl-C", 0), ("stopped", 2.5, "terminal closed", 0),
        ("done", 2.5, "", 0), ("verdict_failed", 2.5, "", 1), ("tripped", None, "limit", 1), ("failed", None, "no server", 3),
    ],
)  # fmt: skip
def test_the_code_of_a_test_that_was_stopped(ended: str, begun: float | None, reason: str, code: int) -> None:
    """128 + 2, 15 and 1 (signal(7)); a script that goes on with the next test after 0 must not do so where nothing was done."""
    assert run._exit_code(ended, Outcome(outcome=ended, reason=reason, startup_s=begun)) == code


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """`rig run` whose test ends by Ctrl-C; what it leaves behind is given."""

    def put(*files: str) -> list[str]:
        def once(setup: Any, folder: Path, window: bool, keep_window: bool = False, picture: bool = True) -> Result:
            for name in files:
                (folder / name).write_bytes(b"")
            raise KeyboardInterrupt

        monkeypatch.setattr(run, "run_once", once)
        monkeypatch.setattr(run, "ready", lambda setup, tell: None)
        return ["run", LINKAGE, "--headless", "--out", str(tmp_path)]

    return put


def test_one_that_recorded_nothing_is_broken_off(interrupted: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(interrupted("plan.json")) == 130
    said = capsys.readouterr()
    assert (said.out, said.err.splitlines()[-1]) == ("", "stopped (Ctrl-C) before its end")


def test_one_that_is_recorded_was_stopped(interrupted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C while its result is put together."""
    assert main(interrupted("plan.json", "run.h5")) == 0
    folder = tmp_path / "0001-linkage"
    assert capsys.readouterr().out == (
        f"0001-linkage: stopped (Ctrl-C) when nothing moved any more; `rig compare {folder}` says what its record holds\n"
    )


@pytest.mark.parametrize(("last", "identified", "code"), [(None, False, 130), (130, False, 130), (0, False, 0), (143, True, 0)])
def test_an_iterated_drive_ends_as_its_only_test_does(last: int | None, identified: bool, code: int) -> None:
    setup = load("configs/experiments/linkage_random.toml")
    story = DriveIterationReport(setup.experiment.control, "transmitted_force")
    story.last = None if last is None else Result("stopped", last)
    story.response = object() if identified else None  # type: ignore[assignment]
    assert drive_iteration._exit_code(story, "stopped", "Ctrl-C between two passes") == code
    assert drive_iteration._exit_code(story, "failed", "no server") == EXIT_CODES["failed"]
