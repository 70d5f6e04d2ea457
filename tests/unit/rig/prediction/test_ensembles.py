"""An ensemble beside a simulation: columns after all others, figures over the members, the nominal untouched."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rig.commands import main

EXPERIMENT = str(Path(__file__).parents[4] / "configs/experiments/slider_crank.toml")
SHORT = ["--set", "simulate.duration=2 ms", "--set", "mechanism.guide_clearance=0", "--set", "integrator.tolerance=1e-6"]
SPREAD = 'simulate.ensemble.spread=[{key="clearance", relative=0.05}, {key="contact.restitution", absolute="0.05"}]'


def simulated(path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[dict[str, object], list[str], np.ndarray]:
    assert main(["simulate", EXPERIMENT, "--json", "--out", str(path), *SHORT, *more]) == 0
    header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    return json.loads(capsys.readouterr().out), header, np.loadtxt(path, delimiter=",", skiprows=1)


def test_the_band_stands_after_the_nominal_and_holds_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, header, values = simulated(tmp_path / "with.csv", capsys, "--set", SPREAD, "--set", "simulate.ensemble.members=8")
    plain, columns, nominal = simulated(tmp_path / "without.csv", capsys)
    assert "ensemble" not in plain
    assert header[: len(columns)] == columns and np.array_equal(values[:, : len(columns)], nominal)
    names = [name for name in columns[1:] if "_max[" not in name]
    assert header[len(columns) :] == [name.replace("[", f"_{kind}[") for kind in ("mean", "low", "high") for name in names]
    place = columns.index("slider_position[m]")
    low, high = (values[:, header.index(f"slider_position_{kind}[m]")] for kind in ("low", "high"))
    assert np.all(low <= high) and np.max(high - low) > 1e-7
    assert np.mean((low - 1e-9 <= nominal[:, place]) & (nominal[:, place] <= high + 1e-9)) > 0.9
    ensemble = told["ensemble"]
    assert isinstance(ensemble, dict) and ensemble["members"] == 8 and ensemble["rtf"] > 0.0
    peak = ensemble["metrics"]["joint_force"]["max_abs"]
    assert 0.0 < peak["low"] <= peak["mean"] <= peak["high"] <= peak["max"]


def test_the_seed_decides_the_members(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--set", SPREAD, "--set", "simulate.ensemble.members=3"]
    runs = [simulated(tmp_path / f"{seed}.csv", capsys, *few, "--set", f"simulate.ensemble.seed={seed}")[2] for seed in (1, 2)]
    again = simulated(tmp_path / "again.csv", capsys, *few, "--set", "simulate.ensemble.seed=1", "--set", "simulate.ensemble.threads=1")[2]
    assert np.array_equal(runs[0], again) and not np.array_equal(runs[0], runs[1])
