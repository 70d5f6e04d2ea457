"""Files as other programs write them, and as they are damaged: read, or refused in one line that says why."""

from __future__ import annotations

import datetime
import struct
from pathlib import Path
from typing import Any

import asammdf
import h5py
import numpy as np
import openpyxl
import pandas
import pytest
import pyuff
import rpc3
from nptdms import ChannelObject, TdmsWriter
from scipy import io
from scipy.io import wavfile

from rig.formats.reading import READERS, opened
from rig.formats.table import Contents, Found
from tests.each_row import each_row

N = 1000
FORCE = 1e3 * np.random.default_rng(5).normal(size=N)


def one(contents: Contents, name: str) -> Found:
    return next(column for column in contents.columns if column.name == name)


def whole(column: Found) -> np.ndarray:
    return np.asarray(column.values[0 : len(column.values)])


def test_tdms_without_waveform_properties_and_with_texts(tmp_path: Path) -> None:
    stamps = np.datetime64("2026-03-01T10:00:00", "us") + np.arange(N) * np.timedelta64(1000, "us")
    with TdmsWriter(str(tmp_path / "a.tdms")) as writer:
        writer.write_segment([ChannelObject("g", "time", stamps), ChannelObject("g", "F", FORCE.astype(np.float32), {"unit_string": "kN"})])
        writer.write_segment([ChannelObject("g", "note", ["a", "b"])])
    with opened(tmp_path / "a.tdms") as contents:
        assert [column.name for column in contents.columns] == ["time", "F"]
        assert "note" in contents.said[0]
        assert whole(one(contents, "time")) == pytest.approx(np.arange(N) / 1000.0, abs=1e-9)
        force = one(contents, "F")
        assert (force.unit, force.rate) == ("kN", None)
        assert np.array_equal(force.values[100:200], FORCE.astype(np.float32)[100:200])


def test_tdms_of_two_groups_has_its_groups_in_the_names(tmp_path: Path) -> None:
    with TdmsWriter(str(tmp_path / "a.tdms")) as writer:
        writer.write_segment([ChannelObject(group, "F", FORCE, {"wf_increment": 1e-3}) for group in ("fast", "slow")])
    with opened(tmp_path / "a.tdms") as contents:
        assert [(column.name, column.rate) for column in contents.columns] == [("fast/F", 1000.0), ("slow/F", 1000.0)]
        assert contents.start is None, "nobody said when"


def test_mdf_of_two_groups_with_times_of_their_own(tmp_path: Path) -> None:
    with asammdf.MDF(version="3.30") as file:
        file.append([asammdf.Signal(FORCE, np.arange(N) / 1e3, unit="N", name="F")])
        file.append([asammdf.Signal(np.arange(50, dtype=np.uint8), np.arange(50) / 50.0, unit="-", name="gear")])
        file.save(tmp_path / "a.mdf")
    with opened(tmp_path / "a.mdf") as contents:
        assert [column.name for column in contents.columns] == ["F", "gear"]
        assert np.array_equal(whole(one(contents, "F")), FORCE)
        times = one(contents, "gear").times
        assert times is not None and times[10:12] == pytest.approx([0.2, 0.22])


def test_mat_5_with_a_struct_a_matrix_and_a_rate(tmp_path: Path) -> None:
    data = {
        "run": {"fs": 2000.0, "F": FORCE, "comment": "no numbers"},
        "acc": np.column_stack([FORCE, -FORCE]),
        "image": np.zeros((300, 400)),
    }
    io.savemat(tmp_path / "a.mat", data)
    with opened(tmp_path / "a.mat") as contents:
        assert {column.name for column in contents.columns} == {"run.F", "acc_1", "acc_2"}
        assert {column.rate for column in contents.columns} == {2000.0}
        assert np.array_equal(whole(one(contents, "acc_2")), -FORCE)
        assert "image" in contents.said[-1]


