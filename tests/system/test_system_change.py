"""Blocks of a program are changed while the test runs, it is killed and resumed: the repeats that follow are as changed, each cycle is
there once, and the prediction is that along the command as it was."""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench_run import ROOT, UNPREPARED, rig
from resumed_runs import PATIENCE, Resumed, folder_of, kill_all, killed_and_resumed, reached, record_of, started, wait_for, whole_cycles

from rig.recorder.reading import read_run

pytestmark = pytest.mark.xdist_group("change")  # one test that is changed, killed and resumed serves them all
SHAPES = ROOT / "configs/experiments/wave_shapes.toml"
REPEATS, EACH = 3, 9  # of its block of shapes; cycles in each repeat: three triangles, three squares, three haversines
BLOCK = "trajectory.segments.shapes.segments"
SETS = ("bench.pace=lockstep", UNPREPARED, f"trajectory.segments.shapes.repeats={REPEATS}", "change.time=0.1 s")


def ask(folder: Path, pair: str) -> dict[str, Any]:
    """What it says once it has taken it; the change before may have to come in, and the test to begin."""
    while True:
        code, said = rig("set", str(folder), pair, "--operator", "me", "--reason", "softer")
        if code == 0 or not any(words in said["error"] for words in ("has not come in yet", "the test is starting")):
            return {"code": code, **said}
        time.sleep(0.05)


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Resumed:
    out = tmp_path_factory.mktemp("changed")
    process = started("run", str(SHAPES), "--out", str(out), *[word for one in SETS for word in ("--set", one)])
    result = Resumed(folder_of(out, process))
    wait_for(result.folder, process, 1)
    while not rig("status", str(result.folder))[1].get("cycle"):  # its first triangle is to go out as it stands in the file
        time.sleep(0.02)
    for pair in ("triangle.amplitude=3 kN", "haversine.frequency=8 Hz"):
        said = ask(result.folder, f"{BLOCK}.{pair}")
        assert said["code"] == 0, said
    refused = ask(result.folder, f"{BLOCK}.square.mean=16 kN")
    assert refused["code"] == 2 and "but the segment before it ends at 15000" in refused["error"], refused
    assert reached(result.folder, process, EACH + 1, random.Random(1))
    kill_all(process)
    again = started("resume", str(result.folder))
    said, errors = again.communicate(timeout=PATIENCE)
    assert said.strip(), errors
    result.data = json.loads(said)
    return result


def test_every_cycle_is_run_once_and_the_verdict_stays(changed: Resumed) -> None:
    assert changed.data["outcome"] == "done" and changed.data["verdict"]["result"] == "pass", changed.data
    assert Counter(number for number, _ in whole_cycles(record_of(changed))) == Counter(range(REPEATS * EACH))


def test_the_repeats_that_follow_are_as_changed(changed: Resumed) -> None:
    record = record_of(changed)
    cycle, value = (record.channel("command", name) for name in ("cycle", "value"))
    samples, last = dict(whole_cycles(record)), 2 * EACH
    for first in (EACH, 2 * EACH):
        triangle, square = value[cycle == first + 1], value[cycle == first + 4]
        assert (triangle.min(), triangle.max()) == pytest.approx((12e3, 18e3), abs=5.0)
        assert (square.min(), square.max()) == pytest.approx((10e3, 20e3), abs=5.0), "another block is as it was"
    assert [samples[last + number] for number in (1, 4, 7)] == pytest.approx([record.rate / f for f in (4.0, 4.0, 8.0)], abs=1.0)
    assert abs(value[cycle == 0.0]).max() > 18.1e3, "the first triangle went out before it was changed"


def test_it_stands_in_the_record_with_its_operator(changed: Resumed) -> None:
    texts = [event.text for event in record_of(changed).events]
    assert any(f"set {BLOCK}.triangle.amplitude = 3 kN (before: 5 kN) by me" in text and "softer" in text for text in texts)
    assert any(f"set {BLOCK}.haversine.frequency = 8 Hz (before: 4 Hz) by me" in text for text in texts)
    begun = [text.split(",")[0] for text in texts if "repeat 3 of 3 of shapes" in text]
    assert begun[-5:] == ["triangle", "square", "down", "haversine", "up"]
    state = json.loads((changed.folder / "state.json").read_text())["state"]
    assert state["changes"] == {"segments.1.segments.0.amplitude": 3e3, "segments.1.segments.3.frequency": 8.0}


