"""Messages name the `--set` that a value came from, also where it shows somewhere else in a file that is right by itself."""

from __future__ import annotations

from pathlib import Path

from rig.config import load, load_bench, load_experiment
from rig.config.attribution import attributed
from rig.errors import ConfigError
from tests.each_row import each_row
from tests.unit.rig.config.told_problems import problem_of, problems_of

EXPERIMENTS = Path(__file__).parents[4] / "configs" / "experiments"
LINKAGE = EXPERIMENTS / "linkage.toml"
SIX_BAR = EXPERIMENTS / "six_bar_rig.toml"


@each_row(
    ("experiment", "override", "place"),
    [
        (LINKAGE, "limits.transmitted_force.maximum=17 N", "trajectory.amplitude: the trajectory reaches -10000..10000 N"),
        (LINKAGE, "limits.stroke.phase_from=1 deg", "limits[1].phase_to: expected phase_from and phase_to"),
        (LINKAGE, "limits.stroke.minimum=none", "limits: force mode needs armed limits"),
        (LINKAGE, "trajectory.soft_start=1e30", "trajectory: it lasts 1e+30 s"),
        (LINKAGE, "bench.loader.preparation.speed=17 m/s", "limits[1].rate: stroke is limited to 0.5 m/s"),
        (LINKAGE, "comparison.band_low=1 Hz", "comparison.band_high: missing"),
        (SIX_BAR, "mechanism.joints.P.name=other", "mechanism.outputs: there is no channel 'P_force'"),
        (SIX_BAR, "mechanism.outputs=['nosuch']", "there is no channel 'nosuch'"),
        (SIX_BAR, "mechanism.bodies.coupler.name=other", "mechanism.joints[1]: A: there is no body 'coupler'"),
        (SIX_BAR, "mechanism.forces.load.on=nowhere", 'mechanism.forces[1]: load: expected "BODY.POINT"'),
        (SIX_BAR, "bench.plant.mechanism.joints.P.bearing_radius=3 parsec", "mechanism: one of its numbers is far too large"),
        (EXPERIMENTS / "parallel_3rrpar_rig.toml", "mechanism.geometry.joint_y=-1 m", "leg 2 cannot reach"),
    ],
)
def test_a_message_begins_with_what_made_it(experiment: Path, override: str, place: str) -> None:
    found = problems_of(load, experiment, [override])
    assert all(problem.startswith(f"--set {override}: ") for problem in found)
    assert any(place in problem for problem in found)


def test_with_several_it_names_the_one_that_made_it() -> None:
    renamed, harmless = "bench.channels.stroke.name=way", "trajectory.cycles=3"
    for order in ([renamed, harmless], [harmless, renamed]):
        found = problems_of(load, LINKAGE, order)
        assert all(problem.startswith(f"--set {renamed}: ") for problem in found)
        assert any("virtual_loader.toml: loader.stroke_channel: expected one of the channels" in problem for problem in found)


def test_two_that_are_wrong_together_are_both_named() -> None:
    faster, slower = "trajectory.frequency=12 Hz", "command.rate_limit=500 kN/s"
    load(LINKAGE, [faster])
    load(LINKAGE, [slower])
    problem = problem_of(load, LINKAGE, [faster, "trajectory.cycles=3", slower])
    assert problem.startswith(f"--set {faster}, --set {slower}: {LINKAGE}: trajectory.amplitude: the trajectory moves at up to")


def test_what_the_file_has_by_itself_stays_the_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = LINKAGE.read_text(encoding="utf-8").replace("../benches/", f"{(EXPERIMENTS.parent / 'benches').as_posix()}/")
    path.write_text(text.replace('channel = "stroke" ', 'channel = "strike" '), encoding="utf-8")
    own, *rest = problems_of(load, path, ["trajectory.cycles=3"])
    assert own.startswith(f"{path}: limits[1].channel: the bench has no channel 'strike'")
    assert all(problem.startswith(f"{path}: ") for problem in rest)


def test_an_experiment_alone_and_a_bench_alone() -> None:
    alone = EXPERIMENTS / "six_bar.toml"
    assert problem_of(load_experiment, alone, ["mechanism.outputs=['nosuch']"]).startswith("--set mechanism.outputs=['nosuch']: ")
    assert problem_of(load_experiment, alone, ["mechanism.bodies.coupler.name=other"]).startswith(
        "--set mechanism.bodies.coupler.name=other: "
    )
    override = "bench.channels.stroke.name=way"
    assert problem_of(load_bench, LINKAGE, [override]).startswith(f"--set {override}: ")


def test_one_that_hides_another_is_not_blamed_for_it() -> None:
    """The files are wrong in another way while the first is left out; the second makes its problem by itself."""

    def read(given: object) -> None:
        if given == ["first=1", "second=2"] or given == ["second=2"]:
            raise ConfigError("file: broken by the second")

    assert problem_of(attributed, read, ["first=1", "second=2"], Path("file")) == "--set second=2: file: broken by the second"
