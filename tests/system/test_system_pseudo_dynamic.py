"""The pseudo-dynamic test on the virtual frame: free vibration, with a loader as it is and with one that falls short."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench_run import ROOT, rig

from rig.config import load
from rig.recorder.reading import read_run
from rig.virtual.plants.servo_frame.parameters import draw

pytestmark = pytest.mark.xdist_group("pseudo-dynamic")  # one run serves two of them
EXPERIMENT = ROOT / "configs/experiments/pseudo_dynamic.toml"
STEPS = 20
"""Of a period."""
SHORT = "bench.plant.faults.span=0.99"


def run(out: Path, *overrides: str) -> tuple[dict[str, Any], float]:
    """The result, and the circular frequency that mass and the drawn specimen have, rad/s."""
    sets = [word for override in overrides for word in ("--set", override)]
    code, data = rig("run", str(EXPERIMENT), "--headless", "--out", str(out), *sets, timeout=300.0)
    assert code == 0, data
    setup = load(EXPERIMENT, list(overrides))
    frame = draw(setup.bench.plant, data["seed"])[0]
    return data, math.sqrt(1.0 / (1.0 / frame["k_f"] + 2.0 / frame["k_0"]) / setup.experiment.trajectory.mass)


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], float]:
    """A loader as it is, corrected: two periods."""
    return run(tmp_path_factory.mktemp("pseudo"), f"trajectory.steps={2 * STEPS}")


def test_two_periods_are_the_closed_form_within_a_hundredth(straight: tuple[dict[str, Any], float]) -> None:
    assert_closed_form(*straight, 2)


@pytest.mark.long
def test_ten_periods_are_the_closed_form_within_a_hundredth(tmp_path: Path) -> None:
    assert_closed_form(*run(tmp_path), 10)


def assert_closed_form(data: dict[str, Any], omega: float, periods: int) -> None:
    steps = data["control"]["steps"]
    time, displacement = (np.array([row[key] for row in steps]) for key in ("time_s", "displacement"))
    assert omega * time[-1] >= 2.0 * math.pi * periods
    assert np.max(np.abs(displacement - 1e-3 * np.cos(omega * time))) < 0.01 * 1e-3
    assert abs(data["control"]["energy"]["residual_J"]) < 0.01 * data["control"]["energy"]["supplied_J"]


def test_the_record_has_the_model_beside_the_command_and_steps_as_cycles(straight: tuple[dict[str, Any], float]) -> None:
    data, _ = straight
    record = read_run(Path(data["files"]["run"]))
    cycle, time, force = (record.channel("command", name) for name in ("cycle", "model_time", "restoring_force"))
    steps = data["control"]["steps_asked"]
    assert set(cycle) == {-1.0, *map(float, range(steps + 1))}
    assert time[-1] == pytest.approx(steps * data["control"]["step_s"])
    assert force[-1] == pytest.approx(data["control"]["steps"][-1]["restoring_force"])


@pytest.mark.long
def test_a_loader_that_is_a_hundredth_short_puts_in_less_than_was_stated(tmp_path: Path) -> None:
    data, _ = run(tmp_path, "trajectory.correct=false", "trajectory.allowed_growth=0.2", "trajectory.steps=100", SHORT)
    control = data["control"]
    stated = (1.0 + control["growth_stated"]) ** 2 - 1.0  # amplitudes squared are energies
    assert stated > 0.07  # of five periods
    assert 0.02 < control["energy"]["largest_error_share"] < stated
    last = max(abs(row["displacement"]) for row in control["steps"][-20:])
    assert 1.0 < last / 1e-3 < 1.0 + control["growth_stated"]


@pytest.mark.long
def test_the_correction_keeps_what_it_puts_in_to_what_the_loader_is_short_of_now(tmp_path: Path) -> None:
    data, omega = run(tmp_path, SHORT, "trajectory.steps=100")
    steps = data["control"]["steps"]
    assert 0.01 < data["control"]["energy"]["largest_error_share"] < 0.04  # of a specimen that stands 1 % short: 2 %
    exact = 1e-3 * np.cos(omega * np.array([row["time_s"] for row in steps]))
    assert np.max(np.abs(np.array([row["displacement"] for row in steps]) - exact)) < 0.01 * 1e-3
