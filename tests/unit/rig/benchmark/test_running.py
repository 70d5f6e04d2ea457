"""The benchmark on a short linkage: rows as the interface has them, a peer in the same table, errors that fall."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rig.benchmark import benchmarking, plot
from rig.benchmark.case import Case, Metric, Run
from rig.benchmark.cases import CASES, tolerances
from rig.benchmark.own import Own
from rig.benchmark.peers import PeerMissing, exudyn_grid, exudyn_runs
from rig.command_line.result import plain
from rig.commands import main

STROKE = Metric("stroke", "m", 1e-6)
SHORT = Case(
    "short", "linkage", 0.05, (STROKE,), ('mechanism.load_source="flow_limited"',), settings=tolerances(1e-4, 1e-6, 1e-8), rate=20e3
)
FIELDS = {"case", "program", "settings", "simulated_s", "wall_s", "rtf", "compile_s", "rhs_ns", "frame_cpu_s", "frame_wall_s"}
FIELDS |= {"error", "error_metric", "error_unit", "reference"}


class Slow:
    """A peer that is this program with a lower tolerance."""

    program = "slow"

    def __init__(self, tolerance: float) -> None:
        self.settings: Mapping[str, Any] = {"tolerance": tolerance}
        self._own = Own(SHORT, (f"integrator.tolerance={tolerance:g}",))

    def run(self) -> Run:
        done = self._own.run()
        return Run(done.wall * 10.0, done.cpu * 5.0, done.times, done.values)


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("rig.benchmark.peers.slow")
    module.runners = lambda experiment, duration, sample, quick: [Slow(1e-3), Slow(1e-7)]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_rows_ratios_and_picture(peer: ModuleType, tmp_path: Path) -> None:
    case = replace(SHORT, peers=("slow",))
    rows, warnings = benchmarking.measure(case, repeats=3, quick=False)
    assert not warnings and len(rows) == 5
    assert all(set(row) >= FIELDS for row in rows)
    own = [row for row in rows if row["program"] == "clearance-rig"]
    assert [row["program"] for row in rows] == ["clearance-rig"] * 3 + ["slow"] * 2
    errors = [row["error"] for row in own]
    assert errors[0] > errors[1] > errors[2] > 0.0
    assert own[0]["reference_change"] < 0.1 * errors[2]  # the converged run is converged
    assert all(row["wall_s"]["n"] == 3 and row["rtf"] == row["wall_s"]["min"] / 0.05 for row in rows)
    assert own[1]["frame_cpu_s"]["n"] >= 200 and own[0]["rhs_ns"] > 0.0
    ratios = benchmarking.ratios(case, rows)
    assert [one["peer"] for one in ratios] == ["slow"] and ratios[0]["speedup"] > 1.0 and ratios[0]["speedup_wall"] > 1.0
    json.dumps(plain({"cases": rows, "ratios": ratios}), allow_nan=False)
    plot.draw(tmp_path / "front.png", rows, ratios)
    assert (tmp_path / "front.png").read_bytes()[:4] == b"\x89PNG"


def test_a_missing_peer_is_a_warning(peer: ModuleType) -> None:
    def missing(*given: Any) -> list[Any]:
        raise PeerMissing("slow is not installed: pip install slow")

    peer.runners = missing  # type: ignore[attr-defined]
    rows, warnings = benchmarking.measure(replace(SHORT, peers=("slow",)), repeats=1, quick=True)
    assert {row["program"] for row in rows} == {"clearance-rig"}
    assert warnings == ["short: slow is not installed: pip install slow; only this program is measured"]


@pytest.mark.parametrize(("name", "module"), [("mujoco", "mujoco"), ("drake", "pydrake.math")])
def test_mujoco_and_drake_that_are_not_there_are_told_with_what_to_do(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PeerMissing, match=rf"{name} is not installed: pip install 'clearance-rig\[peers\]'"):
        importlib.import_module(f"rig.benchmark.peers.{name}_slider_crank").load()


def test_exudyn_that_is_not_there_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "exudyn", None)
    with pytest.raises(PeerMissing, match=r"clearance-rig\[peers\]"):
        exudyn_runs.load()


def test_an_ensemble_runs_all_members() -> None:
    case = Case("few", "", 0.0, members=3, rate=20e3, together=(("linkage", (), 0.02),))
    rows, _ = benchmarking.measure(case, repeats=2, quick=False)
    assert [row["settings"]["members"] for row in rows] == [3]
    assert rows[0]["rtf"] > 0.0 and rows[0]["error"] is None and rows[0]["frame_wall_s"]["n"] == 2 * 3


def test_interpolated_times_are_compared_with_the_converged_run() -> None:
    reference = benchmarking.Reference.own(SHORT, 200e3)
    run = Own(SHORT, ("integrator.tolerance=1e-10",)).run()
    between = 0.5 * (run.times[1:] + run.times[:-1])
    straight = 0.5 * (run.values["stroke"][1:] + run.values["stroke"][:-1])
    assert np.max(np.abs(reference.at(between, "stroke") - straight)) < 1e-3 * np.ptp(straight)
    assert np.isnan(reference.error(Run(1.0, 1.0), STROKE))


def test_every_case_names_what_there_is() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    for case in CASES:
        for experiment, conditions in [(one[0], one[1]) for one in case.together] or [(case.experiment, case.conditions)]:
            for settings in (*case.settings, case.reference, case.check) if not case.members else ((),):
                made = Own.experiment_of(replace(case, experiment=experiment, conditions=conditions), settings)
                channels = {name for name, _ in made.mechanism.channels}
                assert {metric.channel for metric in case.metrics} <= channels
    assert len(set(exudyn_grid.RIGID)) == len(exudyn_grid.RIGID) and len(set(exudyn_grid.FLEXIBLE)) == len(exudyn_grid.FLEXIBLE)


def test_an_unknown_case_lists_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "sliderr"]) == 2
    said = capsys.readouterr().err
    assert "sliderr" in said and "slider_crank_rigid" in said and "ensemble_16" in said
    assert main(["benchmark", "linkage", "--repeats", "0"]) == 2


def test_the_equations_of_a_run_that_ends_at_rest_are_timed_where_it_moves() -> None:
    """A flexible slider's evaluation solves a contact problem, of which there is none at rest, nor in the rigid slider's."""
    own = {case.name: Own(case, case.settings[0]) for case in CASES if case.name in ("slider_bar_flexible", "slider_bar_rigid")}
    soft, stiff = own["slider_bar_flexible"].rhs(), own["slider_bar_rigid"].rhs()
    assert soft is not None and stiff is not None and soft > 5.0 * stiff
