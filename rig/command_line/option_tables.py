"""The page of every command's options, made from its parser: `python -m rig.command_line.option_tables`."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator

from rig.command_line.table import COMMANDS, module

HEAD = """# Options of the commands

Made from the program by `python -m rig.command_line.option_tables > docs/command_options.md`; a test holds it to that. What the
commands are for: [commands](commands.md). All take `--json`: one JSON object on standard output.
"""


def page() -> str:
    """The page as Markdown."""
    return "\n".join([HEAD, *(line for command, text in COMMANDS.items() for line in _command(command, text))]).rstrip("\n") + "\n"


def _command(command: str, text: str) -> Iterator[str]:
    parser = argparse.ArgumentParser(prog=f"rig {command}", add_help=False)
    importlib.import_module(module(command)).configure(parser)
    yield f"## `rig {command}`\n\n{text[0].upper()}{text[1:]}.\n"
    rows = [row for group in parser._action_groups for row in map(_row, group._group_actions)]
    if rows:
        yield from ("| argument | what |", "|---|---|", *rows, "")


def _row(action: argparse.Action) -> str:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    takes = "" if action.nargs == 0 else f" {name}"
    name = name.replace("|", "\\|")
    written = f"`{', '.join(action.option_strings)}{takes}`" if action.option_strings else f"`{name}`"
    if not action.option_strings and action.nargs in ("?", "*"):
        written += ", may be left out"
    said = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%").replace("|", "\\|")
    return f"| {written} | {said} |"


if __name__ == "__main__":
    sys.stdout.write(page())
