"""Run folders are numbered and never shared."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.recorder.examination import run_folder
from rig.recorder.folders import new_run


def test_numbers_go_up_and_gaps_are_not_filled(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    assert new_run(out, "linkage").name == "0001-linkage"
    assert new_run(out, "four_bar").name == "0002-four_bar"
    (out / "0041-linkage").mkdir()
    (out / "notes").mkdir()
    assert new_run(out, "linkage").name == "0042-linkage"
    (out / "9999-x").mkdir()
    assert new_run(out, "linkage").name == "10000-linkage"
    assert new_run(out, "linkage").name == "10001-linkage"


def test_a_name_cannot_leave_the_folder(tmp_path: Path) -> None:
    for name in ("../../etc", "a/b\\c", "..", "", "Prüfung 1"):
        assert new_run(tmp_path, name).parent == tmp_path


def test_programs_that_start_at_once_get_different_numbers(tmp_path: Path) -> None:
    names = ["linkage", "four_bar", "linkage", "slider"] * 5
    with ThreadPoolExecutor(len(names)) as pool:
        folders = list(pool.map(lambda name: new_run(tmp_path, name), names))
    assert len({folder.name.split("-")[0] for folder in folders}) == len(names)
    assert all(folder.is_dir() for folder in folders)


def test_a_folder_that_cannot_be_made_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigError, match="no run folder can be made there"):
        new_run(tmp_path / "file" / "runs", "linkage")


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux")
def test_a_folder_whose_name_is_no_text_is_refused_before_anything_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a machine with another encoding; the folder may be the one that the command was started in."""
    strange = tmp_path / os.fsdecode(b"Pr\xfcf")
    strange.mkdir()
    monkeypatch.chdir(strange)
    with pytest.raises(ConfigError, match=r"Pr\\xfcf/runs: bytes in this name are no text"):
        new_run(Path("runs"), "linkage")
    assert list(strange.iterdir()) == []


def test_an_experiment_in_the_place_of_a_run_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"{file}: expected the folder of a run, got a file that tests are made of; rig run"):
        run_folder(file)