def test_mat_7_3(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.mat", "w", userblock_size=512) as file:
        for name, value in (("F", FORCE[None, :]), ("dt", np.array([[1e-3]])), ("two", np.stack([FORCE, -FORCE]))):
            file[name] = value
            file[name].attrs["MATLAB_class"] = np.bytes_("double")
    with (tmp_path / "a.mat").open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124, b" ") + struct.pack("<HH", 0x200, 0x4D49))
    with opened(tmp_path / "a.mat") as contents:
        assert [(column.name, column.rate) for column in contents.columns] == [("F", 1000.0), ("two_1", 1000.0), ("two_2", 1000.0)]
        assert np.array_equal(one(contents, "F").values[10:20], FORCE[10:20])
        assert np.array_equal(whole(one(contents, "two_2")), -FORCE)


def test_universal_file_keeps_what_is_no_number(tmp_path: Path) -> None:
    path = tmp_path / "a.unv"
    head = {"type": 58, "func_type": 1, "rsp_node": 1, "rsp_dir": 3, "ref_dir": 0, "ref_node": 0, "orddenom_spec_data_type": 0,
            "abscissa_inc": 1e-3, "num_pts": N, "ord_data_type": 4, "abscissa_spec_data_type": 17, "abscissa_spacing": 1,
            "binary": 0}  # fmt: skip
    marked = np.where(np.arange(N) == 7, 8.88888888888e88, FORCE)
    axis = {"ordinate_spec_data_type": 12, "ordinate_axis_units_lab": "g"}
    pyuff.UFF(str(path)).write_sets([{**head, **axis, "id1": "a1", "x": np.arange(N) * 1e-3, "data": marked}], mode="add")
    pyuff.UFF(str(path)).write_sets([{**head, **axis, "func_type": 4, "id1": "frf", "x": np.arange(N) * 1.0, "data": FORCE}], mode="add")
    path.write_text(path.read_text().replace(f"{8.88888888888e88:20.11e}", f"{'NaN':>20}"))
    with opened(path) as contents:
        found = one(contents, "a1")
        assert (found.unit, found.rate) == ("g", 1000.0)
        assert np.flatnonzero(np.isnan(whole(found))).tolist() == [7]
        assert "frf (function type 4" in contents.said[0]


def _rpc(path: Path, **changes: Any) -> Path:
    channels = [
        rpc3.Channel(name="F", unit="kN", data=FORCE.astype(np.float32) / 1e3, dt=1e-3),
        rpc3.Channel(name="x", unit="mm", data=FORCE.astype(np.float32), dt=1e-3),
    ]
    rpc3.write(str(path), channels, **changes)
    return path


def test_rpc3_of_another_writer(tmp_path: Path) -> None:
    from rpc3.rpc3 import read

    path = _rpc(tmp_path / "a.rsp")
    with opened(path) as contents:
        assert [(column.name, column.unit, column.rate) for column in contents.columns] == [("F", "kN", 1000.0), ("x", "mm", 1000.0)]
        found = whole(one(contents, "F"))
        other, _ = read(str(path))
        assert found == pytest.approx(np.asarray(other[0].data), rel=1e-6, abs=1e-6)
        assert found[300:310] == pytest.approx(one(contents, "F").values[300:310])


def test_rpc3_of_the_other_byte_order_in_groups_of_two_frames(tmp_path: Path) -> None:
    from rig.formats import rpc3_header

    head = {
        "FILE_TYPE": "TIME_HISTORY", "DATA_TYPE": "SHORT_INTEGER", "CHANNELS": 2, "DELTA_T": "1.0E-3", "PTS_PER_FRAME": 256,
        "PTS_PER_GROUP": 512, "FRAMES": 4, "PARTITIONS": 1, "SCALE.CHAN_1": 0.5, "SCALE.CHAN_2": 2.0, "DATE": "01-MAR-2026 10:00:00",
        "UNITS.CHAN_1": "kN",
    }  # fmt: skip
    counts = np.arange(1024, dtype=np.int16)
    groups = np.stack([counts.reshape(2, 512), -counts.reshape(2, 512)], axis=1)  # group, channel, point
    data = rpc3_header.packed(head).replace(b"BINARY_IEEE_LITTLE_END", b"BINARY_IEEE_BIG_END\0\0\0") + groups.astype(">i2").tobytes()
    (tmp_path / "a.drv").write_bytes(data)
    with opened(tmp_path / "a.drv") as contents:
        assert np.array_equal(whole(contents.columns[0]), 0.5 * counts)
        assert np.array_equal(contents.columns[1].values[500:600], -2.0 * counts[500:600])
        assert [column.name for column in contents.columns] == ["channel_1", "channel_2"]
        assert contents.start == datetime.datetime(2026, 3, 1, 10)


