"""[trajectory] path = ...: chosen, overridden, carried to other processes, refused where it does not belong."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.paths import circle, line, spline, trajectory_1, trajectory_2
from rig.config import load, load_experiment
from rig.config.experiment import Experiment
from rig.config.transport import from_json, to_json
from rig.errors import ConfigError
from tests.each_row import each_row
from tests.unit.rig.config.told_problems import problem_of

EXPERIMENTS = Path(__file__).parents[4] / "configs" / "experiments"
PARALLEL = EXPERIMENTS / "parallel_3rrpar.toml"
PLACE = ["trajectory.centre.x=-0.2 m", "trajectory.centre.y=80 mm", "trajectory.centre.z=-540 mm"]


def test_the_papers_trajectories() -> None:
    assert load_experiment(PARALLEL).experiment.trajectory == trajectory_1.Config()
    overrides = ["trajectory.path=trajectory_2", "trajectory.blend=off", "trajectory.cycles=7"]
    assert load_experiment(PARALLEL, overrides).experiment.trajectory == trajectory_2.Config(blend="off", cycles=7)


def test_a_path_of_your_own_by_overrides() -> None:
    setup = load_experiment(PARALLEL, ["trajectory.path=circle", "trajectory.radius=40 mm", *PLACE, "trajectory.plane=zx"])
    assert isinstance(setup.experiment.trajectory, circle.Config)
    assert (setup.experiment.trajectory.radius, setup.experiment.trajectory.centre.y) == (0.04, 0.08)
    begin = ["trajectory.path=line", *(text.replace("centre", key) for text in PLACE for key in ("begin", "end")), "trajectory.end.x=0"]
    assert isinstance(load_experiment(PARALLEL, begin).experiment.trajectory, line.Config)
    points = 'trajectory.points=[{x="-200 mm",y=0.08,z=-0.54},{x=-0.15,y=0.08,z=-0.54},{x=-0.15,y=0.1,z=-0.54}]'
    found = load_experiment(PARALLEL, ["trajectory.path=spline", points]).experiment.trajectory
    assert isinstance(found, spline.Config) and [point.x for point in found.points] == [-0.2, -0.15, -0.15]


def test_it_survives_the_way_to_another_process() -> None:
    experiment = load_experiment(PARALLEL).experiment
    sent = to_json(experiment)
    assert sent["trajectory"]["path"] == "trajectory_1" and "kind" not in sent["trajectory"]
    assert from_json(Experiment, sent) == experiment


@each_row(
    ("name", "overrides", "said"),
    [
        ("parallel_3rrpar", ["trajectory.path=oval"], "expected one of circle, line, spline, trajectory_1, trajectory_2; got 'oval'"),
        ("parallel_3rrpar", ["trajectory.cylces=3"], "unknown key; did you mean cycles?"),
        ("parallel_3rrpar", ["trajectory.wobble=3"], "unknown key; there are frequency, cycles, blend, blend_time, centre"),
        ("parallel_3rrpar", ["trajectory.blend=perhaps"], "expected one of on, off; got 'perhaps'"),
        ("parallel_3rrpar", ["trajectory.frequency=0 Hz"], "more than 0"),
        ("parallel_3rrpar", ["trajectory.path=spline", "trajectory.points=[{x=0,y=0,z=0}]"], "expected at least 3, got 1"),
        ("parallel_3rrpar", ["mechanism.clearance=8 mm"], "less than the bush's radius, 7.5 mm; got 8 mm"),
        ("parallel_3rrpar", ["mechanism.arm.mass=-1 kg"], "more than 0 kg, got -1 kg"),
        ("slider_crank", ["trajectory.path=trajectory_1"], "slider_crank has no drives that follow a path"),
    ],
)
def test_what_does_not_belong_is_one_clear_problem(name: str, overrides: list[str], said: str) -> None:
    assert said in problem_of(load_experiment, EXPERIMENTS / f"{name}.toml", overrides)


def test_a_mechanism_that_follows_a_path_needs_one(tmp_path: Path) -> None:
    text = PARALLEL.read_text(encoding="utf-8")
    for trajectory in ("", "[trajectory]\nblend = 'on'\n", "[trajectory]\nkind = 'ramp'\nend = '1 N'\nduration = '1 s'\n"):
        file = tmp_path / "one.toml"
        file.write_text(text[: text.index("[trajectory]")] + trajectory + text[text.index("[integrator]") :], encoding="utf-8")
        with pytest.raises(ConfigError, match=r"path.* one of circle, line, spline, trajectory_1, trajectory_2"):
            load_experiment(file)


def test_a_path_is_not_run_by_a_loader() -> None:
    with pytest.raises(ConfigError, match="parallel_3rrpar is not moved by a loader"):
        load(PARALLEL, bench=EXPERIMENTS.parent / "benches" / "virtual_loader.toml")
