"""What has changed since a test began is named, each by its key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rig
from rig.config import load
from rig.config.plan import Plan
from rig.config.setup import Setup
from rig.errors import ConfigError
from rig.resumption.differences import differences, setup_now

LINKAGE = Path(__file__).parents[4] / "configs/experiments/linkage.toml"


def plan_of(setup: Setup, folder: Path = Path("runs/0001-linkage")) -> Plan:
    return Plan(folder.name, folder, folder, setup.experiment, setup.bench, setup.experiment_text, setup.bench_text, setup.sources)


def changed(*overrides: str, version: str = rig.__version__) -> list[str]:
    return differences(plan_of(load(LINKAGE)), load(LINKAGE, overrides), version)


def test_nothing_has_changed() -> None:
    assert changed() == []


def test_what_was_laid_over_on_the_command_line_is_laid_over_again() -> None:
    setup = load(LINKAGE, ["trajectory.cycles=77", "bench.seed=9"])
    plan = plan_of(setup)
    now = setup_now(plan)
    assert now.experiment == setup.experiment and now.bench == setup.bench
    assert differences(plan, now, rig.__version__) == []


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("trajectory.cycles=77", "experiment trajectory.cycles"),
        ('trajectory.amplitude="9 kN"', "experiment trajectory.amplitude"),
        ("bench.seed=9", "bench seed"),
        ('mechanism.clearance="0.3 mm"', "experiment mechanism.clearance"),
    ],
)
def test_each_change_is_named(override: str, said: str) -> None:
    (line,) = changed(override)
    assert line.startswith(f"{said}: ") and " before, " in line and line.endswith(" now")


def test_a_sensor_that_was_tared_or_exchanged_is_named() -> None:
    setup = load(LINKAGE)
    first, *others = setup.bench.channels
    for change, key in (({"tare": 12.5}, "tare"), ({"serial": "LC-8"}, "serial")):
        bench = replace(setup.bench, channels=(replace(first, sensor=replace(first.sensor, **change)), *others))  # type: ignore[arg-type]
        (line,) = differences(plan_of(setup), replace(setup, bench=bench), rig.__version__)
        assert line.startswith(f"sensor {first.name}.{key}: ")


def test_another_program_is_named() -> None:
    (line,) = changed(version="0.0.9")
    assert line == f"program: 0.0.9 began the test, this is {rig.__version__}"


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    plan = replace(plan_of(load(LINKAGE)), sources={**load(LINKAGE).sources, "experiment": str(tmp_path / "gone.toml")})
    with pytest.raises(ConfigError, match=r"gone\.toml"):
        setup_now(plan)
    empty: Any = SimpleNamespace(sources={}, run_dir=tmp_path)
    with pytest.raises(ConfigError, match="does not tell which files"):
        setup_now(empty)
