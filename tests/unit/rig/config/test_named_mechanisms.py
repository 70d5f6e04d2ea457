"""A mechanism that stands in another experiment's file: what is taken, what goes over it, what is told of mistakes in either."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from model.assembly.joints import clearance_revolute, revolute
from model.mechanisms import planar
from rig.config import load, load_experiment
from rig.errors import ConfigError
from rig.virtual.plants import planar_rig

CONFIGS = Path(__file__).parents[4] / "configs"
RIG = "experiments/six_bar_rig.toml"


@pytest.fixture
def configs(tmp_path: Path) -> Path:
    shutil.copytree(CONFIGS / "experiments", tmp_path / "experiments")
    shutil.copytree(CONFIGS / "benches", tmp_path / "benches")
    return tmp_path


def changed(path: Path, *pairs: tuple[str, str]) -> Path:
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


def test_an_experiment_takes_the_linkage_of_another_and_lays_its_own_keys_over_it(configs: Path) -> None:
    file = changed(configs / RIG, ("\n[integrator]", '\n[[mechanism.joints]]\nname = "P"\nclearance = "0.07 mm"\n\n[integrator]'))
    mechanism = load(file).experiment.mechanism
    alone = load_experiment(configs / "experiments/six_bar.toml").experiment.mechanism
    assert isinstance(mechanism, planar.Config) and isinstance(alone, planar.Config)
    assert mechanism.bodies[:-1] == alone.bodies and mechanism.bodies[-1].name == "hub"
    assert mechanism.joints[:2] == alone.joints[:2] and mechanism.joints[-1].name == "hub bearing"
    assert [replace(drive, body="crank") for drive in mechanism.drives] == list(alone.drives)
    assert mechanism.forces[:-1] == alone.forces
    (pin,) = [joint for joint in mechanism.joints if isinstance(joint, clearance_revolute.Config) and joint.name == "P"]
    assert pin.clearance == pytest.approx(0.07e-3)
    assert mechanism.outputs == ("hub_angle", "motor_torque", "B_force", "P_force") != alone.outputs


def test_an_item_of_another_kind_takes_the_whole_place(configs: Path) -> None:
    """Of the joint that goes over B's nothing is left of the clearance; the others stay as they are."""
    joint = '\n[[mechanism.joints]]\nname = "B"\nkind = "revolute"\nbetween = ["coupler.B", "rocker.B"]\n\n[integrator]'
    mechanism = load(changed(configs / RIG, ("\n[integrator]", joint))).experiment.mechanism
    alone = load_experiment(configs / "experiments/six_bar.toml").experiment.mechanism
    assert isinstance(mechanism, planar.Config) and isinstance(alone, planar.Config)
    names = [joint.name for joint in alone.joints]
    assert [joint.name for joint in mechanism.joints] == [*names, "hub bearing"]
    assert isinstance(mechanism.joints[names.index("B")], revolute.Config)
    assert [a for a, b in zip(mechanism.joints, alone.joints, strict=False) if a != b] == [mechanism.joints[names.index("B")]]


def test_a_list_without_names_takes_the_place_of_the_file_s(configs: Path) -> None:
    pair = ('outputs = ["hub_angle", "motor_torque", "B_force", "P_force"]', 'outputs = ["hub_angle", "motor_torque"]')
    mechanism = load(changed(configs / RIG, pair)).experiment.mechanism
    assert isinstance(mechanism, planar.Config) and mechanism.outputs == ("hub_angle", "motor_torque")


def test_what_ran_stands_in_the_text_of_the_record_and_can_be_read_back(configs: Path, tmp_path: Path) -> None:
    setup = load(configs / RIG)
    again = tmp_path / "experiments/as_run.toml"
    again.write_text(setup.experiment_text, encoding="utf-8")
    assert load(again).experiment.mechanism == setup.experiment.mechanism
    assert "# six_bar.toml:" in setup.experiment_text


def test_the_command_line_goes_over_both(configs: Path) -> None:
    found = load(configs / RIG, ["mechanism.clearance=0.3 mm", "bench.plant.mechanism.clearance=0.2 mm"])
    assert isinstance(found.experiment.mechanism, planar.Config) and isinstance(found.bench.plant, planar_rig.Config)
    assert found.experiment.mechanism.clearance == pytest.approx(0.3e-3)
    assert found.bench.plant.mechanism.clearance == pytest.approx(0.2e-3)


def test_the_command_line_chooses_another_file(configs: Path) -> None:
    """From the folder of the file that it goes over; what stands beside the name goes over that one as well."""
    other = changed(configs / "experiments/six_bar.toml", ('mass = "0.9 kg"', 'mass = "1.7 kg"')).rename(configs / "experiments/other.toml")
    shutil.copy(CONFIGS / "experiments/six_bar.toml", configs / "experiments/six_bar.toml")
    sets = ["mechanism.file=other.toml", "bench.plant.mechanism.file=../experiments/other.toml", "mechanism.clearance=0.3 mm"]
    found, plain = load(configs / RIG, sets), load(configs / RIG)
    for one, other_one in ((found.experiment.mechanism, plain.experiment.mechanism), (found.bench.plant, plain.bench.plant)):
        built, usual = (what.mechanism if isinstance(what, planar_rig.Config) else what for what in (one, other_one))
        assert isinstance(built, planar.Config) and isinstance(usual, planar.Config)
        assert {body.mass for body in built.bodies} - {body.mass for body in usual.bodies} == {1.7}
    assert isinstance(found.experiment.mechanism, planar.Config) and found.experiment.mechanism.clearance == pytest.approx(0.3e-3)
    assert found.experiment.mechanism.outputs == ("hub_angle", "motor_torque", "B_force", "P_force")
    assert "--set mechanism.file=other.toml" in found.experiment_text and "# other.toml:" in found.experiment_text
    assert other.exists()


