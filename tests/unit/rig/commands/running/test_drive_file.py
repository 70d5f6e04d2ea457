"""The passes of an iterated drive on a loop that is computed here: how it ends, what is kept, what is told."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.signal import butter, lfilter

from rig.command_line.result import EXIT_CODES, Result
from rig.commands.running import drive_file
from rig.config import Setup, load
from rig.errors import RigError
from rig.trajectory import create

EXPERIMENTS = Path(__file__).parents[5] / "configs/experiments"
RATE = 1024.0
LEAD_IN, SETTLE = 150, 100
SHORT = [
    "trajectory.duration=2 s", "trajectory.soft_start=0.5 s", "trajectory.soft_stop=0.5 s", "control.identification.duration=8 s",
    "acquisition.rate=1024 Hz", "acquisition.block=15.625 ms", "command.ahead=62.5 ms",
]  # fmt: skip


@dataclass
class Record:
    """What is read of a run."""

    rate: float
    values: dict[tuple[str, str], np.ndarray]

    def channel(self, stream: str, name: str, first: int = 0, count: int | None = None) -> np.ndarray:
        return self.values[stream, name][first : None if count is None else first + count]


@dataclass
class Bench:
    """Runs setups on a first-order loop; `upset` may change what came back of run number n, or how it ended."""

    loop: Any = field(default_factory=lambda: butter(1, 60.0, fs=RATE))
    upset: Any = None
    setups: list[Setup] = field(default_factory=list)
    records: dict[Path, Record] = field(default_factory=dict)

    def run_once(self, setup: Setup, folder: Path) -> Result:
        trajectory = create(setup.experiment.trajectory)
        n = np.arange(-LEAD_IN, int(np.ceil(trajectory.duration * RATE)) + SETTLE)
        value, _, cycle = trajectory.evaluate(np.maximum(n, 0) / RATE)
        cycle = np.where(n < 0, -1.0, cycle)
        force = lfilter(*self.loop, value)
        outcome = "done"
        if self.upset:
            force, outcome = self.upset(len(self.setups), force)
        self.setups.append(setup)
        streams = {("command", "value"): value, ("command", "cycle"): cycle, ("measured", "transmitted_force"): force}
        self.records[folder] = Record(RATE, streams)
        data = {"run": folder.name, "reason": "limit" if outcome == "tripped" else "", "rate_hz": RATE}
        return Result(outcome, EXIT_CODES[outcome], data)


def iterate(bench: Bench, out: Path, monkeypatch: pytest.MonkeyPatch, *overrides: str) -> tuple[Result, dict[str, Any]]:
    monkeypatch.setattr(drive_file, "read_run", lambda folder: bench.records[folder])
    folder = out / "0001-random"
    folder.mkdir()
    result = drive_file.run_iterated(load(EXPERIMENTS / "linkage_random.toml", [*SHORT, *overrides]), folder, bench.run_once)
    return result, json.loads((folder / "summary.json").read_text())


def test_it_goes_on_until_the_tolerance_and_says_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    result, summary = iterate(bench, tmp_path, monkeypatch)
    control = summary["control"]
    assert (result.outcome, result.exit_code, control["verdict"]) == ("done", 0, "reached")
    assert control["best"]["error_full_band"] <= 0.02
    for row in control["iterations"][1:]:
        assert row["contraction_predicted"] == pytest.approx(0.5, abs=0.02)
        assert row["contraction_measured"] == pytest.approx(row["contraction_predicted"], abs=0.02)
    assert summary["runs"][0] == "0001-identification"
    assert summary["runs"][1:] == [f"{n + 2:04d}-pass-{n}" for n in range(len(control["iterations"]))]
    best = np.load(tmp_path / "0001-random/drive.npy")
    last = np.load(tmp_path / "0001-random" / summary["runs"][-1] / "drive.npy")
    assert np.array_equal(best, last)
    assert best[0, 0] == best[-1, 0] == 0.0
    for name in ("iteration.png", "iteration.h5"):
        assert (tmp_path / "0001-random" / name).stat().st_size > 10_000
    assert "contraction predicted" in result.text


def test_each_pass_is_recorded_as_what_it_ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    iterate(bench, tmp_path, monkeypatch)
    first, second = bench.setups[:2]
    assert (first.experiment.control, second.experiment.control) == (None, None)
    assert 'kind = "random"' in first.experiment_text
    assert 'kind = "drive"' in second.experiment_text
    assert "\n[control" not in second.experiment_text


def test_a_gain_that_would_diverge_is_named_before_anything_is_iterated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    result, summary = iterate(bench, tmp_path, monkeypatch, "control.gain=2.4")
    assert (result.outcome, result.exit_code) == ("verdict_failed", 1)
    assert summary["control"]["verdict"] == "diverging"
    assert "gain of 2.4" in summary["reason"]
    assert len(bench.setups) == 1


def inverted_from(number: int) -> Any:
    def upset(n: int, force: np.ndarray) -> tuple[np.ndarray, str]:
        return (-force if n >= number else force), "done"

    return upset


def test_a_loop_that_turned_its_sign_is_found_by_the_first_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(upset=inverted_from(1))
    result, summary = iterate(bench, tmp_path, monkeypatch)
    assert summary["control"]["verdict"] == "diverging"
    assert len(summary["control"]["iterations"]) == 1
    assert result.exit_code == 1


def test_an_error_that_grows_ends_it_and_the_best_drive_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def upset(n: int, force: np.ndarray) -> tuple[np.ndarray, str]:
        t = np.arange(len(force)) / RATE
        return (force + 5e3 * np.sin(2 * np.pi * 3 * t) if n == 4 else force), "done"

    result, summary = iterate(Bench(upset=upset), tmp_path, monkeypatch)
    control = summary["control"]
    assert (control["verdict"], control["best"]["iteration"], len(control["iterations"])) == ("diverging", 2, 4)
    assert "the drive of pass 2 is kept" in summary["reason"]
    folder = tmp_path / "0001-random"
    assert np.array_equal(np.load(folder / "drive.npy"), np.load(folder / "0004-pass-2/drive.npy"))
    assert result.outcome == "verdict_failed"


def test_a_pass_that_trips_ends_it_as_a_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, summary = iterate(Bench(upset=lambda n, force: (force, "tripped" if n == 2 else "done")), tmp_path, monkeypatch)
    assert (result.outcome, result.exit_code) == ("tripped", 1)
    assert summary["control"]["verdict"] == "ended_early"
    assert len(summary["control"]["iterations"]) == 1


def test_nothing_is_learned_from_a_pass_with_missing_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def upset(n: int, force: np.ndarray) -> tuple[np.ndarray, str]:
        force = force.copy()
        force[LEAD_IN + 900 : LEAD_IN + 910] = np.nan if n == 2 else force[LEAD_IN + 900]
        return force, "done"

    result, summary = iterate(Bench(upset=upset), tmp_path, monkeypatch)
    assert result.outcome == "failed"
    assert "samples are missing" in summary["reason"]
    assert len(summary["control"]["iterations"]) == 1


def test_a_drive_never_passes_a_limit_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(loop=butter(1, 15.0, fs=RATE))
    peak = create(load(EXPERIMENTS / "linkage_random.toml", SHORT).experiment.trajectory).bounds()[1]
    result, summary = iterate(bench, tmp_path, monkeypatch, f"command.value_limit={peak * 1.01} N", "control.iterations=3")
    for setup in bench.setups[1:]:
        assert create(setup.experiment.trajectory).bounds()[1] <= peak * 1.01 * (1 + 1e-9)
    assert any("more would pass a limit" in warning for warning in result.warnings)
    shortened = next(row for row in summary["control"]["iterations"] if row["step"] < 1.0)
    assert shortened["contraction_measured"] == pytest.approx(shortened["contraction_predicted"], abs=0.02)
    assert (result.exit_code, summary["control"]["verdict"]) == (1, "limited")
    assert "at a limit of the command" in summary["reason"]


def test_what_is_not_reached_in_the_passes_that_there_are_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, summary = iterate(Bench(), tmp_path, monkeypatch, "control.iterations=1")
    assert (result.exit_code, summary["control"]["verdict"], summary["verdict"]["result"]) == (1, "not_reached", "fail")
    assert "not reached in 1 iterations" in summary["reason"]


def test_an_interrupt_between_passes_is_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def upset(n: int, force: np.ndarray) -> tuple[np.ndarray, str]:
        if n == 2:
            raise KeyboardInterrupt
        return force, "done"

    result, _ = iterate(Bench(upset=upset), tmp_path, monkeypatch)
    assert (result.outcome, result.exit_code) == ("stopped", 0)


def test_a_device_that_changes_its_rate_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    plain = bench.run_once

    def run_once(setup: Setup, folder: Path) -> Result:
        result = plain(setup, folder)
        if len(bench.setups) == 2:
            bench.records[folder].rate = RATE * 1.001
        return result

    monkeypatch.setattr(bench, "run_once", run_once)
    result, summary = iterate(bench, tmp_path, monkeypatch)
    assert result.outcome == "failed"
    assert "in the identification" in summary["reason"]
    assert issubclass(drive_file.EndedEarly, RigError)
