"""Whole tests whose records are in parts: samples, figures and verdict as in one file, every changed byte found, kills survived."""

from __future__ import annotations

import contextlib
import json
import random
import re
import shutil
import time
import warnings
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import psutil
import pytest
from bench_run import LINKAGE, UNPREPARED, Running, rig

import rig as clearance_rig
from rig.recorder.cycles.layout import row_type
from rig.recorder.cycles.tables import Cycles
from rig.recorder.description import NOT_KEPT, StreamShape
from rig.recorder.reading import read_run
from rig.recorder.snapshots import MARGIN
from rig.supervision.operation_client import ask
from rig.supervision.so_far import SoFar

pytestmark = pytest.mark.xdist_group("parts")  # two runs serve them all
SHORT = ("bench.pace=lockstep", "bench.seed=7", "trajectory.cycles=3", UNPREPARED)
PARTS = ('record.part="0.2 s"', "record.cycles=true")


def run(folder: Path, *overrides: str) -> tuple[Path, dict[str, Any]]:
    given = [word for override in (*SHORT, *overrides) for word in ("--set", override)]
    code, data = rig("run", str(LINKAGE), "--headless", "--no-picture", "--out", str(folder), *given)
    assert code == 0, data
    return Path(data["files"]["run"]), data


@pytest.fixture(scope="module")
def in_one(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    return run(tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def in_parts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    return run(tmp_path_factory.mktemp("parts"), *PARTS)


def test_the_same_bits_as_in_one_file(in_one: tuple[Path, dict[str, Any]], in_parts: tuple[Path, dict[str, Any]]) -> None:
    one, parts = read_run(in_one[0]), read_run(in_parts[0])
    assert len([*(in_parts[0] / "parts").glob("*.h5")]) > 8
    assert not (in_one[0] / "parts").exists()
    assert one.samples == parts.samples and {*one.streams} == {*parts.streams}
    for stream, channels in one.streams.items():
        for name in channels:
            np.testing.assert_array_equal(channels[name], parts.streams[stream][name], err_msg=f"{stream}/{name}")
    for field in ("agreement", "verdict", "contact_loss"):
        assert in_one[1][field] == in_parts[1][field]
    assert {one["lost_samples"] for one in in_parts[1]["streams"].values()} == {0}


def test_the_table_of_cycles_is_that_of_the_samples(in_parts: tuple[Path, dict[str, Any]]) -> None:
    record = read_run(in_parts[0])
    again, whole = Cycles(), {}
    for stream, channels in record.streams.items():
        names = tuple(channels)
        again.stream(StreamShape(stream, names, ("1",) * len(names), record.rate))
        whole[stream] = np.column_stack([channels[name] for name in names])
    tables: dict[str, list[np.ndarray]] = {stream: [] for stream in whole}
    for stream, samples in whole.items():
        for name, rows in again.feed(stream, 0, samples):
            tables[name].append(rows)
    for name, rows in again.finish():
        tables[name].append(rows)
    with h5py.File(in_parts[0] / "run.h5") as file:
        for stream, rows in tables.items():
            table = file[f"entry/cycles/{stream}"]
            assert table.dtype == row_type(tuple(record.streams[stream]))
            np.testing.assert_array_equal(table[:], np.concatenate(rows))
            assert table["cycle"].tolist() == [0, 1, 2]


def test_verify_of_both(in_one: tuple[Path, dict[str, Any]], in_parts: tuple[Path, dict[str, Any]]) -> None:
    for folder, _ in (in_one, in_parts):
        code, found = rig("verify", str(folder))
        assert code == 0 and found["ok"] and found["verdict_recomputed_equal"] and found["first_bad"] is None, found
        assert {"run.h5", "journal.bin", "summary.json", "plan.json", "evidence.jsonl"} <= {part["file"] for part in found["parts"]}
        assert all(part["ok"] and part["sha256"] for part in found["parts"])


def test_a_changed_byte_and_a_changed_verdict(in_parts: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    from rig.recorder.sealing import seal

    folder = Path(shutil.copytree(in_parts[0], tmp_path / "run"))
    dice = random.Random(4)
    for file in ("run.h5", "parts/00003.h5", "parts/00004.bin", "summary.json"):
        whole = (folder / file).read_bytes()
        at, changed = dice.randrange(len(whole)), bytearray(whole)
        changed[at] ^= 1 << dice.randrange(8)
        (folder / file).write_bytes(changed)
        code, found = rig("verify", str(folder))
        assert code == 1 and not found["ok"] and found["first_bad"]["file"] == file
        assert 0 <= at - found["first_bad"]["offset"] < 2**20
        (folder / file).write_bytes(whole)
    summary = json.loads((folder / "summary.json").read_text())
    channel = summary["agreement"]["transmitted_force"]
    channel["max_measured"] = np.nextafter(channel["max_measured"], np.inf)
    (folder / "summary.json").write_text(json.dumps(summary))
    seal(folder)  # by whoever changed it
    code, found = rig("verify", str(folder))
    assert code == 1 and found["first_bad"] is None and found["verdict_recomputed_equal"] is False, "it does not come out of the record"


def test_everything_killed_and_recovered(tmp_path: Path, in_one: tuple[Path, dict[str, Any]]) -> None:
    running = Running(tmp_path, *(word for word in SHORT if "cycles" not in word), "trajectory.cycles=400", *PARTS)
    running.wait_for_samples(60_000)
    folder = running.folder
    children = psutil.Process(running.process.pid).children(recursive=True)
    for process in (*children, running.process):
        with contextlib.suppress(psutil.NoSuchProcess):  # one that sees the others die may end by itself first
            process.kill()
    running.process.wait()
    psutil.wait_procs(children, timeout=30.0)
    code, recovered = rig("recover", str(folder))
    assert code == 0 and recovered["recovered"], recovered
    run_data, reference = read_run(folder), read_run(in_one[0])
    assert run_data.complete and run_data.samples >= 60_000
    assert not [gap for gap in run_data.gaps if gap.reason != "not published"]
    measured = min((gap.first for gap in run_data.gaps if gap.stream == "measured"), default=run_data.samples)  # less than was commanded
    assert measured > 50_000
    count = min(measured, reference.samples - 40_000)  # the shorter one begins to end
    for name in ("transmitted_force", "stroke"):
        np.testing.assert_array_equal(run_data.channel("measured", name, 0, count), reference.channel("measured", name, 0, count))
    code, found = rig("verify", str(folder))
    assert all(part["ok"] for part in found["parts"]), found


@pytest.mark.long
def test_a_hold_of_which_nothing_is_kept_is_one_part(tmp_path: Path) -> None:
    """Of twelve parts in length: verified, compared and shown with its gap, by the commands. What is kept is known MARGIN behind, and the
    row of the cycle that goes on then comes as soon as it is whole, so that the last parts of the hold may be of their own."""
    around = ('record.snapshots.before="0.05 s"', 'record.snapshots.after="0.02 s"', "record.snapshots.change=0")
    given = ("bench.pace=lockstep", "trajectory.cycles=12", UNPREPARED, "record.samples=snapshots", 'record.part="0.5 s"', *around)
    running = Running(tmp_path, *given)
    running.wait_for_samples()
    ask(running.folder, "hold", operator="test", reason="somebody looks at the specimen")
    stood = until(running.folder, "hold", 0.0)
    until(running.folder, "hold", stood + 6.0)
    ask(running.folder, "resume", operator="test")
    code, data, errors = running.end(timeout=300.0)
    assert code == 0, (data, errors)
    record = read_run(running.folder)
    parts = [read_run(file) for file in sorted((running.folder / "parts").glob("*.h5"))]
    begins = [part.first_sample / record.rate for part in parts]
    ends = [*begins[1:], record.samples / record.rate]
    assert not [at for at in begins if stood + 0.6 < at < stood + 5.8 - MARGIN - 0.5], begins
    assert max(end - begin for begin, end in zip(begins, ends, strict=True)) > 2.5, "in parts of 0.5 s"
    kept = np.isfinite(record.channel("measured", "transmitted_force"))
    at = {event["text"].split(":")[0]: event["time_s"] for event in data["events"] if event["kind"] == "state"}
    assert at["resuming"] - at["hold"] > 5.9
    assert not kept[round((at["hold"] + 0.2) * record.rate) : round((at["resuming"] - 0.2) * record.rate)].any()
    left = np.zeros(len(kept), bool)
    for gap in record.gaps:
        if gap.stream == "measured" and gap.reason == NOT_KEPT:
            left[gap.first : gap.first + gap.count] = True
    np.testing.assert_array_equal(left, ~kept)
    code, found = rig("verify", str(running.folder))
    assert code == 0 and found["ok"] and found["verdict_recomputed_equal"], found
    code, again = rig("compare", str(running.folder))
    assert code == 0 and again["agreement"] == data["agreement"]
    picture = tmp_path / "held.png"
    code, shown = rig("view", str(running.folder), "--picture", str(picture))
    assert code == 0 and picture.stat().st_size > 20_000, shown


def until(folder: Path, state: str, after: float) -> float:
    """Time of the test (s) when it is in that state, at `after` s or later."""
    while (status := ask(folder, "status")["status"])["state"] != state or (status["time_s"] or 0.0) < after:
        time.sleep(0.01)
    return float(status["time_s"])


@pytest.mark.long
def test_snapshots_of_a_whole_test(tmp_path: Path, in_one: tuple[Path, dict[str, Any]]) -> None:
    around = ('record.snapshots.before="0.05 s"', 'record.snapshots.after="0.02 s"', "record.snapshots.change=0")
    folder, data = run(tmp_path, "trajectory.cycles=8", "record.samples=snapshots", 'record.part="0.5 s"', *around)
    record = read_run(folder)
    cycles = record.channel("command", "cycle")
    kept = np.isfinite(record.channel("measured", "transmitted_force"))
    with h5py.File(folder / "run.h5") as file:
        table = file["entry/cycles/measured"][:]
    assert table["cycle"].tolist() == list(range(8))
    whole = [number + 1 for number, first, count in table[["cycle", "first_sample", "count"]].tolist() if kept[first : first + count].all()]
    assert whole == [1, 2, 5]
    assert np.isfinite(cycles).mean() < 0.7
    assert {gap.reason for gap in record.gaps} <= {NOT_KEPT, "not published"}
    assert {one["lost_samples"] for one in data["streams"].values()} == {0}
    code, found = rig("verify", str(folder))
    assert code == 0 and found["ok"], found


@pytest.mark.long
def test_a_running_test_is_opened_in_python_as_far_as_it_is_closed(tmp_path: Path) -> None:
    running = Running(tmp_path, UNPREPARED, "trajectory.cycles=300", 'record.part="1 s"')
    running.wait_for_samples(1)
    while not SoFar.of(running.folder).closed:
        assert running.process.poll() is None, running.process.communicate()
        time.sleep(0.05)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = clearance_rig.open_record(running.folder)
    said = r"its test is .*closed, shown up to .* is being written and is not in it"
    assert re.search(said, found.attrs["so_far"]) and found.attrs["so_far"] in {str(one.message) for one in warned}
    assert found.attrs["complete"] is False and running.process.poll() is None
    then = found["measured/transmitted_force"].to_numpy()
    running.interrupt()
    running.end(timeout=120.0)
    whole = clearance_rig.open_record(running.folder)
    assert whole.attrs["complete"] and whole.attrs["so_far"] == ""
    after = whole["measured/transmitted_force"].to_numpy()
    assert 0 < len(then) < len(after)
    np.testing.assert_array_equal(then, after[: len(then)])
