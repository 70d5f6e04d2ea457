"""Names of channels: what no record, table or picture can hold, and what cannot be told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from changed_files import configs

from rig.config import load_bench
from rig.config.checks.names import unfit
from rig.errors import ConfigError


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/", " force", "force ", "a\tb", "x" * 101])
def test_names_that_nothing_can_have(name: str) -> None:
    assert unfit(name)


@pytest.mark.parametrize("name", ["force", "Kraft Prüfling", "a.b", "x_1[top]", "力"])
def test_names_that_are_fine(name: str) -> None:
    assert unfit(name) == ""


def _renamed(folder: Path, *names: str) -> Path:
    path = configs(folder) / "benches" / "virtual_loader.toml"
    text = path.read_text(encoding="utf-8")
    for old, new in zip(("acceleration_1", "acceleration_2"), names, strict=False):
        text = text.replace(f'name = "{old}"', f'name = "{new}"')
    path.write_text(text, encoding="utf-8")
    return path


def test_two_names_that_look_alike_are_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"channels\[\d\]\.name: 'e\u0301' looks like '\u00e9'"):
        load_bench(_renamed(tmp_path, "\u00e9", "e\u0301"))


def test_the_setpoint_has_its_name_to_itself(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'command' is the setpoint already"):
        load_bench(_renamed(tmp_path, "command"))


def test_a_name_that_no_record_holds_is_told_of_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"channels\[3\]\.name: '\.\.' cannot be the name"):
        load_bench(_renamed(tmp_path, ".."))
