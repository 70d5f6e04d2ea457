"""What a test went through before anybody looked, from a record that is closed and from closed parts; nothing else is touched."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.monitor import history
from rig.monitor.history import POINTS, new_parts, of_part, of_record, told
from rig.monitor.observation import Observation
from rig.recorder.description import Event, StreamShape
from rig.recorder.recording import Recording
from rig.streaming.interruptions import Interruption, interruptions
from tests.unit.rig.recorder.recorder_rig import RATE, description

SAMPLES = 100_000


def made(folder: Path, peak_at: int = 54_321) -> Recording:
    recording = Recording(folder, description())
    recording.stream(StreamShape("measured", ("force",), ("N",), RATE))
    values = np.sin(np.arange(SAMPLES) / 50.0)
    values[peak_at] = 7.0
    recording.append("measured", 0, values[:, None])
    return recording


def test_of_a_record_no_peak_is_lost_and_its_points_are_few(tmp_path: Path) -> None:
    made(tmp_path).close()
    steps = of_record(tmp_path)
    assert len(steps) == POINTS and steps[-1][0] == pytest.approx(SAMPLES / RATE, rel=0.01)
    peak = max(steps, key=lambda step: step[1]["force"][1])
    assert peak[1]["force"][1] == 7.0 and peak[0] == pytest.approx(54_321 / RATE, abs=2 * SAMPLES / RATE / POINTS)


def test_of_a_long_one_so_many_samples_are_looked_at_evenly_spread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path).close()
    monkeypatch.setattr(history, "FROM_SAMPLES", SAMPLES // 4)
    steps = of_record(tmp_path)
    assert len(steps) == POINTS and max(span["force"][1] for _, span in steps) <= 7.0
    assert all(step[1]["force"][1] - step[1]["force"][0] > 0.3 for step in steps)  # 1 - cos(83 / 2 / 50): at its flattest


def test_a_record_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    recording = made(tmp_path)
    assert of_record(tmp_path) == []
    recording.close()


def test_parts_are_read_as_they_are_closed(tmp_path: Path) -> None:
    folders = [tmp_path / "first", tmp_path / "second"]
    (tmp_path / "parts").mkdir()
    for number, folder in enumerate(folders, 1):
        folder.mkdir()
        recording = made(folder)
        if number == 1:
            recording.close()
        else:
            recording.abandon()  # as one that is still written
        (folder / "run.h5").rename(tmp_path / "parts" / f"{number:05d}.h5")
    assert new_parts(tmp_path, 0) == [1] and new_parts(tmp_path, 1) == []
    assert len(of_part(tmp_path, 1)) == POINTS and of_part(tmp_path, 3) == []


def test_a_table_of_cycles_is_taken_where_there_is_one(tmp_path: Path) -> None:
    made(tmp_path).close()
    kind = [("cycle", "<i8"), ("first_sample", "<i8"), ("count", "<i8"), ("force_min", "<f8"), ("force_max", "<f8"), ("force_mean", "<f8")]
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        rows = np.array([(0, 0, 1000, -1.0, 1.0, 0.0), (1, 1000, 1000, -2.0, np.nan, 0.0), (2, 2000, 1000, -3.0, 3.0, 0.0)], kind)
        file["entry"].create_dataset("cycles/measured", data=rows)
    assert of_record(tmp_path) == [
        (pytest.approx(0.1), {"force": (-1.0, 1.0)}), (pytest.approx(0.2), {}), (pytest.approx(0.3), {"force": (-3.0, 3.0)}),
    ]  # fmt: skip


STOOD = [
    Event(0, 0.0, "bench", "state", "starting"), Event(1000, 0.1, "bench", "state", "holding: hold by me"),
    Event(3000, 0.3, "bench", "state", "running"),
]  # fmt: skip


def test_the_page_is_told_where_a_test_stood_whether_it_has_ended_or_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of sessions before this one by the parts that are closed; of this one by its status."""
    (tmp_path / "parts").mkdir()
    recording = made(tmp_path)
    for event in STOOD:
        recording.event(event)
    recording.close()
    assert [*interruptions(told(tmp_path))] == [Interruption(0.1, 0.3, "held")]
    (tmp_path / "run.h5").rename(tmp_path / "parts" / "00001.h5")
    said = [("resumed", None, "session 2: goes on"), ("state", 9.0, "starting"), ("state", 9.5, "holding: hold by me")]
    events = [{"sample": None, "time_s": time, "source": "bench", "kind": kind, "text": text} for kind, time, text in said]
    monkeypatch.setattr("rig.monitor.observation.look", lambda _: {"run": "1", "state": "holding", "events": events})
    observed = Observation(tmp_path)
    for _ in range(2):  # what was seen already is not told twice
        observed.look()
        assert observed.view("force")["interruptions"] == [
            {"begin": 0.1, "end": 0.3, "words": "held"},
            {"begin": 9.0, "end": 9.0, "words": "broken off, resumed"},
            {"begin": 9.5, "end": None, "words": "held"},
        ]


def test_of_a_test_that_never_stood_nothing_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path).close()
    monkeypatch.setattr("rig.monitor.observation.look", lambda _: {"run": "1", "state": "stopped", "events": [], "ended": "done"})
    observed = Observation(tmp_path)
    observed.look()
    assert observed.view("force")["interruptions"] == []
