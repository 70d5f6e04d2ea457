"""Names of channels: what no record, table or picture can hold, and what cannot be told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from changed_files import configs

from rig.config import load_bench
from rig.config.checks.names import unfit
from rig.errors import ConfigError
from tests.each_row import each_row


@each_row("name", ["", ".", "..", "a/b", "/", " force", "force ", "a\tb", "x" * 101])
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


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("\u00e9", "e\u0301"), r"channels\[\d\]\.name: 'e\u0301' looks like '\u00e9'"),
        (("command",), "'command' is the setpoint already"),
        (("..",), r"channels\[3\]\.name: '\.\.' cannot be the name"),
    ],
    ids=["alike", "the setpoint's", "none"],
)
def test_names_that_no_bench_can_have_are_told(tmp_path: Path, names: tuple[str, ...], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_bench(_renamed(tmp_path, *names))