@pytest.mark.parametrize(
    ("file", "given", "said"),
    [
        (
            RIG,
            "seven_bar.toml",
            r"seven_bar\.toml: no such experiment file \(named by --set mechanism\.file=seven_bar\.toml, from the folder of",
        ),
        (RIG, "3", "--set mechanism.file=3: expected an experiment file, got 3"),
        ("experiments/six_bar.toml", "six_bar.toml", "--set mechanism.file=six_bar.toml: mechanism of .* names no file that another could"),
    ],
)
def test_a_file_that_cannot_be_chosen_is_told(configs: Path, file: str, given: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_experiment(configs / file, [f"mechanism.file={given}"])


SIX, BENCH = "experiments/six_bar.toml", "benches/virtual_six_bar.toml"
NAMED = r"\(named by mechanism of .*six_bar_rig\.toml\)"
MISTAKES = {
    "no such file": (RIG, 'file = "six_bar.toml"', 'file = "seven_bar.toml"', rf"seven_bar\.toml: no such experiment file {NAMED}"),
    "a bench": (RIG, 'file = "six_bar.toml"', 'file = "../benches/virtual_loader.toml"', rf"expected a table \[mechanism\] in it {NAMED}"),
    "a unit there": (SIX, 'mass = "0.9 kg"', 'mass = "0.9 m"', r"six_bar\.toml: mechanism\.bodies\[1\]\.mass: "),
    "a point": (RIG, '"output.D", direction', '"output.Z", direction', r"output has no point 'Z'"),
    "a column": (BENCH, 'predicts = "motor_torque"', 'predicts = "moter_torque"', r"no channel 'moter_torque'.*did you mean motor_torque"),
    "a drive": (
        BENCH,
        'drive = "motor"',
        'drive = "crank"',
        r"a drive of the mechanism that turns, and not at speed 0 \(motor\), got 'crank'",
    ),
}


@pytest.mark.parametrize(("where", "old", "new", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_file(configs: Path, where: str, old: str, new: str, said: str) -> None:
    changed(configs / where, (old, new))
    with pytest.raises(ConfigError, match=said):
        load(configs / RIG)


def test_a_criterion_on_what_nothing_predicts_is_refused(configs: Path) -> None:
    changed(configs / RIG, ('channel = "torque"\nmetric', 'channel = "sample_code"\nmetric'))
    with pytest.raises(ConfigError, match="sample_code is not predicted"):
        load(configs / RIG)


SPARE = """name = "second"
predicts = "motor_torque"
unit = "N*m"
terminal = "Dev1/ai4"
[channels.sensor]
sensitivity = 10

[[channels]]
name = "speed" """


def test_two_channels_may_show_the_same(configs: Path) -> None:
    """A torque sensor and its spare: both are compared, neither is told as left out."""
    changed(configs / BENCH, ('name = "speed" ', SPARE))
    setup = load(configs / RIG)
    assert [channel.name for channel in setup.bench.channels if channel.quantity == "motor_torque"] == ["torque", "second"]
    assert setup.warnings == ()


@pytest.mark.parametrize(("given", "told"), [("40", True), ('"40 m"', False), ("0.04", False), ('"40 mm"', False)])
def test_a_length_without_its_unit_that_no_rig_has_is_told(configs: Path, given: str, told: bool) -> None:
    file = changed(configs / "experiments/six_bar.toml", ('centre = {x = "90 mm"', f"centre = {{x = {given}"))
    said = [warning for warning in load_experiment(file).warnings if "without a unit" in warning]
    assert said == (['mechanism.bodies[1].centre.x: 40 without a unit is 40 m; for millimetres give "40 mm"'] if told else [])


def told(file: Path) -> list[str]:
    with pytest.raises(ConfigError) as raised:
        load(file)
    return raised.value.problems


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('bearing_radius = "10 mm"', 'bearing_radus = "10 mm"', "joints[2].bearing_radus: B: unknown key; did you mean bearing_radius?"),
        ('kind = "clearance_revolute"', 'kind = "clearence_revolute"', "joints[2].kind: B: expected one of"),
        ('"ground.O4", "rocker', '"grund.O4", "rocker', "joints[3]: O4: there is no body 'grund'; there are crank"),
        ('name = "coupler" ', 'name = "crank" ', "bodies[1].name: 'crank' is the name of another one already"),
    ],
)
def test_a_mistake_in_the_drawing_is_told_once_where_it_stands(configs: Path, old: str, new: str, said: str) -> None:
    """The experiment lays a hub, its bearing and a spring over lists of that file, and the bench takes it, too."""
    drawing = configs / "experiments/six_bar.toml"
    text = drawing.read_text(encoding="utf-8")
    assert old in text
    drawing.write_text(text.replace(old, new, 1), encoding="utf-8")
    (problem,) = told(configs / RIG)
    assert problem.startswith(f"{drawing}: mechanism.{said}")


def test_a_mistake_in_what_is_laid_over_is_told_there(configs: Path) -> None:
    file = changed(configs / RIG, ('name = "hub bearing"', 'nam = "hub bearing"'))
    assert all(problem.startswith(f"{file}: mechanism.joints") for problem in told(file))
