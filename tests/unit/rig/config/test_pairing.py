"""Channels that have only another name on the bench than in the model are told of, with the name that they may be meant for."""

from pathlib import Path

import pytest

from rig.config import load
from rig.config.pairing import Unpaired, meant, nearest
from rig.errors import ConfigError
from tests.each_row import each_row

ROOT = Path(__file__).resolve().parents[4]
EXPERIMENT = str(ROOT / "configs/experiments/linkage.toml")
BENCH = ROOT / "configs/benches/virtual_loader.toml"
PREDICTED = ["transmitted_force", "joint_a_force", "stroke", "acceleration_1", "acceleration_2"]


@each_row(
    ("name", "expected"),
    [
        ("transmited_force", "transmitted_force"),
        ("Transmitted_Force", "transmitted_force"),
        ("trans_force", "transmitted_force"),
        ("acc_2", "acceleration_2"),
        ("strokes", "stroke"),
        ("actuator_force", None),
        ("sample_code", None),
        ("temperature", None),
    ],
)
def test_the_nearest_name(name: str, expected: str | None) -> None:
    assert nearest(name, PREDICTED) == expected
    assert meant(name, PREDICTED) == ("" if expected is None else f"; did you mean {expected}?")


def test_another_unit_is_not_meant() -> None:
    found = Unpaired((("strokes", "V"),), (("stroke", "m"),), frozenset({"N"}))
    assert found.doubts() == []
    assert found.to_json() == {"measured": [{"channel": "strokes", "nearest": None}], "predicted": ["stroke"]}


def test_the_only_one_of_its_unit_is_told_whatever_its_name() -> None:
    """A load cell that is called by its place is as little compared as one with a slip of the pen."""
    found = Unpaired((("load_cell", "N"), ("spare", "V"), ("pulse", "1")), (("transmitted_force", "N"), ("touch", "1")), frozenset({"m"}))
    assert found.doubts() == [
        "load_cell: measured, but not compared: nothing is predicted under that name; in N transmitted_force is predicted, and not measured"
    ]
    assert (
        found.in_words()
        == "not compared, by name: measured and not predicted: load_cell, spare, pulse; predicted and not measured: "
        + ("transmitted_force, touch")
    )
    assert Unpaired((), (), frozenset()).in_words() == ""


def _renamed(tmp_path: Path, *pairs: tuple[str, str]) -> str:
    text = BENCH.read_text(encoding="utf-8")
    for old, new in pairs:
        assert f'name = "{old}"' in text
        text = text.replace(f'name = "{old}"', f'name = "{new}"')
    file = tmp_path / "bench.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_renamed_channel_is_a_warning(tmp_path: Path) -> None:
    bench = _renamed(tmp_path, ("acceleration_2", "acc_2"))
    [said] = [text for text in load(EXPERIMENT, [], bench).warnings if "not compared" in text]
    assert said.startswith("acc_2: measured, but not compared") and said.endswith("did you mean acceleration_2?")
    assert not [text for text in load(EXPERIMENT, []).warnings if "not compared" in text]


def test_a_criterion_without_a_channel_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError) as error:
        load(EXPERIMENT, ["comparison.criteria.nrms.channel=transmited_force"])
    assert any("no channel 'transmited_force'; it has" in t and t.endswith("did you mean transmitted_force?") for t in error.value.problems)
    with pytest.raises(ConfigError) as error:
        load(EXPERIMENT, ["comparison.criteria.nrms.channel=command_monitor"])
    assert any("command_monitor is not predicted; predicted are " in text for text in error.value.problems)


def test_a_criterion_on_a_channel_of_another_name_is_told_of_predicts(tmp_path: Path) -> None:
    bench = _renamed(tmp_path, ("acceleration_2", "acc_2"))
    with pytest.raises(ConfigError) as error:
        load(EXPERIMENT, ["comparison.criteria.nrms.channel=acc_2"], bench)
    assert any(t.endswith('give predicts = "acceleration_2" in its [[channels]] of the bench') for t in error.value.problems)


def test_a_misspelt_predicts_is_one_message() -> None:
    with pytest.raises(ConfigError) as error:
        load(EXPERIMENT, ["bench.channels.transmitted_force.predicts=transmited_force"])
    [said] = [text for text in error.value.problems if "transmited_force" in text]
    assert "the model has no channel 'transmited_force'" in said
