"""A test that is killed goes on at its next cycle, until each has been run."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import h5py
import numpy as np
import pytest
from bench_run import LINKAGE, UNPREPARED, Running, rig
from resumed_runs import PATIENCE, Resumed, kill_all, killed_and_resumed, record_of, started, whole_cycles

from rig.config.plan import Plan
from rig.recorder.description import BROKEN_OFF

IN_ONE_GO = pytest.mark.xdist_group("resumed")  # one test that is killed twice serves them
CYCLES = 24
SETTINGS = ("bench.pace=lockstep", "bench.seed=7", f"trajectory.cycles={CYCLES}", UNPREPARED)


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Resumed:
    """Killed twice."""
    return killed_and_resumed(tmp_path_factory.mktemp("resumed"), 2, *SETTINGS, 'record.part="0.5 s"', seed=4)


@IN_ONE_GO
def test_every_cycle_is_run_once_from_its_begin_to_its_end(twice: Resumed) -> None:
    assert twice.kills == 2 and twice.data["outcome"] == "done" and twice.data["verdict"]["result"] == "pass", twice.data
    found = Counter(number for number, _ in whole_cycles(record_of(twice)))
    assert found == Counter(range(CYCLES))
    judged = [one["cycle"] for one in twice.data["agreement"]["transmitted_force"]["cycles"]]
    assert judged == list(range(2, CYCLES)), "a cycle that was broken off is judged once, when it was run again"
    assert twice.data["cycles"] == {"judged": CYCLES - 2, "run": CYCLES - 2, "discarded": 2, "held": 0}
    assert twice.data["resumed"]["uncertainty_cycles"] in (0, 1), "in lockstep the device waits for the recorder: a block at the most"
    assert twice.data["resumed"]["state_age_s"] < 1.0
    assert twice.data["resumed"]["session"] == 3 and twice.data["resumed"]["differences"] == []


@IN_ONE_GO
def test_the_record_shows_the_breaks_and_loses_nothing_beside_them(twice: Resumed) -> None:
    record = record_of(twice)
    breaks = sorted({(gap.first, gap.count) for gap in record.gaps if gap.reason == BROKEN_OFF})
    assert len(breaks) == 2
    code = record.channel("measured", "sample_code")
    for first, count in breaks:
        assert np.isnan(code[first : first + count]).all() and np.isfinite(code[first + count])
    assert {one["lost_samples"] for one in twice.data["streams"].values()} == {0}
    events = [event.text for event in record.events if event.kind == "resumed"]
    assert len(events) == 2 and "goes on with cycle" in events[0]
    code_, said = rig("verify", str(twice.folder))
    assert code_ == 0 and said["ok"] and said["verdict_recomputed_equal"], said


@IN_ONE_GO
def test_a_test_that_is_done_is_not_resumed(twice: Resumed) -> None:
    code, said = rig("resume", str(twice.folder), "--headless")
    assert code == 2 and "came to its end" in said["error"], said


@IN_ONE_GO
def test_what_has_changed_is_named_and_nothing_moves(twice: Resumed, tmp_path: Path) -> None:
    folder = tmp_path / twice.folder.name
    shutil.copytree(twice.folder, folder)
    plan = json.loads((folder / "plan.json").read_text())
    plan["sources"]["overrides"].append("mechanism.clearance=0.0003")
    (folder / "plan.json").write_text(json.dumps(plan))
    text = (folder / "state.json").read_text()
    (folder / "state.json").write_text(text[: len(text) // 2])
    code, said = rig("resume", str(folder), "--headless")
    assert code == 2 and "state.json: cut or changed" in said["error"] and "--cycle N" in said["error"], said
    code, said = rig("resume", str(folder), "--headless", "--cycle", "5")
    assert code == 2 and "mechanism.clearance" in said["error"] and "--accept" in said["error"], said
    assert not (folder / "resume.lock").exists()
    code, said = rig("resume", str(folder), "--headless", "--accept", "--cycle", str(CYCLES))
    assert code == 2 and f"expected 0 to {CYCLES - 1}" in said["error"], said


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 5])
def test_a_fatigue_test_that_keeps_few_samples_counts_by_its_table(tmp_path: Path, seed: int) -> None:
    """Most samples are not kept, so that the last one in the record is far behind the last one that was acquired."""
    sets = ("bench.pace=lockstep", "trajectory.cycles=40", UNPREPARED, "record.snapshots.before=1 s", "record.snapshots.after=0.2 s")
    result = killed_and_resumed(tmp_path, 1, *sets, seed=seed, experiment=LINKAGE.with_name("fatigue.toml"))
    assert result.kills == 1 and result.data["outcome"] == "done" and result.data["verdict"]["result"] == "pass", result.data
    with h5py.File(result.folder / "run.h5") as file:
        rows = file["entry/cycles/measured"][:]
    assert set(rows["cycle"]) == set(range(40)) and len(rows) <= 41
    assert np.all(np.diff(rows["first_sample"]) > 0), "samples count on through the break"
    assert result.data["resumed"]["uncertainty_cycles"] in (0, 1), "the rings that the kill left tell where in its cycle it was"
    assert result.data["resumed"]["cycle"] > 0


@pytest.mark.parametrize(
    ("rig_name", "channel", "cycles", "found"),
    [("slider_crank_rig", "crank_torque", 60, "unexplained_torque"), ("parallel_3rrpar_rig", "ax", 10, "unexplained_ax")],
)
@pytest.mark.long
def test_what_the_model_does_not_explain_is_watched_behind_a_resume(
    tmp_path: Path, rig_name: str, channel: str, cycles: int, found: str
) -> None:
    """The wires of a sensor are exchanged 4 s after the device has begun to sample, in each session: the first one is killed before that.
    Up to then nothing is found, on the way up behind the resume and at speed; then it is, within a turn."""
    begin, killed_at = 4.0, 2.5
    fault = f'{{what = "gain", target = "{channel}", value = -1.0, begin = "{begin} s", lasts = "100 s", fault = "sensor reversed"}}'
    sets = ("bench.pace=lockstep", "bench.seed=5", f"trajectory.cycles={cycles}", f"bench.injections=[{fault}]")
    running = Running(tmp_path, *sets, experiment=LINKAGE.with_name(f"{rig_name}.toml"))
    running.wait_for_samples()
    rate = Plan.read(running.folder).experiment.acquisition.rate
    running.wait_for_samples(round(killed_at * rate))
    kill_all(running.process)
    said, errors = started("resume", str(running.folder)).communicate(timeout=PATIENCE)
    data = json.loads(said)
    assert data["resumed"]["session"] == 2 and data["outcome"] == "tripped" and found in data["reason"], (data["reason"], errors)
    (came,) = [event["sample"] for event in data["events"] if event["kind"] == "injection"]
    limits = [(event["sample"], event["text"]) for event in data["events"] if event["kind"] == "limit"]
    assert limits and found in limits[0][1], limits
    turn = 0.1 if rig_name == "slider_crank_rig" else 0.8  # s
    assert -0.01 * rate <= limits[0][0] - came <= turn * rate, (limits[0], came)
