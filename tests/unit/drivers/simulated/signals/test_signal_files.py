"""Columns of files of measurements, and the keys that say what they are at a terminal."""

from __future__ import annotations

import importlib

import h5py
import numpy as np
import pytest
from nptdms import ChannelObject, TdmsWriter

from drivers.simulated.signals.played import BadSignal
from drivers.simulated.signals.signal_files import read_column
from drivers.simulated.signals.signal_tables import signal_of

FORCE = [1.5, -2.0, 3.25]
CSV = {
    "plain": "t,force\n0,1.5\n0.1,-2\n0.2,3.25\n",
    "units below": "bench 3; yesterday\nt,force\ns,kN\n0,1.5\n0.1,-2\n0.2,3.25\n\n",
    "semicolons": "t;force\n0;1.5\n0.1;-2\n0.2;3.25\n",
    "decimal commas": "t;force\r\n0;1,5\r\n0,1;-2\r\n0,2;3,25\r\n",
    "tabs": "t\tforce\n0\t1.5\n0.1\t-2\n0.2\t3.25\n",
    "quoted": '"t","force"\n0,1.5\n0.1,-2\n0.2,3.25\n',
}


@pytest.mark.parametrize("text", CSV.values(), ids=CSV)
def test_csv(tmp_path, text):
    file = tmp_path / "yesterday.csv"
    file.write_text(text, newline="")
    found = read_column(file, "force", "t")
    assert found.values.tolist() == FORCE and found.times is not None and found.times.tolist() == [0.0, 0.1, 0.2]


def test_csv_without_names_by_number(tmp_path):
    file = tmp_path / "one.csv"
    file.write_text("1.5\n-2\n3.25\n")
    assert read_column(file, "0", None).values.tolist() == FORCE


def test_tdms_by_group_and_channel_with_the_rate_of_its_waveform(tmp_path):
    file = tmp_path / "yesterday.tdms"
    with TdmsWriter(file) as writer:
        writer.write_segment(
            [ChannelObject("a", "force", np.array(FORCE), {"wf_increment": 0.005}), ChannelObject("b", "force", np.zeros(3))]
        )
    assert read_column(file, "a/force", None).values.tolist() == FORCE
    assert read_column(file, "a/force", None).rate == pytest.approx(200.0)
    with pytest.raises(BadSignal, match="'force' may be a/force, b/force; expected one of them"):
        read_column(file, "force", None)


def test_hdf5_by_the_end_of_its_path(tmp_path):
    file = tmp_path / "yesterday.h5"
    with h5py.File(file, "w") as made:
        made["bench/force"], made["bench/t"], made["other/x"] = FORCE, [0.0, 0.1, 0.3], [1.0]
    found = read_column(file, "force", "bench/t")
    assert found.values.tolist() == FORCE and found.times is not None and found.times.tolist() == [0.0, 0.1, 0.3]


def test_a_record_says_which_volts_its_values_were(tmp_path):
    # docs/records.md, "run.h5": value = volts_scale * volts + volts_offset; here 5 kN/V and -1 kN.
    file = tmp_path / "run.h5"
    with h5py.File(file, "w") as made:
        for stream in ("command", "measured"):
            made[f"entry/{stream}/force"] = 5.0 * np.array([0.1, 0.2, 0.3]) - 1.0
            made[f"entry/{stream}/force"].attrs["rate"] = 1000.0
        made["entry/measured/force"].attrs.update({"volts_scale": 5.0, "volts_offset": -1.0})
    played = signal_of("Dev1/ai0", {"file": "run.h5", "column": "measured/force"}, tmp_path, digital=False)
    np.testing.assert_allclose(played.volts(np.array([0.0, 0.001, 0.002])), [0.1, 0.2, 0.3])
    # With a sensitivity it is the one that counts: the same record at another sensor.
    other = signal_of("Dev1/ai0", {"file": "run.h5", "column": "measured/force", "sensitivity": "1 mV"}, tmp_path, digital=False)
    np.testing.assert_allclose(other.volts(np.array([0.0])), [-0.5e-3])


