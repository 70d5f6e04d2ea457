"""Every file that is written, as a reader that is not ours finds it: values, names, units, times, where it began, what is missing."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import asammdf
import numpy as np
import openpyxl
import pandas
import pyarrow.parquet
import pytest
import pyuff
import rpc3
from nptdms import TdmsFile
from scipy import io

from rig.formats import extras
from rig.formats.table import Column, Table
from rig.formats.writing import FORMATS, csv_file, mat_file, mdf4_file, parquet_file, rpc3_file, tdms_file, uff58_file, writer, xlsx_file
from tests.unit.rig.formats.tables import LABELS, MISSING, RATE, SAMPLES, START, UNITS, table, values

GIVEN = table()
TIMES = np.arange(SAMPLES) / RATE


def expected() -> list[np.ndarray]:
    return [values(1, True), values(2, True) * 1e-7, values(3)]


def test_csv_by_pandas(tmp_path: Path) -> None:
    csv_file.write(tmp_path / "a.csv", GIVEN)
    frame = pandas.read_csv(tmp_path / "a.csv")
    assert list(frame) == ["time[s]", *(f"{label}[{unit}]" for label, unit in zip(LABELS, UNITS, strict=True))]
    assert np.array_equal(frame.to_numpy().T, [TIMES, *expected()], equal_nan=True)


def test_mat_by_scipy(tmp_path: Path) -> None:
    mat_file.write(tmp_path / "a.mat", GIVEN)
    found = io.loadmat(tmp_path / "a.mat", squeeze_me=True, simplify_cells=True)
    about = found["about"]
    assert np.array_equal(found["time"], TIMES)
    for name, label, unit, one in zip(("measured_force", "measured_stroke", "predicted_force"), LABELS, UNITS, expected(), strict=True):
        assert np.array_equal(found[name], one, equal_nan=True)
        assert (about["labels"][name], about["units"][name]) == (label, unit)
    assert (about["rate_hz"], about["start_time"]) == (RATE, START.isoformat())
    assert json.loads(about["json"])["columns"]["measured/force"]["sensor_serial"] == "LC-7"


def test_names_of_a_mat_file_are_variables_and_no_two_alike() -> None:
    columns = [Column("measured", name, "N", np.zeros(2)) for name in ("a b", "a_b", "Kraft ü", "x" * 80, "x" * 81)]
    names = list(mat_file.names(columns))
    assert len(set(names)) == 5 and all(name.isidentifier() and name.isascii() and len(name) <= 63 for name in names)


def test_universal_file_by_pyuff(tmp_path: Path) -> None:
    uff58_file.write(tmp_path / "a.uff", GIVEN)
    sets = pyuff.UFF(str(tmp_path / "a.uff")).read_sets()
    assert [one["id1"].strip() for one in sets] == [*LABELS, "status/measured"]
    assert [one["ordinate_axis_units_lab"].strip() for one in sets] == [*UNITS, "1"]
    assert np.array_equal(np.flatnonzero(sets[3]["data"]), np.arange(SAMPLES)[MISSING]), "what it reads as 0 must be told"
    for one, values_ in zip(sets, expected(), strict=False):
        there = np.isfinite(values_)
        assert np.array_equal(one["data"][there], values_[there])
        assert one["abscissa_inc"] == pytest.approx(1.0 / RATE, rel=5e-6)
        assert datetime.datetime.fromisoformat(one["id3"].strip()) == START
    assert "serial=LC-7 sensitivity=5000.0" in sets[0]["id5"]


def test_tdms_by_nptdms(tmp_path: Path) -> None:
    tdms_file.write(tmp_path / "a.tdms", GIVEN)
    found = TdmsFile.read(tmp_path / "a.tdms")
    for label, unit, one in zip(LABELS, UNITS, expected(), strict=True):
        channel = found["/".join(label.split("/")[:1])][label.split("/")[1]]
        assert np.array_equal(channel[:], one, equal_nan=True)
        assert channel.properties["unit_string"] == unit
        assert channel.time_track() == pytest.approx(TIMES, abs=1e-12)
        assert channel.properties["wf_start_time"] == np.datetime64(START.astimezone(datetime.UTC).replace(tzinfo=None))
    assert found["measured"]["force"].properties["sensor_serial"] == "LC-7"
    assert found.properties["record_sha256"] == "ab" * 32


def test_mdf_by_asammdf(tmp_path: Path) -> None:
    mdf4_file.write(tmp_path / "a.mf4", GIVEN)
    with asammdf.MDF(tmp_path / "a.mf4") as found:
        assert found.start_time == START
        assert json.loads(found.header.description)["record_sha256"] == "ab" * 32
        for label, unit, one in zip(LABELS, UNITS, expected(), strict=True):
            signal = found.get(label)
            assert np.array_equal(signal.samples, one, equal_nan=True) and np.array_equal(signal.timestamps, TIMES)
            assert signal.unit == unit
        assert json.loads(found.get("measured/force").comment)["sensor_serial"] == "LC-7"


def test_parquet_by_pandas(tmp_path: Path) -> None:
    parquet_file.write(tmp_path / "a.parquet", GIVEN)
    frame = pandas.read_parquet(tmp_path / "a.parquet")
    assert np.array_equal(frame.to_numpy().T, [TIMES, *expected()], equal_nan=True)
    schema = pyarrow.parquet.read_schema(tmp_path / "a.parquet")
    assert [field.metadata[b"unit"].decode() for field in schema] == ["s", *UNITS]
    assert json.loads(schema.metadata[b"clearance_rig"])["start_time"] == START.isoformat()


def test_xlsx_by_openpyxl(tmp_path: Path) -> None:
    xlsx_file.write(tmp_path / "a.xlsx", GIVEN)
    book = openpyxl.load_workbook(tmp_path / "a.xlsx", read_only=True)
    names, units, *rows = book["data"].iter_rows(values_only=True)
    assert (list(names), list(units)) == (["time", *LABELS], ["s", *UNITS])
    assert rows[MISSING.start][1] is None, "an empty cell, not a text"
    found = np.array([[np.nan if cell is None else cell for cell in row] for row in rows], dtype=float)
    assert np.allclose(found.T, [TIMES, *expected()], rtol=1e-15, atol=0.0, equal_nan=True), "16 digits"
    assert {row[0]: row[1] for row in book["about"].iter_rows(values_only=True) if row}["start_time"] == START.isoformat()
    book.close()


def test_rpc3_by_another_reader(tmp_path: Path) -> None:
    said = rpc3_file.write(tmp_path / "a.rsp", GIVEN)
    channels, known = rpc3.read(str(tmp_path / "a.rsp"))
    assert [channel.name for channel in channels] == [*LABELS, "status/measured"]
    assert [str(channel.unit) for channel in channels] == [*UNITS, "1"]
    for channel, one in zip(channels, expected(), strict=False):
        there = np.isfinite(one)
        assert np.array_equal(np.asarray(channel.data)[there], one[there].astype(np.float32))
        assert channel.dt == pytest.approx(1.0 / RATE, rel=1e-15)
    status = np.asarray(channels[3].data)
    assert np.array_equal(np.flatnonzero(status), np.arange(SAMPLES)[MISSING]), "there is no NaN in the format"
    assert "10 samples miss values" in said[0]
    assert datetime.datetime.fromisoformat(known["DATE"]) == START
    assert known["RIG.RECORD_SHA256"] == "ab" * 32
    assert np.asarray(channels[0].data)[MISSING] == pytest.approx(np.float32(values(1)[MISSING.start - 1])), "the last value before"


def test_rpc3_without_gaps_has_no_status(tmp_path: Path) -> None:
    assert rpc3_file.write(tmp_path / "a.rsp", table(missing=False)) == []
    assert [channel.name for channel in rpc3.read(str(tmp_path / "a.rsp"))[0]] == LABELS


@pytest.mark.parametrize("name", [one for one in FORMATS if one != "bluesky"])  # no reader of documents
def test_a_window_begins_at_its_own_time(name: str, tmp_path: Path) -> None:
    from rig.formats.reading import opened

    path = tmp_path / f"a{FORMATS[name]}"
    writer(name).write(path, table(begin=500))
    with opened(path) as contents:
        column = next(one for one in contents.columns if one.name.startswith("measured/force"))
        at = column.begin if column.rate else float((column.times or contents.columns[0].values)[0:1][0])
    assert at == pytest.approx(500 / RATE, rel=2e-6 if name == "uff58" else 1e-12)


@pytest.mark.parametrize(("module", "most"), [(xlsx_file, 1_048_574), (mat_file, 268_434_944), (uff58_file, 124_999_999_999)])
def test_what_a_format_cannot_hold_is_refused_before_anything_is_written(module: object, most: int) -> None:
    class Long(np.ndarray):
        pass

    for samples, refused in ((most, False), (most + 1, True)):
        long = Table(GIVEN.columns, RATE, samples, START)
        assert bool(module.refusal(long)) == refused  # type: ignore[attr-defined]
    assert "--rate" in module.refusal(long)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "package"), [("tdms", "npTDMS"), ("mdf4", "asammdf"), ("parquet", "pyarrow"), ("xlsx", "openpyxl")])
def test_a_library_that_is_not_there_is_named_with_its_extra(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(module: str) -> object:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    made = writer(name)
    monkeypatch.setattr(extras.importlib, "import_module", absent)
    with pytest.raises(extras.Missing, match=rf"needs the library {package}; pip install 'clearance-rig\[exchange\]'"):
        made.refusal(GIVEN)
