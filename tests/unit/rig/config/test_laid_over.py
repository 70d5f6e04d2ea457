"""Values that an experiment lays over the bench it names: further keys in its [bench], as on the command line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rig.config import load, load_bench
from tests.unit.rig.config.told_problems import problem_of

ROOT = Path(__file__).parents[4]
EXPERIMENT = ROOT / "configs" / "experiments" / "linkage.toml"
BENCH = ROOT / "configs" / "benches" / "virtual_loader.toml"
OVER = '[bench.plant]\nclearance = "0 mm"\n\n[bench.channels.stroke]\nrange = "1 V"\n\n'


def with_bench(tmp_path: Path, over: str) -> Path:
    """The linkage experiment with more in its [bench]."""
    text = EXPERIMENT.read_text(encoding="utf-8").replace("../benches/", f"{BENCH.parent.as_posix()}/")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace("[mechanism]\n", f"{over}[mechanism]\n", 1), encoding="utf-8")
    return path


def test_they_go_over_the_benchs_own(tmp_path: Path) -> None:
    path = with_bench(tmp_path, OVER)
    setup = load(path)
    assert (setup.bench.plant.clearance, setup.bench.channels[2].range) == (0.0, 1.0)
    assert setup.warnings == ()
    assert load_bench(path)[0] == setup.bench
    assert tomllib.loads(setup.bench_text)["plant"]["clearance"] == "0 mm"
    assert f"#   {path}: bench.plant.clearance\n" in setup.bench_text
    assert setup.experiment_text == path.read_text(encoding="utf-8")


def test_the_command_line_goes_over_them(tmp_path: Path) -> None:
    setup = load(with_bench(tmp_path, OVER), ["bench.plant.clearance=0.1 mm"])
    assert (setup.bench.plant.clearance, setup.bench.channels[2].range) == (1e-4, 1.0)


def test_another_bench_is_run_as_it_is_which_is_said(tmp_path: Path) -> None:
    path = with_bench(tmp_path, OVER)
    setup = load(path, bench=BENCH)
    assert setup.bench == load(EXPERIMENT).bench
    assert setup.warnings == tuple(
        f"{path}: bench.{key}: left out, --bench {BENCH} is run as it is" for key in ("plant.clearance", "channels.stroke.range")
    )
    same = with_bench(tmp_path, '[bench.plant]\nclearance = "0.4 mm"\n\n')
    assert load(same, bench=BENCH).warnings == ()


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ('[bench.plant]\nclaerance = "0 mm"\n', "bench.plant.claerance: unknown key; did you mean clearance?"),
        ('[bench.plant]\nclearance = "2 kN"\n', 'bench.plant.clearance: expected a length such as "0.2 mm", got "2 kN" (a force)'),
        ("[bench.channels.nosuch]\nrange = 1.0\n", "bench.channels.nosuch.range: none is called 'nosuch' in channels"),
    ],
)
def test_what_is_wrong_is_said_of_the_experiment(tmp_path: Path, over: str, said: str) -> None:
    path = with_bench(tmp_path, over)
    for reader in (load, load_bench):
        assert problem_of(reader, path).startswith(f"{path}: {said}")
