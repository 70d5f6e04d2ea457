"""What a campaign file may say, and what is said of one that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.sweep.amounts import Amount
from rig.sweep.campaign import load
from rig.sweep.key_page import page
from rig.sweep.preparing import prepare
from tests.each_row import each_row

ROOT = Path(__file__).parents[4]
CAMPAIGNS = sorted((ROOT / "configs/campaigns").glob("*.toml"))
HEAD = 'title = "t"\ntask = "function"\nfunction = "math:sqrt"\n[[keep]]\nfigure = "y"\n'
BAD = {
    "minimum: expected a number with its unit": '[[vary]]\nkey = "x"\nminimum = "much"\nmaximum = 2\n',
    "maximum: 1.0 s and an amount in mm cannot": '[[vary]]\nkey = "x"\nminimum = "1 mm"\nmaximum = "1 s"\n',
    "expected more than minimum = 2.0 mm, got 1.0 mm": '[[vary]]\nkey = "x"\nminimum = "2 mm"\nmaximum = "1 mm"\n',
    "maximum: missing; distribution uniform takes minimum and maximum": '[[vary]]\nkey = "x"\nminimum = 1\n',
    "deviation: expected more than 0": '[[vary]]\nkey = "x"\ndistribution = "normal"\nmean = 1\ndeviation = 0\n',
    "minimum: log_uniform expects more than 0": '[[vary]]\nkey = "x"\ndistribution = "log_uniform"\nminimum = 0\nmaximum = 1\n',
    "values: either these or minimum": '[[vary]]\nkey = "x"\nvalues = [1, 2]\nminimum = 1\n',
    "two tables of the key x": '[[vary]]\nkey = "x"\nvalues = [1]\n[[vary]]\nkey = "x"\nvalues = [1]\n',
    "a grid takes values, or minimum and maximum": '[[vary]]\nkey = "x"\ndistribution = "normal"\nmean = 1\ndeviation = 1\n',
    "sobol expects a power of 2, got 100": '[design]\nkind = "sobol"\nsamples = 100\n[[vary]]\nkey = "x"\nvalues = [1]\n',
    "did you mean values": '[[vary]]\nkey = "x"\nvalue = [1]\n',
    "tasks, expected at most": '[[vary]]\nkey = "x"\nminimum = 0\nmaximum = 1\nsteps = 3000000\n',
    "two figures of the name 'y'": '[[keep]]\nfigure = "y"\n[[vary]]\nkey = "x"\nvalues = [1]\n',
    "the name 'y' is taken": '[[vary]]\nkey = "y"\nvalues = [1]\n',
}


@each_row("words", BAD)
def test_what_cannot_be_used_is_said_with_file_and_key(words: str, tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(HEAD + BAD[words], encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        prepare(path)
    assert words in str(caught.value)


def test_a_file_that_is_in_order_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(HEAD + '[[vary]]\nkey = "x"\nvalues = [1, 4]\n', encoding="utf-8")
    assert prepare(path).points.arguments(1) == {"x": 4.0}


@each_row("path", CAMPAIGNS, ids=lambda path: path.stem)
def test_every_campaign_of_the_examples_is_in_order(path: Path) -> None:
    assert len(prepare(path).points.numbers) > 1


def test_channels_and_keys_are_looked_at_before_the_first_task(tmp_path: Path) -> None:
    path, text = tmp_path / "c.toml", (ROOT / "configs/campaigns/slider_crank_clearance.toml").read_text(encoding="utf-8")
    text = text.replace("../experiments", str(ROOT / "configs/experiments"))
    for old, new, words in (
        ('"joint_force"', '"joint_farce"', "joint_force_max_abs: channel: expected one of".replace("force", "farce")),
        ('"mechanism.clearance"', '"mechanism.clearence"', "did you mean clearance?"),
        ('"0.2 mm"', '"20 mm"', "task"),
        ('figure = "contacts"', 'figure = "touches"', "expected one of crank_angle"),
    ):
        path.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(ConfigError, match=r"c\.toml") as caught:
            prepare(path)
        assert words in str(caught.value)


def test_a_machine_is_not_moved_by_a_campaign(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    experiment, bench = ROOT / "configs/experiments/linkage.toml", ROOT / "configs/benches/example_pcie6363.toml"
    own = tmp_path / "own.toml"
    own.write_text(experiment.read_text(encoding="utf-8").replace("../benches/virtual_loader.toml", str(bench)), encoding="utf-8")
    path.write_text(
        f'title="t"\ntask="run"\nexperiment="{own}"\n[[vary]]\nkey="trajectory.cycles"\nvalues=[3,4]\n[[keep]]\nfigure="passed"\n'
    )
    with pytest.raises(ConfigError, match="is no virtual bench; a campaign of tests moves no real machine"):
        prepare(path)


@each_row("text, number, unit", [("0.2 mm", 0.2e-3, "m"), ("5000 rpm", 5000 * 2 * 3.141592653589793 / 60, "rad/s"), ("0.9", 0.9, "1")])
def test_an_amount_in_si(text: str, number: float, unit: str) -> None:
    found = Amount.parse(text)
    assert found.si == pytest.approx(number, rel=1e-12)
    assert found.si_unit == unit


def test_the_page_of_keys_is_as_the_program_would_write_it_now() -> None:
    assert page() == (ROOT / "docs/campaign_keys.md").read_text(encoding="utf-8"), (
        "run: python -m rig.sweep.key_page > docs/campaign_keys.md"
    )


def test_a_plain_number_may_stand_among_amounts(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(HEAD + '[[vary]]\nkey = "x"\nminimum = 1\nmaximum = 2.5\n', encoding="utf-8")
    assert load(path).vary[0].amounts["maximum"].number == 2.5
