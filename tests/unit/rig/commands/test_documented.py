"""Every command in README and docs is one that the program takes, and the keys and files that it names are there."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

import pytest

from rig import commands, config
from rig.command_line.table import module as module_of
from tests.documented_commands import ROOT, Documented, in_blocks, within_text
from tests.each_row import each_row


def parsed(documented: Documented, monkeypatch: pytest.MonkeyPatch) -> argparse.Namespace:
    module = importlib.import_module(module_of(documented.words[0]))
    taken: list[argparse.Namespace] = []
    monkeypatch.setattr(module, "execute", taken.append)
    commands._execute(list(documented.words))
    return taken[0]


def test_there_are_some() -> None:
    assert len(in_blocks()) > 30 and len(within_text()) > 25


@each_row("documented", [*in_blocks(), *within_text()], ids=str)
def test_the_program_takes_it(documented: Documented, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    args = vars(parsed(documented, monkeypatch))
    file = next((Path(word) for word in documented.words[1:] if word.startswith("configs/")), None)
    if file is None:
        return
    assert file.is_file(), f"{file} is named, and not there"
    overrides = list(args.get("overrides") or ())
    if file.parts[1] == "experiments":
        config.load_experiment(file, overrides, args.get("bench"))
    elif file.parts[1] == "benches":
        config.load_bench(file, overrides)