@pytest.mark.parametrize(
    ("sensitivity", "zero", "volts", "of_excitation"),
    [("1 V", 0.0, 1.5, False), ("100 mV", 0.5, 0.1, False), ("40 uV/V", 0.0, 60e-6, True), ("2 \N{MICRO SIGN}V", 0, 3e-6, False)],
)
def test_one_unit_of_the_file_is_an_amount_at_the_terminal(tmp_path, sensitivity, zero, volts, of_excitation):
    (tmp_path / "f.csv").write_text(CSV["plain"])
    keys = {"file": "f.csv", "column": "force", "time": "t", "sensitivity": sensitivity, "zero": zero}
    played = signal_of("Dev1/ai0", keys, tmp_path, digital=False)
    assert played.volts(np.array([0.0]))[0] == pytest.approx(volts) and played.of_excitation is of_excitation


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"file": "none.csv"}, "none.csv: no such file"),
        ({"file": "f.xls"}, r"expected a file of measurements \(\.csv, .*\), got \.xls"),
        ({"column": "stroke"}, "no column 'stroke'; there are 0, 1, t, force"),
        ({"colum": "force"}, "colum: no such key of a signal; there are file, column"),
        ({"sensitivity": "40"}, "sensitivity: expected what one unit of the file is at the terminal, as '10 mV', .* got '40'"),
        ({"sensitivity": "2 mV/g"}, "sensitivity: expected what one unit of the file is"),
        ({"rate": 10}, "expected either time .* or rate"),
        ({"time": None}, "expected time .* or rate .* the file tells neither"),
        ({"end": "again"}, "end: expected one of hold, repeat, stop; got 'again'"),
        ({"delay": "1 s"}, "delay: expected a number, got '1 s'"),
        ({"edges": "t"}, "expected either column .* or edges"),
        ({"time": "force"}, "times must increase; -2 s in row 1 comes after 1.5 s"),
    ],
)
def test_what_is_wrong_is_one_message(tmp_path, keys, words):
    (tmp_path / "f.csv").write_text(CSV["plain"])
    (tmp_path / "f.xls").write_text("")
    table = {"file": "f.csv", "column": "force", "time": "t"} | keys
    with pytest.raises(BadSignal, match=words):
        signal_of("Dev1/ai0", {key: value for key, value in table.items() if value is not None}, tmp_path, digital=False)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"edges": "t", "begin": "task"}, 'begin: edges are the same for every task that sees them; expected "device"'),
        ({"column": "force", "time": "t", "begin": "task"}, "begin: edges are the same for every task"),
        ({"column": "force", "time": "t", "sensitivity": "5 V"}, "sensitivity: a digital input has none"),
        ({"column": "force", "time": "t"}, r"expected states 0 and 1, got 1\.5"),
    ],
)
def test_what_a_digital_input_cannot_see_is_refused(tmp_path, keys, words):
    (tmp_path / "f.csv").write_text(CSV["plain"])
    with pytest.raises(BadSignal, match=words):
        signal_of("Dev1/PFI0", {"file": "f.csv"} | keys, tmp_path, digital=True)


def test_gaps_are_refused(tmp_path):
    with h5py.File(tmp_path / "gap.h5", "w") as made:
        made["force"] = [1.0, np.nan]
    with pytest.raises(BadSignal, match="force: expected finite numbers, got nan in row 1"):
        read_column(tmp_path / "gap.h5", "force", None)


@pytest.mark.parametrize(("ending", "package"), [("tdms", "npTDMS"), ("h5", "h5py")])
def test_a_missing_library_says_how_it_is_installed(tmp_path, monkeypatch, ending, package):
    def without(name):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", without)
    file = tmp_path / f"f.{ending}"
    file.write_bytes(b"")
    with pytest.raises(BadSignal, match=f"needs {package}, which is not installed: pip install {package}"):
        read_column(file, "force", None)
