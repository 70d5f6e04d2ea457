"""Programs that are told of a test: whatever they do, the test is the same; when nobody is left to say that it has died, they are told."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from bench_run import LINKAGE, ROOT, UNPREPARED, Running

BENCH = ROOT / "configs/benches/virtual_loader.toml"
TRIPS = '\n[[limits]]\nchannel = "stroke"\nmaximum = "0.3 mm"\naction = "interlock"\nstates = ["running"]\n'
BAD = """
[[notify]]
program = ["/bin/sleep", "600"]
time_limit = "1 s"
[[notify]]
program = ["/usr/bin/yes"]
every = "0 s"
[[notify]]
program = ["nobody-has-this"]
"""


def bench(folder: Path, told: Path, more: str) -> Path:
    file = folder / "bench.toml"
    keeper = f'\n[[notify]]\nprogram = ["/bin/sh", "-c", "cat >> {told}"]\non = ["start", "trip", "death", "end"]\n'
    file.write_text(BENCH.read_text(encoding="utf-8").replace('"../', f'"{ROOT}/configs/') + keeper + more, encoding="utf-8")
    return file


def run(folder: Path, told: Path, more: str) -> dict[str, Any]:
    folder.mkdir()
    experiment = folder / "trips.toml"
    experiment.write_text(LINKAGE.read_text().replace('file = "../benches', f'file = "{ROOT}/configs/benches') + TRIPS)
    running = Running(folder / "out", "bench.pace=lockstep", UNPREPARED, bench=bench(folder, told, more), experiment=experiment)
    running.wait_for_samples()
    return running.ended_as(1, "tripped", "stroke")


@pytest.mark.long
def test_programs_that_hang_flood_or_are_missing_change_nothing_of_a_test(tmp_path: Path) -> None:
    plain = run(tmp_path / "plain", tmp_path / "told", "")
    disturbed = run(tmp_path / "disturbed", tmp_path / "told-too", BAD)
    states = [[(one["sample"], one["text"]) for one in data["events"] if one["kind"] == "state"] for data in (plain, disturbed)]
    assert states[0] == states[1] and states[0][-2][1].startswith("tripped")
    assert plain["streams"]["measured"]["samples"] == disturbed["streams"]["measured"]["samples"]
    for file in (tmp_path / "told", tmp_path / "told-too"):
        notices = [json.loads(line) for line in file.read_text().splitlines()]
        assert sorted(one["notice"] for one in notices) == ["end", "start", "trip"]
        trip = next(one for one in notices if one["notice"] == "trip")
        assert "stroke" in trip["text"] and trip["sample"] == states[0][-2][0] and notices[-1]["outcome"] == "tripped"
    said = [one["text"] for one in disturbed["events"] if one["kind"] == "notify"]
    assert any(text.startswith("sleep: told of trip: ended, as it took longer than its time limit of 1 s") for text in said), said
    assert any(text.startswith("yes: told of end: ended, as it printed more than 1 MiB") for text in said), said
    assert any("nobody-has-this: not found" in text for text in disturbed["warnings"])
    summary = json.loads(Path(disturbed["files"]["summary"]).read_text())
    assert [one["text"] for one in summary["events"] if one["kind"] == "notify"] == said


@pytest.mark.long
def test_the_death_of_who_ran_the_test_is_told(tmp_path: Path) -> None:
    told = tmp_path / "told"
    running = Running(tmp_path / "out", "bench.pace=lockstep", "trajectory.cycles=200", UNPREPARED, bench=bench(tmp_path, told, ""))
    running.wait_for_samples(5000)
    running.kill("supervisor")
    running.process.wait(30.0)
    deadline = time.monotonic() + 30.0
    while not told.exists() or '"death"' not in told.read_text():
        assert time.monotonic() < deadline, told.read_text() if told.exists() else "nothing was told"
        time.sleep(0.05)
    notice = json.loads(told.read_text().splitlines()[-1])
    assert notice["source"] == "supervisor" and "has died or was killed" in notice["text"] and notice["run"] == running.folder.name
