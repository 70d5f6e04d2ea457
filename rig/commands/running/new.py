"""`rig new FOLDER`: an experiment, its bench and a README in a folder of the user's own, to begin with."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from rig.command_line.result import Result
from rig.errors import ConfigError
from rig.examples import tree
from rig.examples.laying_out import lay_out
from rig.examples.readme import README

FIRST = "linkage"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig new`."""
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="folder to write; made if it is not there")
    parser.add_argument("--from", metavar="EXAMPLE", dest="example", default=FIRST, help=f"which example (default: {FIRST})")
    parser.add_argument("--list", action="store_true", help="name the examples, and write nothing")


def execute(args: argparse.Namespace) -> Result:
    """Lay the example out. Raises ConfigError; nothing that is there is written over."""
    if args.list:
        return _listed()
    if args.folder is None:
        raise ConfigError("rig new: expected FOLDER, where the example goes; rig new --list names the examples")
    written = lay_out(args.example, args.folder)
    rig = tree.on_rig(args.example)
    first = f"rig run experiments/{rig}.toml" if rig else f"rig simulate experiments/{args.example}.toml --out model.csv"
    lines = [*(str(args.folder / file) for file in written), f"{README} there says what is what; to begin: cd {args.folder}; {first}"]
    return Result(
        data={"folder": str(args.folder), "example": args.example, "files": [file.as_posix() for file in written]}, text="\n".join(lines)
    )


def _listed() -> Result:
    examples = [
        {"name": name, "title": str(tree.read(tree.experiment(name)).get("title", "")), "on_rig": tree.on_rig(name)}
        for name in tree.names()
    ]
    width = max(len(str(one["name"])) for one in examples)
    lines = [f"{one['name']!s:{width}}  {one['title']}{_remark(one)}" for one in examples]
    return Result(data={"examples": examples}, text="\n".join(lines))


def _remark(one: Mapping[str, str | None]) -> str:
    if one["on_rig"] is None:
        return " (model alone)"
    return "" if one["on_rig"] == one["name"] else f" (model alone, and {one['on_rig']}, which runs it)"
