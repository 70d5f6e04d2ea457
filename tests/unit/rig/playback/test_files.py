"""Columns of CSV, HDF5 and universal files: read in SI, and every fault one clear message."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import pyuff

from rig.errors import ConfigError
from rig.playback import digest, read

N = 500
FORCE = 1e3 * np.random.default_rng(1).normal(size=N)
TIME = np.arange(N) / 1000.0


HEAD = "time[s],force[N],stroke[mm]"
MARK = 8.88888888888e88  # the library writes no NaN, other programs do


def csv(path: Path, time: np.ndarray = TIME, force: np.ndarray = FORCE, head: str = HEAD, form: str = "%.17g") -> Path:
    np.savetxt(path, np.column_stack([time, force, force * 1e-3]), delimiter=",", header=head, comments="", fmt=form)
    return path


def hdf5(path: Path, force: Any = FORCE, **attributes: Any) -> Path:
    with h5py.File(path, "w") as file:
        file["entry/measured/force"] = force
        file["entry/measured/force"].attrs.update({"units": "N", "rate": 1000.0, **attributes})
        file["entry/text"] = "no numbers"
        file["entry/table"] = np.zeros((3, 2))
    return path


def uff(path: Path, force: np.ndarray = FORCE, **keys: Any) -> Path:
    data = np.where(np.isnan(force), MARK, force)
    common = {"type": 58, "func_type": 1, "id1": "force of the road", "rsp_node": 1, "rsp_dir": 3, "data": data, "x": TIME[: len(force)]}
    axes = {"abscissa_spec_data_type": 17, "ordinate_spec_data_type": 13, "ordinate_axis_units_lab": "N", "abscissa_spacing": 1}
    more = {"ref_dir": 0, "ref_node": 0, "orddenom_spec_data_type": 0, "abscissa_inc": 1e-3, "num_pts": len(force), "ord_data_type": 4}
    pyuff.UFF(str(path)).write_sets([{**common, **axes, **more, "binary": 0, **keys}], mode="add")
    if np.isnan(force).any():
        path.write_text(path.read_text().replace(f"{MARK:20.11e}", f"{'NaN':>20}"))
    return path


MAKERS: dict[str, tuple[Callable[..., Path], str]] = {".csv": (csv, "force"), ".h5": (hdf5, "entry/measured/force"), ".uff": (uff, "1")}


@pytest.mark.parametrize("suffix", MAKERS)
def test_a_column_comes_back_as_it_was_written(suffix: str, tmp_path: Path) -> None:
    make, column = MAKERS[suffix]
    found = read(str(make(tmp_path / f"drive{suffix}")), column)
    assert found.values == pytest.approx(FORCE, rel=1e-11, abs=1e-8)
    assert (found.unit, found.rate) == ("N", 1000.0)


@pytest.mark.parametrize("suffix", MAKERS)
def test_values_that_are_not_numbers_are_counted_and_found(suffix: str, tmp_path: Path) -> None:
    make, column = MAKERS[suffix]
    bad = FORCE.copy()
    bad[[40, 41, 300]] = np.nan
    with pytest.raises(ConfigError, match=r"holds 3 values that are not numbers, the first at sample 40 \(0.04 s\)"):
        read(str(make(tmp_path / f"drive{suffix}", force=bad)), column)


@pytest.mark.parametrize("suffix", MAKERS)
def test_a_column_that_is_not_there_is_told_with_those_that_are(suffix: str, tmp_path: Path) -> None:
    make, _ = MAKERS[suffix]
    there = {".csv": "force[N], stroke[mm]", ".h5": "entry/measured/force", ".uff": r"1 (force of the road)"}[suffix]
    with pytest.raises(ConfigError) as error:
        read(str(make(tmp_path / f"drive{suffix}")), "nosuch")
    assert str(error.value) == f"{tmp_path / f'drive{suffix}'}: no column 'nosuch'; there are {there}"


def test_a_file_that_is_missing_changed_or_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.csv: no such file"):
        read(str(tmp_path / "gone.csv"), "force")
    path = csv(tmp_path / "drive.csv")
    assert read(str(path), "force", sha256=digest(path)).rate == 1000.0
    known = digest(path)
    csv(path, force=2.0 * FORCE)
    with pytest.raises(ConfigError, match="has changed since it was checked"):
        read(str(path), "force", sha256=known)
    assert read(str(path), "force").values == pytest.approx(2.0 * FORCE)
    other = path.rename(tmp_path / "drive.docx")
    with pytest.raises(ConfigError, match=r"expected a file that ends in \.csv, \.h5"):
        read(str(other), "force")
    for suffix in (".h5", ".uff"):
        (tmp_path / f"text{suffix}").write_text("hello\n")
        with pytest.raises(ConfigError, match=r"not an HDF5 file|no column 'force'; there are none"):
            read(str(tmp_path / f"text{suffix}"), "force")


@pytest.mark.parametrize(
    ("keep", "change", "said"),
    [
        (np.r_[0:200, 210:N], None, r"a gap between 0\.199 and 0\.21 s \(samples 199 and 200\); they lie 0\.001 s apart"),
        (np.r_[0:200, 202:300, 301:N], None, "2 gaps, the first between 0.199 and 0.202 s"),
        (np.r_[0:200, 199:N], None, r"time does not rise after sample 199: 0\.199 s is followed by 0\.199 s"),
        (np.r_[0:N], lambda t: t**1.02, "time is not even: sample"),
        (np.r_[0:1], None, "time column has one sample only; expected at least two"),
        (np.r_[0:0], None, "column 'force' is empty: there is no row below the header"),
        (np.r_[0:N], lambda t: np.where(t == 0.1, np.nan, t), "the time of sample 100 is not a number"),
    ],
)
def test_gaps_and_uneven_time_are_told_where_they_are(keep: Any, change: Any, said: str, tmp_path: Path) -> None:
    time = TIME[keep] if change is None else change(TIME[keep])
    with pytest.raises(ConfigError, match=said):
        read(str(csv(tmp_path / "drive.csv", time, FORCE[keep])), "force")


@pytest.mark.parametrize("rate", [51200.0, 1000.0, 44100.0, 999.5])
def test_rounded_times_and_headers_give_the_rate_that_was_meant(rate: float, tmp_path: Path) -> None:
    time = np.arange(N) / rate
    assert read(str(csv(tmp_path / "a.csv", time, form="%.7f")), "force").rate == rate
    assert read(str(uff(tmp_path / "a.uff", abscissa_inc=1.0 / rate, x=time)), "1").rate == rate


def test_units_are_brought_to_si_or_refused(tmp_path: Path) -> None:
    path = csv(tmp_path / "drive.csv")
    stroke = read(str(path), "stroke")
    assert (stroke.unit, stroke.values[7]) == ("m", pytest.approx(1e-6 * FORCE[7]))
    wrong = csv(tmp_path / "wrong.csv", head="time[s],force[lbf],stroke")
    with pytest.raises(ConfigError, match=r"column 'force' has the unit 'lbf'; expected one of N, kN, MN, mN, m, mm"):
        read(str(wrong), "force")
    with pytest.raises(ConfigError, match=r"column 'stroke' has no unit; `unit` says it where the file does not"):
        read(str(wrong), "stroke")
    assert read(str(wrong), "stroke", unit="kN").values[3] == pytest.approx(FORCE[3])
    assert read(str(hdf5(tmp_path / "a.h5", units=b"kN")), "entry/measured/force").values[3] == pytest.approx(1e3 * FORCE[3])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("\n\n", r"the file is empty; expected a header time\[s\]"),
        ("time[s],force[N]\n", "column 'force' is empty: there is no row below the header"),
        ("sample,force[N]\n0,1\n", r"the first column, 'sample', has no unit, expected a time in s, ms"),
        ("time[s],force[N]\n0,1\n0.1,\n0.2,3\n", "line 3: column 'force' is empty, expected a number"),
        ("time[s],force[N],force[kN]\n0,1,1\n", "2 columns are called 'force'"),
    ],
)
def test_csv_that_is_no_table_is_told_so(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "drive.csv"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        read(str(path), "force")


def test_hdf5_takes_its_time_from_a_rate_or_from_time_beside_or_above(tmp_path: Path) -> None:
    path = hdf5(tmp_path / "a.h5")
    with h5py.File(path, "a") as file:
        del file["entry/measured/force"].attrs["rate"]
    with pytest.raises(ConfigError, match=r"does not say when it was sampled; expected an attribute rate"):
        read(str(path), "entry/measured/force")
    with h5py.File(path, "a") as file:
        file["entry/time"] = TIME * 2.0
        file["entry/time"].attrs["units"] = "s"
    assert read(str(path), "entry/measured/force").rate == 500.0
    with pytest.raises(ConfigError, match=r"has the shape \(3, 2\); expected one column"):
        read(str(path), "entry/table")
    with pytest.raises(ConfigError, match="no column 'entry/text'"):
        read(str(path), "entry/text")
    with pytest.raises(ConfigError, match="attribute rate = -1, expected a rate in Hz"):
        read(str(hdf5(tmp_path / "b.h5", rate=-1.0)), "entry/measured/force")


def test_universal_files_in_text_and_binary_single_and_double_even_and_not(tmp_path: Path) -> None:
    path = tmp_path / "many.uff"
    for i, keys in enumerate([{"binary": 1}, {"binary": 0}, {"abscissa_spacing": 0, "binary": 1}, {"abscissa_spacing": 0}]):
        uff(path, id1=f"run {i}", **keys)
        found = read(str(path), f"run {i}")
        assert found.values == pytest.approx(FORCE, rel=1e-10, abs=1e-7)
        assert found.rate == pytest.approx(1000.0, rel=1e-9)
    assert read(str(path), "2").name == "run 1"
    uff(path, id1="run 1")
    with pytest.raises(ConfigError, match="2 functions are called 'run 1'; their numbers tell them apart"):
        read(str(path), "run 1")
    uff(path, id1="spectrum", abscissa_spec_data_type=18)
    with pytest.raises(ConfigError, match="not over time"):
        read(str(path), "spectrum")
    uff(path, id1="plain", ordinate_axis_units_lab="NONE")
    assert read(str(path), "plain").unit == "N"


def test_a_universal_file_that_breaks_off_is_not_played(tmp_path: Path) -> None:
    path = uff(tmp_path / "cut.uff")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:60], *lines[-1:]]))
    with pytest.raises(ConfigError, match=r"function '1' breaks off: \d+ values, its header says 500"):
        read(str(path), "1")
    binary = uff(tmp_path / "odd.uff", binary=1)
    data = binary.read_bytes()
    at = data.index(struct.pack("<d", FORCE[3]))
    binary.write_bytes(data[:at] + data[at + 1600 :])
    with pytest.raises(ConfigError, match=r"breaks off|cannot be read"):
        read(str(binary), "1")
