"""A running estimate in a configuration: which channels it brings, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.config import load
from rig.config.units.estimated import columns
from rig.errors import ConfigError

ROOT = Path(__file__).parents[5]
LINKAGE = (
    (ROOT / "configs/experiments/linkage.toml").read_text(encoding="utf-8").replace("../benches", (ROOT / "configs/benches").as_posix())
)


def loaded(folder: Path, more: str, text: str = LINKAGE):
    (folder / "live.h5").write_text("read when the test is checked")
    path = folder / "estimated.toml"
    path.write_text(text.replace("[simulate]", f"{more}\n[simulate]", 1), encoding="utf-8")
    return load(path).experiment


ESTIMATE = '[estimate]\nfile = "live.h5"\n'


def limit(channel: str, maximum: str) -> str:
    return f'[[limits]]\nchannel = "{channel}"\nmaximum = "{maximum}"\naction = "stop"\n'


def test_limits_and_calculated_channels_may_lean_on_what_is_estimated(tmp_path: Path) -> None:
    wear = '[[calculated]]\nname = "wear"\nexpression = "estimated.clearance - 0.4 mm"\nunit = "m"\n'
    found = loaded(tmp_path, ESTIMATE + limit("estimated.clearance_high", "0.42 mm") + limit("estimated.unexplained", "2") + wear)
    assert found.estimate is not None and found.estimate.file == str((tmp_path / "live.h5").resolve()) and found.estimate.sha256
    assert [one.maximum for one in found.limits if one.channel.startswith("estimated.")] == [0.42e-3, 2.0]


def test_columns_are_numbers_ends_single_cycles_and_how_far_they_are_to_be_trusted() -> None:
    assert columns(["contact.restitution", "channels.force.gain"], ["1", "1"]) == [
        (f"estimated.{name}{end}", "1") for end in ("", "_low", "_high", "_cycle") for name in ("contact_restitution", "force_gain")
    ] + [("estimated.unexplained", "1"), ("estimated.age", "1")]


@pytest.mark.parametrize(
    ("more", "text", "said"),
    [
        (limit("estimated.clearance", "0.42 mm"), LINKAGE, "estimated.clearance"),
        (ESTIMATE + limit("estimated.stiffness", "1"), LINKAGE, "estimated.stiffness"),
        (ESTIMATE + limit("estimated.clearance", "0.42 kN"), LINKAGE, "0.42 kN"),
        (ESTIMATE, LINKAGE.replace("[[identify.free]]", "[[identify.other]]"), "identify"),
        (ESTIMATE + "memory = 0\n", LINKAGE, "memory"),
    ],
)
def test_what_is_not_estimated_is_no_channel(tmp_path: Path, more: str, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        loaded(tmp_path, more, text)
    assert said in str(error.value)
