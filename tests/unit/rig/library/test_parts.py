"""A record in parts, and its table of cycles, in Python: one tree, whose arrays are read across the borders of parts."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import h5py
import matplotlib
import numpy as np
import pytest
from xarray import DataTree

import rig
from rig.errors import ConfigError
from rig.library import cycles as cycle_sets
from rig.recorder.cycles.layout import row_type
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.reading import RunData
from rig.recorder.rotation import Rotation
from tests.documented_files import DOCS
from tests.unit.rig.recorder.parts_rig import PART, STREAMS, step
from tests.unit.rig.recorder.recorder_rig import BLOCK, NAMES, RATE, description, samples, shape

MANUAL = DOCS / "library.md"
BLOCKS, LENGTH, CYCLES = 20, 200, 9
PER_PART = round(PART * RATE)
COLUMN = "transmitted_force_max"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four parts; of its cycles the fourth was run twice, the first time not to its end."""
    folder = tmp_path_factory.mktemp("library") / "0001-linkage"
    folder.mkdir()
    made = PartedRecording(folder, description(cycles=True, whole=True), Rotation(PART, 0.0), patience=10.0)
    for name in STREAMS:
        made.stream(shape(name))
    for number in range(BLOCKS):
        step(made, number)
        if number % 2:  # a row when its cycle is whole, in the part that is the newest then
            row = number // 2
            for name in ("command", "measured"):
                rows = np.zeros(1, row_type(NAMES[name]))
                rows["cycle"], rows["first_sample"], rows["count"] = row - (row > 3), row * LENGTH, LENGTH
                rows["whole"] = row != 3
                for channel in NAMES[name]:
                    rows[f"{channel}_max"] = 100.0 + row
                made.cycles(name, rows)
    made.close()
    return folder


@pytest.fixture(scope="module")
def record(run: Path) -> DataTree:
    return rig.open_record(run)


def test_there_are_parts(run: Path) -> None:
    assert len(list((run / "parts").glob("*.h5"))) >= 4


def test_its_samples_are_one_array_over_all_parts(record: DataTree) -> None:
    expected = samples("measured", 0, BLOCK * BLOCKS)
    for number, name in enumerate(NAMES["measured"]):
        assert np.array_equal(record[f"measured/{name}"].to_numpy(), expected[:, number])
    border = record["measured/stroke"].isel(time=slice(PER_PART - 2, PER_PART + 2))
    assert np.array_equal(border.to_numpy(), expected[PER_PART - 2 : PER_PART + 2, 1])
    assert float(border["time"][2]) == pytest.approx(PER_PART / RATE, rel=1e-12)


