"""`rig check --plot`, and playback as an experiment asks for it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rig import commands
from rig.config import load
from rig.config.transport import from_json, to_json
from rig.errors import ConfigError
from rig.trajectory import create
from tests.each_row import each_row

EXPERIMENTS = Path(__file__).parents[4] / "configs" / "experiments"
PLAYBACK = EXPERIMENTS / "playback.toml"


def test_the_picture_is_there_when_the_hardware_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "test.png"
    nobody = ["--set", "bench.address=127.0.0.1:1"]
    assert commands.main(["check", str(EXPERIMENTS / "linkage.toml"), *nobody, "--plot", str(path)]) == 3
    said = capsys.readouterr().err
    assert f"trajectory drawn: {path}" in said
    assert "no device server answers at 127.0.0.1:1" in said
    assert path.stat().st_size > 20_000


def test_the_picture_is_told_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert commands.main(["check", str(EXPERIMENTS / "wave_shapes.toml"), "--json", "--plot"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == {"plot": "wave_shapes-trajectory.png"}
    assert (tmp_path / "wave_shapes-trajectory.png").exists()


@pytest.mark.parametrize(("name", "said"), [("x.gif", "expected a name that ends in .png"), ("nowhere/x.png", "there is no folder")])
def test_a_name_that_is_no_picture_is_refused(name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["check", str(PLAYBACK), "--plot", str(tmp_path / name)]) == 2
    assert said in capsys.readouterr().err


def test_a_file_is_found_from_the_experiment_and_pinned_as_it_was_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = load(PLAYBACK).experiment.trajectory
    assert config.file == str(EXPERIMENTS / "road.csv")
    assert len(config.sha256) == 64
    again = from_json(type(config), json.loads(json.dumps(to_json(config))))
    assert again == config
    assert create(again).bounds() == create(config).bounds()


@each_row(
    ("override", "said"),
    [
        ("trajectory.file=gone.csv", f"{EXPERIMENTS}/gone.csv: no such file"),
        ("trajectory.column=stroke", "no column 'stroke'; there are force[N]"),
        ("command.mode=stroke command.value_limit=1 command.rate_limit=1", "force is in N, but the loader is commanded in m"),
        ("acquisition.rate=25.6 kHz", "trajectory.resample: expected acquisition.rate, 25600 Hz; got 51200 Hz"),
        ("trajectory.resample=none", 'is sampled at 200 Hz, acquisition.rate is 51200 Hz; resample = "51200 Hz" plays it'),
        ("trajectory.sha256=00", "the experiment's is 00; enter the new one"),
        ("trajectory.soft_start=0 s", "the trajectory begins at"),
        ("trajectory.scale=2", "passes command.value_limit"),
    ],
)
def test_what_cannot_be_played_is_one_message(override: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(PLAYBACK, re.split(r" (?=\w+\.)", override))
    assert any(said in problem for problem in error.value.problems), error.value.problems


def test_a_test_that_leaves_nothing_to_compare_is_warned_of() -> None:
    [warning] = [w for w in load(PLAYBACK, ["comparison.discard_cycles=2"]).warnings if "discard" in w]
    assert warning == "comparison.discard_cycles = 2 leaves nothing to compare: the trajectory has 1 counted cycles"
