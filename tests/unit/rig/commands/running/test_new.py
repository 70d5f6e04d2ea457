"""`rig new`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rig.commands import main


def test_it_tells_what_it_wrote_and_how_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "lab", "--from", "four_bar"]) == 0
    told = capsys.readouterr().out
    assert "lab/benches/virtual_four_bar.toml" in told and "cd lab; rig run experiments/four_bar_rig.toml" in told
    assert main(["new", "lab", "--json"]) == 2
    assert "nothing is written over" in json.loads(capsys.readouterr().out)["error"]


def test_without_a_folder_it_asks_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new"]) == 2
    assert "expected FOLDER" in capsys.readouterr().err


def test_the_list_names_every_example_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "--list", "--json"]) == 0
    examples = {one["name"]: one for one in json.loads(capsys.readouterr().out)["examples"]}
    assert examples["linkage"] == {"name": "linkage", "title": "Linkage with two clearance joints, 10 kN at 3 Hz", "on_rig": "linkage"}
    assert examples["squeezer"]["on_rig"] is None
    assert main(["new", "--list"]) == 0
    assert "(model alone, and four_bar_rig, which runs it)" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
