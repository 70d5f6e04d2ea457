"""docs/command_options.md has every option of every command, as the parser takes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig import commands
from rig.command_line.option_tables import page
from tests.each_row import each_row

PAGE = (Path(__file__).parents[4] / "docs/command_options.md").read_text(encoding="utf-8")


def test_the_page_is_as_the_program_would_write_it_now() -> None:
    assert page() == PAGE, "run: python -m rig.command_line.option_tables > docs/command_options.md"


@each_row("command", commands.COMMANDS)
def test_every_option_that_help_names_is_there(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        commands._execute([command, "--help"])
    said = capsys.readouterr()
    section = PAGE.split(f"## `rig {command}`\n")[1].split("\n## ")[0]
    named = {word.strip(",[]()") for word in (said.out + said.err).split() if word.strip("[(").startswith("--")}
    options = {word.split("=")[0] for word in named} - {"--help", "--json"}
    assert all(option in section for option in options), options