def test_only_what_is_asked_for_is_read(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    whole, figures = RunData.channel, cycle_sets._read

    def channel(self: RunData, stream: str, name: str, first: int = 0, count: int | None = None) -> np.ndarray:
        asked.append(self.samples if count is None else count)
        return whole(self, stream, name, first, count)

    def read(run: RunData, stream: str, name: str, first: int, count: int) -> np.ndarray:
        asked.append(count)
        return figures(run, stream, name, first, count)

    monkeypatch.setattr(RunData, "channel", channel)
    monkeypatch.setattr(cycle_sets, "_read", read)
    record = rig.open_record(run)
    assert asked == []
    record["measured/stroke"].isel(time=slice(10, 15)).to_numpy()
    record[f"cycles/measured/{COLUMN}"][2:5].to_numpy()
    assert asked == [5, 3]


def test_its_cycles_are_a_table_over_all_parts(run: Path, record: DataTree) -> None:
    table = record["cycles/measured"]
    assert table["cycle"].to_numpy().tolist() == [0, 1, 2, 3, 3, 4, 5, 6, 7, 8]
    assert table[COLUMN].to_numpy().tolist() == [100.0 + row for row in range(10)] and table[COLUMN].attrs["units"] == "N"
    assert table["first_sample"].to_numpy().tolist() == [LENGTH * row for row in range(10)]
    whole = table.to_dataset().isel(cycle=table["whole"].to_numpy())
    assert whole["cycle"].to_numpy().tolist() == [*range(CYCLES)] and float(whole[COLUMN].sel(cycle=3)) == 104.0
    with h5py.File(run / "run.h5") as file:
        assert np.array_equal(file["entry/cycles/measured"][COLUMN], table[COLUMN])
    assert set(record["cycles"].children) == set(STREAMS) and record["cycles/predicted"].sizes["cycle"] == 0


def test_the_manual_s_words_on_cycles(record: DataTree) -> None:
    (block,) = [text for text in re.findall(r"```python\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL) if "cycles/" in text]
    names = {"record": record}
    with matplotlib.rc_context({"backend": "agg"}):
        exec(block, names)
    assert names["lines"][0].get_ydata().tolist() == [100.0, 101.0, 102.0, 104.0, 105.0, 106.0, 107.0, 108.0, 109.0]


def test_a_part_by_itself_has_its_own_times(run: Path) -> None:
    part = rig.open_record(run / "parts" / "00002.h5")["measured"]
    assert float(part["time"][0]) == pytest.approx(PER_PART / RATE, rel=1e-12)
    assert float(part["stroke"][0]) == samples("measured", PER_PART, 1)[0, 1]


def test_without_one_of_its_parts_it_is_refused(run: Path) -> None:
    part = sorted((run / "parts").glob("*.h5"))[1]
    part.rename(part.with_suffix(".away"))
    try:
        with pytest.raises(ConfigError, match=r"parts/00002\.h5, a part of it, is missing"):
            rig.open_record(run)
    finally:
        part.with_suffix(".away").rename(part)


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A run whose recorder is gone: three parts are closed, the fourth is not."""
    folder = tmp_path / "0002-linkage"
    folder.mkdir()
    (folder / "plan.json").write_text("{}")
    made = PartedRecording(folder, description(cycles=True, whole=True), Rotation(PART, 0.0), patience=10.0)
    for name in STREAMS:
        made.stream(shape(name))
    rows = np.zeros(3, row_type(NAMES["measured"]))
    rows["cycle"], rows["first_sample"], rows["count"], rows[COLUMN] = range(3), [LENGTH * row for row in range(3)], LENGTH, 7.0
    made.cycles("measured", rows)
    for number in range(BLOCKS):
        step(made, number)
    made.abandon()
    return folder


def test_of_a_test_without_an_end_the_closed_parts_are_opened_and_that_is_said(cut: Path) -> None:
    before = sorted(path.name for path in cut.rglob("*"))
    said = r"0002-linkage: its test was broken off.*3 parts closed, shown up to .* s.*part 00004 was being written and is not in it"
    with pytest.warns(UserWarning, match=said) as warned:
        found = rig.open_record(cut)
    assert warned[0].filename == __file__, "the warning is not about the caller's line"
    assert found.attrs["complete"] is False and found.attrs["so_far"] == str(warned[0].message)
    assert found["gaps"]["reason"].to_numpy().tolist()[-1] == "not shown yet"
    stroke, peaks = found["measured/stroke"], found[f"cycles/measured/{COLUMN}"]
    del found
    gc.collect()
    assert np.array_equal(stroke.to_numpy(), samples("measured", 0, 3 * PER_PART)[:, 1])  # an array alone is enough
    assert peaks.to_numpy().tolist() == [7.0] * len(peaks) and len(peaks) == 3
    assert sorted(path.name for path in cut.rglob("*")) == before


def test_what_puts_the_closed_parts_together_goes_with_the_last_array(cut: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.warns(UserWarning, match="3 parts closed"):
        found = rig.open_record(cut)
    peaks = found[f"cycles/measured/{COLUMN}"]
    del found
    gc.collect()
    assert len([*tmp_path.glob("rig-so-far-*")]) == 1
    del peaks
    gc.collect()
    assert not [*tmp_path.glob("rig-so-far-*")]


def test_a_whole_record_says_nothing_of_the_kind(record: DataTree) -> None:
    assert record.attrs["complete"] and record.attrs["so_far"] == ""


def test_of_a_test_that_has_closed_no_part_nothing_is_opened(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{}")
    made = PartedRecording(tmp_path, description(), Rotation(PART, 0.0), patience=10.0)
    for name in STREAMS:
        made.stream(shape(name))
    step(made, 0)
    made.abandon()
    with pytest.raises(ConfigError, match="rig recover"):
        rig.open_record(tmp_path)
