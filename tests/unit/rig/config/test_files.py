"""Every file in configs/ loads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rig.config import load, load_bench, load_experiment
from rig.config.shape import shapes
from tests.each_row import each_row

CONFIGS = Path(__file__).parents[4] / "configs"
EXPERIMENTS = sorted(CONFIGS.glob("experiments/*.toml"))
BENCHES = sorted(CONFIGS.glob("benches/*.toml"))
RIGS = {
    "linkage_instron": "linkage_instron", "four_bar": "four_bar_rig", "four_bar_dc": "four_bar_rig",
    "slider_crank": "slider_crank_rig", "slider_bar": "slider_bar_rig",
    "parallel": "parallel_3rrpar_rig", "parallel_flexible": "parallel_3rrpar_flexible_rig", "six_bar": "six_bar_rig",
    "press": "press",
}  # fmt: skip
"""Experiment of each motor rig, and of the loader that runs waveforms, by the end of its benches' names; all others serve the linkage."""
SENSORS = sorted(CONFIGS.glob("sensors/*.toml"))


@each_row("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_every_experiment_loads_on_its_own_bench_or_without_one(path: Path) -> None:
    """Without: a mechanism that brings its own drive or follows a path, which is simulated only."""
    if "\n[bench]\n" in path.read_text(encoding="utf-8"):
        assert load(path).warnings == ()
    else:
        trajectory = load_experiment(path).experiment.trajectory
        assert trajectory is None or not type(trajectory).__module__.startswith("rig.")


@each_row("path", BENCHES, ids=lambda path: path.stem)
def test_every_bench_serves_its_experiment(path: Path) -> None:
    setup = load(_experiment(path), bench=path)
    names = [channel.name for channel in setup.bench.channels]
    assert {criterion.channel for criterion in setup.experiment.comparison.criteria} <= set(names)


@pytest.mark.parametrize("path", [path for path in BENCHES if path.stem.startswith("example_")], ids=lambda path: path.stem)
def test_a_real_bench_is_armed_by_a_person_and_tells_its_wiring(path: Path) -> None:
    setup = load(_experiment(path), bench=path)
    assert setup.bench.arming == "operator"
    assert setup.bench.daq.watchdog is not None
    assert setup.bench.plant is None
    comments = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#"))
    moving = [setup.bench.loader] if setup.bench.loader is not None else [axis.drive for axis in setup.bench.axes]
    named = [value for config in moving for name in shapes(type(config)) if isinstance(value := getattr(config, name), str)]
    for channel in setup.bench.channels:
        counter = channel.counter
        named += [channel.terminal] if counter is None else [terminal for terminal in (counter.a, counter.b, counter.z) if terminal]
    terminals = [line.partition("/")[2] for line in named if line.startswith("Dev1/")]
    told = re.sub(r"([a-z]+)(\d+)\.\.(\d+)", _one_by_one, comments)
    assert len(terminals) >= 4
    for terminal in terminals:
        assert re.search(rf"\b{re.escape(terminal)}\b", told), terminal


def _experiment(bench: Path) -> Path:
    name = RIGS.get(bench.stem.partition("_")[2], "linkage")
    return CONFIGS / "experiments" / f"{name}.toml"


def _one_by_one(several: re.Match[str]) -> str:
    """ai3..5 is ai3 ai4 ai5."""
    return " ".join(f"{several[1]}{n}" for n in range(int(several[2]), int(several[3]) + 1))


@pytest.mark.parametrize("path", SENSORS, ids=lambda path: path.stem)
def test_every_sensors_file_is_used_by_a_bench_which_checks_it(path: Path) -> None:
    users = [bench for bench in BENCHES if f"../sensors/{path.name}" in bench.read_text(encoding="utf-8")]
    assert users
    for bench in users:
        load_bench(bench)


def test_there_are_experiments_and_benches() -> None:
    assert {"linkage", "linkage_no_clearance"} <= {path.stem for path in EXPERIMENTS}
    assert {"virtual_loader", "example_pcie6363"} <= {path.stem for path in BENCHES}