def test_the_prediction_followed_the_command_as_it_was(changed: Resumed) -> None:
    """0.04 % without a change; a model led by the file's own triangles would be off by 2 of 15 kN."""
    assert changed.data["agreement"]["transmitted_force"]["nrms"] < 5e-3


@pytest.mark.long
def test_under_amplitude_control_another_aim_is_gone_to_and_reached(tmp_path: Path) -> None:
    sets = ("bench.pace=lockstep", UNPREPARED, "trajectory.cycles=26", "change.time=0.2 s")
    controlled = ROOT / "configs/experiments/linkage_amplitude.toml"
    process = started("run", str(controlled), "--out", str(tmp_path), *[word for one in sets for word in ("--set", one)])
    folder = folder_of(tmp_path, process)
    wait_for(folder, process, 1)
    while (rig("status", str(folder))[1].get("cycle") or 0) < 8:
        time.sleep(0.02)
    refused = ask(folder, "trajectory.frequency=40 Hz")
    assert refused["code"] == 2 and "must act within the next" in refused["error"]
    assert ask(folder, "trajectory.amplitude=24 kN")["code"] == 0
    said, errors = process.communicate(timeout=PATIENCE)
    assert said.strip(), errors
    data = json.loads(said)
    control, rows = data["control"], data["control"]["cycles"]
    assert data["outcome"] == "done" and control["reached"] and control["amplitude_asked"] == pytest.approx(24e3)
    changed = [row["cycle"] for row in rows if row["why_not"] == "what is asked for was changed"]
    after = [row for row in rows if changed and row["cycle"] > max(changed)]
    # A joint with play is no linear loop: 24 kN need 6 % more than asked, 30 kN 4 %; without what had been learned it began at -6 %.
    assert abs(after[0]["amplitude_error"]) < 0.03 and abs(after[-1]["amplitude_error"]) < 0.005, rows
    record = read_run(folder / "run.h5")
    correction, cycle = (record.channel("command", name) for name in ("amplitude_correction", "cycle"))
    step = np.abs(np.diff(correction[(cycle >= min(changed)) & (cycle <= max(changed))]))
    assert step.max() < 1e-3, "what was learned comes and goes without a jump"


@pytest.mark.long
def test_a_test_that_is_broken_off_in_a_block_begins_again_by_the_soft_start_of_that_block(tmp_path: Path) -> None:
    program = """[trajectory]
kind = "program"
segments = [
    {kind = "sine", name = "slow", amplitude = "10 kN", frequency = "4 Hz", cycles = 2, soft_start = "0.3 s", soft_stop = "0.1 s"},
    {kind = "sine", name = "fast", amplitude = "8 kN", frequency = "8 Hz", cycles = 22, soft_start = "0.3 s", soft_stop = "0.3 s"},
]
"""
    text = (ROOT / "configs/experiments/linkage.toml").read_text().replace('file = "../benches', f'file = "{ROOT}/configs/benches')
    experiment = tmp_path / "blocks.toml"
    experiment.write_text(re.sub(r"\[trajectory\].*?(?=\n\[)", program, text, flags=re.DOTALL))
    result = killed_and_resumed(tmp_path / "out", 1, "bench.pace=lockstep", UNPREPARED, seed=3, experiment=experiment, among=10)
    assert result.kills == 1 and result.data["outcome"] == "done", result.data
    record, cycle = record_of(result), result.data["resumed"]["cycle"]
    assert 2 < cycle < 24 and Counter(number for number, _ in whole_cycles(record)) == Counter(range(24))
    counted, value = (record.channel("command", name) for name in ("cycle", "value"))
    [first] = [number for number in np.flatnonzero(np.diff(counted) > 0) + 1 if counted[number - 1] == -1.0 and counted[number] == cycle]
    soft = value[first - round(0.3 * record.rate) : first]
    # A raised cosine over the wave that runs on: the peaks of its last period, and nothing at its begin.
    period = round(record.rate / 8.0)
    assert abs(soft[: period // 8]).max() < 200.0 and 5e3 < abs(soft[-period:]).max() < 7.9e3
    assert np.max(np.abs(np.diff(soft))) * record.rate <= 2.0 * np.pi * 8.0 * 8e3
    assert dict(whole_cycles(record))[cycle] == pytest.approx(period, abs=1), "it does not begin from a stand"