@pytest.mark.parametrize("kind", ["<i2", "<i4", "u1", "<f4"])
def test_wav_is_a_share_of_full_scale(kind: str, tmp_path: Path) -> None:
    full = 2.0 ** (8 * np.dtype(kind).itemsize - 1) if kind[-2] != "f" else 1.0
    share = np.linspace(-0.9, 0.9, N)
    numbers = (share * full + (128 if kind == "u1" else 0)).astype(kind)
    wavfile.write(tmp_path / "a.wav", 8000, np.column_stack([numbers, numbers]))
    with opened(tmp_path / "a.wav") as contents:
        assert [(column.rate, column.unit) for column in contents.columns] == [(8000.0, "")] * 2
        assert whole(contents.columns[1]) == pytest.approx(share, abs=1.0 / full if full > 1 else 1e-7)


def test_xlsx_as_a_person_keeps_it(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a title"])
    sheet = book.create_sheet("messung")
    for row in (["Prüfung 7", None], [], ["Time [ms]", "Force [kN]"], *([k * 1.0, float(FORCE[k])] for k in range(50)), [50.0, None]):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    with opened(tmp_path / "a.xlsx") as contents:
        assert [(column.name, column.unit) for column in contents.columns] == [("Time", "ms"), ("Force", "kN")]
        assert np.isnan(whole(contents.columns[1])[50])
    sheet.cell(30, 2, "OL")
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(ValueError, match="row 30: column 'Force' is 'OL', which is not a number"), opened(tmp_path / "a.xlsx"):
        pass


def test_parquet_of_pandas_with_stamps_and_words(tmp_path: Path) -> None:
    stamps = pandas.date_range("2026-03-01", periods=N, freq="ms")
    pandas.DataFrame({"time": stamps, "F": FORCE, "word": ["a"] * N}).to_parquet(tmp_path / "a.parquet", row_group_size=300)
    with opened(tmp_path / "a.parquet") as contents:
        assert [column.name for column in contents.columns] == ["time", "F"] and "word" in contents.said[0]
        assert np.array_equal(one(contents, "F").values[250:650], FORCE[250:650])
        assert whole(one(contents, "time")) == pytest.approx(np.arange(N) / 1e3, abs=1e-9)


@pytest.mark.parametrize("suffix", sorted(set(READERS)))
@each_row("content", [b"", b"\0" * 5000, b"no such thing", bytes(range(256)) * 40, b"time[s],F[N]\n"])
def test_what_is_no_such_file_is_refused_in_one_line(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    with pytest.raises((ValueError, OSError)) as caught, opened(path):
        pass
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("suffix", "share"), [(s, f) for s in (".tdms", ".mf4", ".mat", ".rsp", ".parquet", ".xlsx", ".uff") for f in (0.2, 0.7, 0.99)]
)
def test_a_file_that_is_cut_is_refused_or_tells_no_wrong_value(suffix: str, share: float, tmp_path: Path) -> None:
    from rig.formats.writing import FORMATS, writer
    from tests.unit.rig.formats.tables import LABELS, table, values

    name = next(key for key, ending in FORMATS.items() if ending == suffix)
    path = tmp_path / f"a{suffix}"
    writer(name).write(path, table(missing=False))
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    due = dict(zip(LABELS, (values(1), values(2) * 1e-7, values(3)), strict=True))
    try:
        with opened(path) as contents:
            for column in contents.columns:
                found, expected = whole(column), due.get(column.name)
                if expected is not None:
                    assert np.allclose(found, expected[: len(found)], rtol=1e-6, atol=0.0)
    except (ValueError, OSError) as error:
        assert "\n" not in str(error)
