"""The closed parts of a record that is being written, or that a kill left behind, as one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rig.comparison.whole_cycles import Absent, WholeCycles
from rig.recorder.cycles.layout import row_type
from rig.recorder.description import NOT_YET
from rig.recorder.examination import need_readable
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.reading import read_run
from rig.recorder.rotation import Rotation
from rig.supervision.so_far import SoFar, is_whole, shown_as_one
from tests.unit.rig.recorder.parts_rig import PART, STREAMS, begun, step
from tests.unit.rig.recorder.recorder_rig import NAMES, RATE, description, samples, shape

ROWS = round(PART * RATE)
LENGTH = 200


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    (tmp_path / "0001-linkage").mkdir()
    return tmp_path / "0001-linkage"


"""Samples of a cycle."""


def test_closed_parts_are_one_record_while_the_test_goes_on(run_dir: Path) -> None:
    made = begun(run_dir)
    for number in range(20):
        step(made, number)
    before = sorted(path.name for path in run_dir.rglob("*"))
    so_far = SoFar.of(run_dir)
    assert so_far.closed == (1, 2, 3) and 4 in so_far.open and not is_whole(run_dir / "run.h5")
    with shown_as_one(run_dir, so_far) as folder:
        need_readable(folder / "run.h5")
        run = read_run(folder)
        np.testing.assert_array_equal(np.column_stack([*run.streams["measured"].values()]), samples("measured", 0, 3 * ROWS))
        assert run.samples == 3 * ROWS and run.complete
    assert not folder.exists() and sorted(path.name for path in run_dir.rglob("*")) == before
    made.close()
    assert is_whole(run_dir / "run.h5"), "a control"


def test_a_part_behind_a_hole_is_not_shown(run_dir: Path) -> None:
    made = begun(run_dir)
    for number in range(20):
        step(made, number)
    made.abandon()
    (run_dir / "parts/00002.h5").unlink()
    assert SoFar.of(run_dir).closed == (1,)


def test_before_a_part_is_closed_there_is_none(run_dir: Path) -> None:
    made = begun(run_dir)
    step(made, 0)
    assert SoFar.of(run_dir).closed == () and SoFar.of(run_dir).open == (1,)
    made.abandon()


def test_the_cycle_that_goes_on_behind_the_closed_parts_is_not_whole(run_dir: Path) -> None:
    """Cycles of 200 samples; three parts end in the middle of one. The table gets its rows when they are whole: that of a cycle behind the
    end may stand in a closed part."""
    made = PartedRecording(run_dir, description(cycles=True, whole=True), Rotation(PART, 0.0), patience=10.0)
    for name in STREAMS:
        made.stream(shape(name))
    rows = np.zeros(30, row_type(NAMES["command"]))
    rows["cycle"], rows["first_sample"], rows["count"] = np.arange(30), np.arange(30) * LENGTH, LENGTH
    made.cycles("command", rows)
    for number in range(20):
        step(made, number)
    with shown_as_one(run_dir, SoFar.of(run_dir)) as folder:
        run = read_run(folder)
        assert run.absent == [(run.samples - 1, run.samples, False)]
        assert run.last_cycle == run.samples // LENGTH - 1
        phase = np.arange(run.samples) * 2 * np.pi / LENGTH
        counted = WholeCycles(np.floor(np.arange(run.samples) / LENGTH), phase, (Absent(*one) for one in run.absent))
        assert run.samples % LENGTH == LENGTH // 2 and counted[:].max() == run.last_cycle
    made.close()
    assert read_run(run_dir).last_cycle == 29 and not read_run(run_dir).absent, "a control: the whole record"


def test_of_all_parts_only_the_ends_are_read_whole(run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long test has a hundred parts: of those between, events and gaps are wanted."""
    made = begun(run_dir)
    for number in range(40):
        step(made, number)
    so_far = SoFar.of(run_dir)
    assert len(so_far.closed) > 4
    whole = list[Path]()
    monkeypatch.setattr("rig.supervision.so_far.read_run", lambda path: (whole.append(path), read_run(path))[1])
    with shown_as_one(run_dir, so_far) as folder:
        assert sorted(path.name for path in whole) == ["00001.h5", f"{so_far.closed[-1]:05d}.h5"]
        run = read_run(folder)
    expected = [read_run(run_dir / f"parts/{number:05d}.h5") for number in so_far.closed]
    assert [one for one in run.gaps if one.reason != NOT_YET] == [gap for part in expected for gap in part.gaps]
    end = expected[-1].first_sample + expected[-1].samples
    assert run.events == [one for part in expected for one in part.events if one.sample is None or one.sample < end]
    made.close()
