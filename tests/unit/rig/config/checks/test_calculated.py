"""Calculated channels in a file: what each mistake is told as, and what is run."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rig.calculated.evaluation import constant
from rig.calculated.expression import parse
from rig.config import load
from rig.config.units.dimensions import in_si
from tests.unit.rig.config.told_problems import problem_of, problems_of

ROOT = Path(__file__).parents[5]
LINKAGE = ROOT / "configs/experiments/linkage.toml"


def experiment(folder: Path, calculated: str, limits: str = "") -> Path:
    """The linkage with more in it."""
    text = LINKAGE.read_text(encoding="utf-8").replace("../benches", (ROOT / "configs/benches").as_posix())
    path = folder / "test.toml"
    path.write_text(text.replace("[simulate]", f"{limits}\n{calculated}\n[simulate]", 1), encoding="utf-8")
    return path


def calculated(expression: str, unit: str, name: str = "extra") -> str:
    return f'[[calculated]]\nname = "{name}"\nexpression = "{expression}"\nunit = "{unit}"\n'


@pytest.mark.parametrize(
    ("expression", "unit"),
    [
        ("(stroke - 0.2 mm) / 100 mm", "1"), ("transmitted_force - predicted.transmitted_force", "N"), ("rate(stroke)", "m/s"),
        ("peak(transmitted_force)", "N"), ("stiffness(transmitted_force, stroke)", "N/m"), ("phase(stroke)", "rad"),
        ("play(stroke, transmitted_force)", "m"),
        ("damage(transmitted_force, 5, 20 kN)", "1"), ("rms(acceleration_1, 0.1 s)", "m/s^2"), ("sqrt(stroke**2)", "m"),
        ("transmitted_force * rate(stroke)", "W"), ("sin(30 deg) * command", "N"), ("max(command, 1 kN, -transmitted_force)", "N"),
        ("stroke / 1 s", "m/s"), ("command ** 2 / command", "N"), ("predicted.joint_a_force", "N"),
    ],
)  # fmt: skip
def test_units_that_fit(tmp_path: Path, expression: str, unit: str) -> None:
    setup = load(experiment(tmp_path, calculated(expression, unit)))
    (one,) = setup.experiment.calculated
    assert expression in setup.experiment_text, "the text stays as it was written"
    assert not any(f"{number} " in one.expression for number in ("mm", "kN", "deg")), one.expression


@pytest.mark.parametrize(
    ("expression", "unit", "said"),
    [
        ("stroke + transmitted_force", "m", "stroke + transmitted_force: expected a length, got a force (transmitted_force)"),
        ("stroke", "N", "extra, unit N: expected a force, got a length (stroke)"),
        ("stroke - 0.2", "m", "stroke - 0.2: expected a length, got a plain number (0.2)"),
        ("sin(stroke)", "1", "sin: expected a plain number, got a length (stroke)"),
        ("rms(stroke, 2 mm)", "m", "rms, its window: expected a time, got a length (2.0 mm)"),
        ("stroke ** command", "m", "exponent of stroke: expected a plain number, got a force (command)"),
        ("damage(stroke, 5, 2 kN)", "1", "damage, its reference: expected a length, got a force (2.0 kN)"),
        ("strok - stroke", "m", "there is no channel 'strok' before this one; there are command, transmitted_force"),
        ("extra + stroke", "m", "there is no channel 'extra' before this one"),
        ("2 furlongz * stroke", "m^2", "'furlongz' is not a unit"),
        ("2 mm/stroke", "1", "'mm/stroke' is not a unit"),
        ("eval(stroke)", "m", "there is no function 'eval'"),
        ("rms(stroke, 0 s)", "m", "rms: expected a number above 0, got 0.0"),
        ("stroke @ 2", "m", "cannot stand in an expression"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_message(tmp_path: Path, expression: str, unit: str, said: str) -> None:
    problem = problem_of(load, path := experiment(tmp_path, calculated(expression, unit)))
    assert problem.startswith(f"{path}: calculated[0].expression: ") and said in problem, problem


def test_names_and_units(tmp_path: Path) -> None:
    assert "unit: extra: channels are in SI units: expected m" in problem_of(load, experiment(tmp_path, calculated("stroke", "mm")))
    assert "is the name of another channel already" in problem_of(load, experiment(tmp_path, calculated("stroke", "m", "stroke")))
    twice = calculated("stroke", "m") + calculated("stroke", "m")
    assert "calculated[1].name: 'extra' is the name" in problem_of(load, experiment(tmp_path, twice))
    assert "expected the name of a unit" in problems_of(load, experiment(tmp_path, calculated("stroke", "furlongz")))[0]


def test_limits_on_what_is_calculated_and_predicted(tmp_path: Path) -> None:
    more = calculated("stroke - 0.2 mm", "m", "a") + calculated("a / 0.1 m", "1", "b")
    follows = '[[limits]]\nchannel = "predicted.stroke"\nrate = "1 m/s"\nfollowing_error = "1 mm"\nof = "stroke"\n'
    limit = f'[[limits]]\nchannel = "a"\nmaximum = "3 mm"\n{follows}'
    setup = load(experiment(tmp_path, more, limit))
    a, predicted = setup.experiment.limits[-2:]
    assert a.maximum == 3e-3 and predicted.rate == 1.0
    assert [one.expression for one in setup.experiment.calculated] == ["(stroke - 0.0002)", "(a / 0.1)"]


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ('channel = "extr"\nmaximum = "1 mm"', "the bench has no channel 'extr'"),
        ('channel = "predicted.strok"\nmaximum = "1 mm"', "the bench has no channel 'predicted.strok'"),
        ('channel = "extra"\nmaximum = "1 kN"', 'expected a length such as "0.2 mm", got "1 kN" (a force)'),
        ('channel = "extra"', "nothing is limited; expected minimum, maximum, rate"),
        ('channel = "extra"\nfollowing_error = "1 mm"', "it is in m, and command in N; expected one unit"),
        ('channel = "extra"\nmaximum = "1 mm"\nstates = ["runing"]', "expected states of starting, running"),
        ('channel = "extra"\nmaximum = "1 mm"\nphase_from = "30 deg"', "expected phase_from and phase_to, or neither"),
        ('channel = "extra"\nmaximum = "1 mm"\naction = "shout"', "expected one of none, indicate, hold, stop, unload, interlock"),
    ],
)  # fmt: skip
def test_limits_that_cannot_be(tmp_path: Path, limit: str, said: str) -> None:
    problem = problem_of(load, experiment(tmp_path, calculated("stroke", "m"), f"[[limits]]\n{limit}\n"))
    assert said in problem, problem


def test_a_restricted_limit_does_not_arm_force_mode(tmp_path: Path) -> None:
    more = '[[limits]]\nchannel = "stroke"\nminimum = "-5 mm"\nmaximum = "5 mm"\nrate = "0.5 m/s"\n'
    load(experiment(tmp_path, "", more), ['limits.1.action="indicate"'])
    problem = problems_of(load, experiment(tmp_path, "", more + 'states = ["running"]\n'), ['limits.1.action="indicate"'])
    assert "force mode needs armed limits" in problem[0]


def test_quantities_become_si() -> None:
    for text, value in (("150 kN/mm", 1.5e8), ("30 deg", math.pi / 6.0), ("5 %", 0.05), ("9.81 m/s^2", 9.81), ("2 min", 120.0)):
        assert constant(in_si(parse(text))) == pytest.approx(value, rel=1e-12)
