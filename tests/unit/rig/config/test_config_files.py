"""Every file in configs/ loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.config import load, load_bench, load_experiment
from rig.config.shape import shapes

CONFIGS = Path(__file__).parents[4] / "configs"
EXPERIMENTS = sorted(CONFIGS.glob("experiments/*.toml"))
BENCHES = sorted(CONFIGS.glob("benches/*.toml"))
SENSORS = sorted(CONFIGS.glob("sensors/*.toml"))


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_every_experiment_loads_on_its_own_bench_or_without_one(path: Path) -> None:
    """Without: a mechanism that brings its own drive or follows a path, which is simulated only."""
    trajectory = load_experiment(path).experiment.trajectory
    if trajectory is not None and type(trajectory).__module__.startswith("rig."):
        assert load(path).warnings == ()
    else:
        assert "[bench]" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", BENCHES, ids=lambda path: path.stem)
def test_every_bench_serves_the_linkage(path: Path) -> None:
    setup = load(CONFIGS / "experiments" / "linkage.toml", bench=path)
    names = [channel.name for channel in setup.bench.channels]
    assert {criterion.channel for criterion in setup.experiment.comparison.criteria} <= set(names)


@pytest.mark.parametrize("path", [path for path in BENCHES if path.stem.startswith("example_")], ids=lambda path: path.stem)
def test_a_real_bench_is_armed_by_a_person_and_tells_its_wiring(path: Path) -> None:
    setup = load(CONFIGS / "experiments" / "linkage.toml", bench=path)
    assert setup.bench.arming == "operator"
    assert setup.bench.daq.watchdog is not None
    assert setup.bench.plant is None
    comments = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#"))
    loader = setup.bench.loader
    lines = [getattr(loader, name) for name in shapes(type(loader)) if isinstance(getattr(loader, name), str)]
    for terminal in [line.partition("/")[2] for line in lines if "/port" in line]:
        assert terminal in comments


@pytest.mark.parametrize("path", SENSORS, ids=lambda path: path.stem)
def test_every_sensors_file_is_used_by_a_bench_which_checks_it(path: Path) -> None:
    users = [bench for bench in BENCHES if f"../sensors/{path.name}" in bench.read_text(encoding="utf-8")]
    assert users
    for bench in users:
        load_bench(bench)


def test_there_are_experiments_and_benches() -> None:
    assert {"linkage", "linkage_no_clearance"} <= {path.stem for path in EXPERIMENTS}
    assert {"virtual_loader", "example_pcie6363"} <= {path.stem for path in BENCHES}
