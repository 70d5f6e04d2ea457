"""`rig rths`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rig.commands import main

ROOT = Path(__file__).parents[5]
BENCHMARK = str(ROOT / "configs/hybrid/rths_benchmark.toml")
SHORT = ["--set", "ground_noise.duration=8", "--set", "cases=[4]", "--set", 'compensators=["none", "inverse_3"]']


def test_json_has_tracking_criteria_and_stability_of_every_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rths", BENCHMARK, *SHORT, "--json", "--out", str(tmp_path / "rows.jsonl")]) == 0
    found = json.loads(capsys.readouterr().out)
    bare, inverse = found["rows"]
    assert set(inverse["tracking"]) == {"delay_s", "nrmse", "peak_error", "amplitude_index"}
    assert list(inverse["criteria"]) == [f"J{k}" for k in range(1, 10)]
    assert inverse["stability"]["tripped"] is False and inverse["stability"]["indicator_max"] < 0.5
    assert inverse["outcome"] == "done" and inverse["growth_per_s"] < 0.0
    assert bare["outcome"] == "tripped" and bare["criteria"] is None and bare["stability"]["tripped"] is True
    assert bare["growth_per_s"] > 0.0 and bare["energy"]["spurious_J"] > 0.0
    assert [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()] == found["rows"]


def test_the_text_says_what_stopped_a_test_and_what_the_monitor_made_of_the_plants(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rths", BENCHMARK, *SHORT, "--set", "perturbed=1", "--set", "stop=false"]) == 0
    text = capsys.readouterr().out
    assert "none                 passed the actuator's bounds after" in text
    assert "   4 none                      0       -     0        2" in text


def test_two_runs_are_the_same_and_another_seed_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for seed in (1, 1, 2):
        assert main(["rths", BENCHMARK, *SHORT, "--set", f"seed={seed}", "--json"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != said[2]


def test_a_clearance_is_drawn(tmp_path: Path) -> None:
    file = ROOT / "configs/hybrid/rths_clearance.toml"
    only = ["--set", "ground_noise.duration=4", "--set", 'compensators=["inverse_3"]']
    assert main(["rths", str(file), *only, "--plot", str(tmp_path / "picture.png")]) == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("cases=[5]", "expected some of 1, 2, 3, 4; got 5"),
        ("cases=[]", "one at least"),
        ('compensators=["magic"]', "got magic"),
        ("rate='100 Hz'", "expected at least 1024 Hz"),
        ("clearance.size='0.2 N'", "expected a length"),
        ("clearance={size='0.2 mm', law='wood'}", "got 'wood'"),
        ("chirp={}", "got chirp and ground_noise"),
        ("ground={file='no.csv', column='a'}", "no such file"),
        ("monitor.window='0 s'", "more than 0"),
        ("wind=3", "unknown key"),
    ],
)
def test_what_cannot_be_is_refused_in_words(override: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rths", BENCHMARK, "--set", override]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rths", "nowhere.toml"]) == 2
    assert "nowhere.toml" in capsys.readouterr().err


def test_a_picture_of_another_kind_is_refused_before_anything_is_computed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rths", BENCHMARK, "--plot", "picture.doc"]) == 2
    assert "--plot" in capsys.readouterr().err
