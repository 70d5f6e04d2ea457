"""Columns of files that `rig.formats` reads, as they are played: in SI, with the file's rate, and every fault one clear message."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl
import pytest
from nptdms import ChannelObject, TdmsWriter
from scipy import io
from scipy.io import wavfile

from rig.errors import ConfigError
from rig.playback import read

N = 500
FORCE = np.random.default_rng(1).normal(size=N)


def tdms(path: Path, values: np.ndarray = FORCE, unit: str = "kN", step: float = 1e-3) -> Path:
    with TdmsWriter(str(path)) as writer:
        writer.write_segment([ChannelObject("g", "force", values, {"wf_increment": step, "unit_string": unit})])
    return path


def test_the_same_column_of_four_formats(tmp_path: Path) -> None:
    tdms(tmp_path / "a.tdms")
    io.savemat(tmp_path / "a.mat", {"time": np.arange(N) / 1000.0, "force": FORCE})
    wavfile.write(tmp_path / "a.wav", 1000, FORCE)
    book = openpyxl.Workbook()
    for row in (["time[ms]", "force[kN]"], *([float(k), float(value)] for k, value in enumerate(FORCE))):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    for name, column, unit in (
        ("a.tdms", "force", None),
        ("a.mat", "force", "kN"),
        ("a.wav", "channel_1", "kN"),
        ("a.xlsx", "force", None),
    ):
        found = read(str(tmp_path / name), column, unit)
        assert (found.unit, found.rate) == ("N", 1000.0), name
        assert found.values == pytest.approx(1e3 * FORCE, rel=1e-14), name


def test_what_cannot_be_played(tmp_path: Path) -> None:
    path = tdms(tmp_path / "a.tdms")
    with pytest.raises(ConfigError, match=r"no column 'forc'; there are force\[kN\]"):
        read(str(path), "forc")
    with pytest.raises(ConfigError, match="is in kN by the file, but `unit` says mm"):
        read(str(path), "force", "mm")
    with pytest.raises(ConfigError, match="has the unit 'bar'; expected one of N, kN"):
        read(str(tdms(tmp_path / "b.tdms", unit="bar")), "force")
    with pytest.raises(ConfigError, match="holds 1 values that are not numbers, the first at sample 7"):
        read(str(tdms(tmp_path / "c.tdms", np.where(np.arange(N) == 7, np.nan, FORCE))), "force")
    with pytest.raises(ConfigError, match="has neither a rate nor a column of times"):
        read(str(tdms(tmp_path / "d.tdms", step=0.0)), "force")
    (tmp_path / "e.tdms").write_bytes(b"no such file at all, but long enough to be one")
    with pytest.raises(ConfigError, match="not a TDMS file: it does not begin with TDSm"):
        read(str(tmp_path / "e.tdms"), "force")
