"""Records and journals of the layout without `whole` are still read, alone and beside newer ones."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.recorder import journal
from rig.recorder.cycles.layout import in_layout, row_type, row_units
from rig.recorder.journal import JournalWriter
from rig.recorder.journal_checks import cycles, description
from rig.recorder.parts import link
from rig.recorder.record import Record
from rig.recorder.recovery import recover
from tests.unit.rig.recorder.recorder_rig import NAMES, samples, shape
from tests.unit.rig.recorder.recorder_rig import description as described

STREAM = "measured"
COUNT, LENGTH = 6, 100


def rows(whole: bool, first: int = 0) -> np.ndarray:
    """Of COUNT cycles, the last one cut."""
    made = np.zeros(COUNT, row_type(NAMES[STREAM], whole))
    made["cycle"] = first + np.arange(COUNT)
    made["first_sample"], made["count"] = LENGTH * made["cycle"], LENGTH
    made["stroke_max"] = 1e-3 * (1 + made["cycle"])
    if whole:
        made["whole"] = np.arange(COUNT) < COUNT - 1
    return made


def test_today_has_one_byte_a_cycle_more() -> None:
    names, before = NAMES[STREAM], row_type(NAMES[STREAM], whole=False)
    assert row_type(names).itemsize == before.itemsize + 1 == 8 * 3 + 8 * 3 * len(names) + 1
    assert len(row_units(("N",) * len(names))) == len(row_type(names)) == len(row_units(("N",) * len(names), whole=False)) + 1


@pytest.mark.parametrize("whole", [True, False])
def test_a_frame_of_a_journal_tells_its_layout_by_its_size(whole: bool) -> None:
    found = cycles(rows(whole).tobytes(), COUNT, shape(STREAM))
    np.testing.assert_array_equal(found, rows(whole))
    with pytest.raises(ValueError, match="expected 6 rows of"):
        cycles(rows(whole).tobytes()[:-1], COUNT, shape(STREAM))


def test_a_journal_of_before_says_nothing_of_the_column() -> None:
    said = dataclasses.asdict(described(cycles=True))
    del said["whole"]
    assert not description(json.dumps(said).encode()).whole
    with pytest.raises(ValueError):
        description(json.dumps({**said, "whole": "yes"}).encode())


def written(path: Path, whole: bool) -> None:
    """A journal as today's or an older version writes it."""
    told = described(cycles=True, whole=whole)
    made = JournalWriter(path, told)
    for name in ("command", STREAM):
        made.stream(shape(name))
        made.samples(name, 0, samples(name, 0, COUNT * LENGTH))
    made.cycles(STREAM, rows(whole))
    made.close()


@pytest.mark.parametrize("whole", [True, False])
def test_a_record_is_recovered_in_the_layout_of_its_journal(run_dir: Path, whole: bool) -> None:
    written(run_dir / "journal.bin", whole)
    assert sum(frame.kind == journal.CYCLES for frame in journal.read(run_dir / "journal.bin")) == 1  # type: ignore[union-attr]
    recover(run_dir)
    with h5py.File(run_dir / "run.h5") as file:
        table = file[f"entry/cycles/{STREAM}"]
        np.testing.assert_array_equal(table[:], rows(whole))
        assert len(table.attrs["units"]) == len(table.dtype)


def part(path: Path, number: int, whole: bool) -> None:
    record = Record(path, described(cycles=True, whole=whole, part=number, part_first=(number - 1) * COUNT * LENGTH))
    record.stream(shape(STREAM))
    record.append(STREAM, (number - 1) * COUNT * LENGTH, samples(STREAM, 0, COUNT * LENGTH))
    record.cycles(STREAM, rows(whole, (number - 1) * COUNT))
    record.close()


@pytest.mark.parametrize("layouts", [(True, True), (False, True), (True, False), (False, False)])
def test_parts_of_both_layouts_are_shown_as_one(tmp_path: Path, layouts: tuple[bool, bool]) -> None:
    """A test that an older version began and this one goes on with."""
    files = ["1.h5", "2.h5"]
    for number, (file, whole) in enumerate(zip(files, layouts, strict=True), 1):
        part(tmp_path / file, number, whole)
    with h5py.File(tmp_path / "run.h5", "w") as file:
        link(file.create_group("entry"), tmp_path, files)
    with h5py.File(tmp_path / "run.h5") as file:
        table = file[f"entry/cycles/{STREAM}"]
        kind = row_type(NAMES[STREAM], all(layouts))
        assert table.dtype == kind and len(table.attrs["units"]) == len(kind)
        np.testing.assert_array_equal(
            table[:], np.concatenate([in_layout(rows(whole, k * COUNT), kind) for k, whole in enumerate(layouts)])
        )


def test_rows_that_lack_a_column_are_refused() -> None:
    with pytest.raises(ValueError, match="'whole'"):
        in_layout(rows(False), row_type(NAMES[STREAM]))
