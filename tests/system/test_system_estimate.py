"""A specimen other than the one that was identified: its play is estimated in the test, recorded, and a limit on it stops that."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench_run import HEADLESS, LINKAGE, ROOT, UNPREPARED, rig

from rig.recorder.reading import read_run

FAST = (
    "bench.pace=lockstep", UNPREPARED, "acquisition.rate=2 kHz", "command.ahead=50 ms", "trajectory.frequency=7 Hz", "trajectory.cycles=12",
    "comparison.discard_cycles=1",
)  # fmt: skip
LOOP = 'identify.loop=["stroke","transmitted_force"]'
WORN = 0.43e-3
"""m: clearance of a specimen that has worn by 30 um."""
LIMITED = """
[estimate]
file = "live.h5"
memory = 4

[[limits]]
channel = "estimated.clearance_low"
maximum = "0.41 mm"
states = ["running"]
action = "stop"

[[calculated]]
name = "wear"
expression = "estimated.clearance - 0.4 mm"
unit = "m"
"""


def run(path: Path, folder: Path, *sets: str):
    words = [word for one in (*FAST, *sets) for word in ("--set", one)]
    return rig("run", str(path), *HEADLESS, "--out", str(folder / "runs"), *words, timeout=600.0)[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With what a test of the specimen as drawn gave, and an experiment that estimates by that."""
    made = tmp_path_factory.mktemp("estimate")
    data = run(LINKAGE, made)
    sets = [word for one in (LOOP, "identify.specimens=32", "identify.starts=8", "identify.cycles=10") for word in ("--set", one)]
    code, found = rig("identify", str(made / "runs" / data["run"]), "--live", str(made / "live.h5"), *sets, timeout=600.0)
    assert code == 0 and found["live"] == str(made / "live.h5"), found
    text = LINKAGE.read_text(encoding="utf-8").replace("../benches", (ROOT / "configs/benches").as_posix())
    (made / "worn.toml").write_text(text.replace("[simulate]", f"{LIMITED}\n[simulate]", 1), encoding="utf-8")
    return made


@pytest.mark.long
def test_a_worn_specimen_is_told_by_its_play_and_the_limit_on_it_stops_the_test(folder):
    data = run(folder / "worn.toml", folder, f"bench.plant.clearance={WORN:g} m")
    assert data["outcome"] == "tripped" and "estimated.clearance_low" in data["reason"], data
    record = read_run(folder / "runs" / data["run"] / "run.h5")
    names = ("clearance", "clearance_low", "clearance_high", "clearance_cycle")
    value, low, high, alone = (record.channel("estimated", f"estimated.{name}") for name in names)
    wear = record.channel("calculated_predicted", "wear")
    measured = record.samples
    known = np.flatnonzero(np.isfinite(value))
    assert len(known) and low[known[0]] <= WORN <= high[known[0]], (low[known[0]], high[known[0]])
    assert alone[known[0]] == value[known[0]] and high[known[0]] - low[known[0]] < 12e-6
    tripped = next(event for event in data["events"] if event["kind"] == "limit")
    assert tripped["sample"] == known[0], "the first sample that has a value: earlier ones are inside no limit and outside of none"
    assert data["streams"]["estimated"]["samples"] == measured and data["streams"]["estimated"]["lost_samples"] == 0
    both = np.isfinite(wear) & np.isfinite(value[: len(wear)])
    assert np.allclose(wear[both], value[: len(wear)][both] - 0.4e-3, atol=1e-12) and both.any()


@pytest.mark.long
def test_the_specimen_as_drawn_is_found_and_runs_to_its_end(folder):
    data = run(folder / "worn.toml", folder, "trajectory.cycles=8")
    assert data["outcome"] in ("done", "verdict_failed"), data
    assert data["streams"]["estimated"]["samples"] == data["streams"]["measured"]["samples"]
    (told,) = [event["text"] for event in data["events"] if event["kind"] == "estimate"]
    assert told.startswith("after 6 cycles: clearance 0.00")
    record = read_run(folder / "runs" / data["run"] / "run.h5")
    low, high = (record.channel("estimated", f"estimated.clearance_{end}")[-1] for end in ("low", "high"))
    assert low <= 0.4e-3 <= high


@pytest.mark.long
def test_a_file_that_does_not_fit_is_told_before_anything_moves(folder):
    code, data = rig("check", str(folder / "worn.toml"), "--set", "acquisition.rate=4 kHz", "--set", "bench.pace=lockstep")
    assert code == 2 and "made from a record at 2000 Hz, and this test runs at 4000 Hz" in data["error"], data
    code, data = rig("run", str(folder / "worn.toml"), *HEADLESS, "--set", "estimate.file=none.h5", "--out", str(folder / "none"))
    assert code == 2 and "there is no such file; expected one that `rig identify RUN --live FILE` has written" in data["error"], data
    assert not (folder / "none").exists() or not any((folder / "none").iterdir())
