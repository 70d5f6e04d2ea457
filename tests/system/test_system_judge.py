"""`rig judge` on a data set that is made here: an oscillator with a hardening spring, integrated by SciPy, with a hash of its own."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest
from bench_run import rig
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from rig.exchange import dataset

RATE = 1e7 / 2**14  # Hz, as silverbox
SAMPLES = 1500
MASS, DAMPING, STIFFNESS, CUBIC = 5.3729180861039946e-3, 0.2251183922340402, 990.1784605480202, 3.909042e9  # kg, N s/m, N/m, N/m^3
TABLES = ("--set", "mechanism.equations=tables")  # nothing is compiled for it


def recording(cubic: float) -> str:
    """Force and way of the oscillator, N and mm, as CSV: a multisine of 10 to 60 Hz: ten samples a period and more."""
    t = np.arange(SAMPLES) / RATE
    rng = np.random.default_rng(3)
    sines = [np.sin(2.0 * np.pi * (f * t + rng.random())) for f in np.arange(10.0, 61.0, 4.0)]
    force = 0.02 * np.sum(sines, axis=0) * np.minimum(1.0, t / 0.2)
    given = CubicSpline(t, force)

    def rates(time: float, y: np.ndarray) -> list[float]:
        return [y[1], (given(time) - DAMPING * y[1] - STIFFNESS * y[0] - cubic * y[0] ** 3) / MASS]

    way = solve_ivp(rates, (0.0, t[-1]), [0.0, 0.0], t_eval=t, rtol=1e-8, atol=1e-11, max_step=1e-3).y[0]
    assert 0.15e-3 < np.abs(way).max() < 0.6e-3, "the hardening has to count"
    return "V1,V2\n" + "".join(f"{a:.9g},{b * 1e3:.9g}\n" for a, b in zip(force, way, strict=True))


@pytest.fixture(scope="module")
def hardening() -> str:
    return recording(CUBIC)


def described(folder: Path, text: str, columns: str = "V2") -> Path:
    """A data set with that file: the experiment and the bench of silverbox."""
    folder.mkdir()
    silverbox = dataset.described("silverbox").experiment.parent
    for name in ("experiment.toml", "bench.toml"):
        shutil.copy(silverbox / name, folder)
    (folder / "map.toml").write_text(
        'time = ""\nrate = "610.3515625 Hz"\nstart = 2026-01-01T00:00:00Z\n[channels.actuator_force]\ncolumn = "V1"\nunit = "N"\n'
        f'[channels.stroke]\ncolumn = "{columns}"\nunit = "mm"\n'
    )
    texts = "\n".join(f'{key} = "{key}"' for key in dataset.TEXTS)
    digest = hashlib.sha256(text.encode()).hexdigest()
    files = f'[[files]]\nname = "oscillator.csv"\nbytes = {len(text)}\nsha256 = "{digest}"\n'
    (folder / dataset.FILE).write_text(f'{texts}\nexperiment = "experiment.toml"\nmap = "map.toml"\n{files}')
    (folder.parent / "oscillator.csv").write_text(text)
    return folder


def test_the_right_model_passes_and_says_whose_data_they_are(hardening: str, tmp_path: Path) -> None:
    folder, file, out = described(tmp_path / "oscillator", hardening), tmp_path / "oscillator.csv", tmp_path / "out"
    code, data = rig("judge", str(folder), "--file", str(file), "--out", str(out), *TABLES)
    assert code == 0, data
    assert data["verdict"]["result"] == "pass"
    assert data["agreement"]["stroke"]["nrms"] < 0.01
    assert (data["dataset"], data["licence"], data["authors"], data["file_name"]) == ("oscillator", "licence", "authors", "oscillator.csv")
    assert data["sha256"] == hashlib.sha256(hardening.encode()).hexdigest()
    assert (out / "recording" / "run.h5").is_file() and (out / "judged" / "run.h5").is_file()
    code, data = rig("judge", str(folder), "--file", str(file), "--out", str(out), *TABLES)
    assert code == 2 and "is not empty" in repr(data)


def test_a_model_without_the_hardening_fails(hardening: str, tmp_path: Path) -> None:
    folder = described(tmp_path / "oscillator", hardening)
    wrong = ("--set", "mechanism.forces.across.stiffness=0 N/mm")
    code, data = rig("judge", str(folder), "--file", str(tmp_path / "oscillator.csv"), "--out", str(tmp_path / "out"), *TABLES, *wrong)
    assert code == 1 and data["outcome"] == "verdict_failed", data
    assert data["agreement"]["stroke"]["nrms"] > 0.1


@pytest.mark.long
def test_data_of_another_oscillator_fail(tmp_path: Path) -> None:
    folder = described(tmp_path / "oscillator", recording(0.8 * CUBIC))
    code, data = rig("judge", str(folder), "--file", str(tmp_path / "oscillator.csv"), "--out", str(tmp_path / "out"), *TABLES)
    assert code == 1 and data["outcome"] == "verdict_failed", data


def test_a_file_that_was_changed_is_refused_before_anything_is_made(hardening: str, tmp_path: Path) -> None:
    folder, file = described(tmp_path / "oscillator", hardening), tmp_path / "oscillator.csv"
    file.write_text(hardening + "0,0\n")
    code, data = rig("judge", str(folder), "--file", str(file), "--out", str(tmp_path / "out"))
    assert code == 2 and "is no file of oscillator" in repr(data)
    assert not (tmp_path / "out").exists()


def test_a_column_that_the_file_has_not_got_is_told(hardening: str, tmp_path: Path) -> None:
    folder = described(tmp_path / "oscillator", hardening, columns="V3")
    code, data = rig("judge", str(folder), "--file", str(tmp_path / "oscillator.csv"), "--out", str(tmp_path / "out"))
    assert code == 2 and "no column 'V3'; there are V1, V2" in repr(data)
    assert not (tmp_path / "out").exists()


def test_without_a_file_it_says_what_to_fetch_and_without_a_name_lists_all() -> None:
    code, data = rig("judge", "silverbox")
    assert code == 2 and "SNLS80mV.csv" in repr(data) and "nonlinearbenchmark.org" in repr(data)
    code, data = rig("judge")
    assert code == 0
    assert {one["dataset"]: one["files"][0]["name"] for one in data["datasets"]}["silverbox"] == "SNLS80mV.csv"
