"""`rig rths FILE`: real-time hybrid tests of the published benchmark, computed: cases, compensators, plants, and the criteria of each."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rig.command_line.names import file_path
from rig.command_line.result import Result, plain
from rig.commands import add_overrides
from rig.config.source import Source
from rig.config.tree import Problem, apply, parse_override, read
from rig.console.progress import told_on_stderr
from rig.files import output_files

if TYPE_CHECKING:  # loading it takes a second
    from rig.hybrid.realtime.experiment import Experiment

SUFFIXES = (".png", ".pdf", ".svg")


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig rths`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="file of a real-time hybrid test (.toml)")
    add_overrides(parser, "override a key, as cases=[4] or monitor.limit=0.9")
    parser.add_argument("--out", metavar="FILE", type=file_path, help="every test as a line of JSON (.jsonl)")
    parser.add_argument("--plot", metavar="FILE", type=file_path, help="draw the first floor of every case and compensator, nominal plant")


def execute(args: argparse.Namespace) -> Result:
    """Run all of them; a table. Raises ConfigError with every problem of the file."""
    experiment = load(args.file, args.overrides)
    for flag, path, suffixes in (("--out", args.out, (".jsonl",)), ("--plot", args.plot, SUFFIXES)):
        if path is not None:
            output_files.checked(flag, path, suffixes)
    from rig.hybrid.realtime.testing import Bench, judged
    from rig.report.hybrid import table

    bench, rows = Bench(experiment), []
    with told_on_stderr("rths") as tell:
        for row in bench.tests():
            rows.append(row)
            tell(f"case {row.case}, {row.compensator}, plant {row.plant} of {experiment.perturbed}")
    verdicts = judged(rows) if not experiment.stop else []
    files = {}
    if args.out is not None:
        with output_files.whole("--out", args.out) as new:
            new.write_text("".join(json.dumps(plain(row.to_json())) + "\n" for row in rows), encoding="utf-8")
        files["rows"] = str(args.out)
    if args.plot is not None:
        from rig.report.hybrid.picture import draw  # matplotlib takes a second

        with output_files.whole("--plot", args.plot) as new:
            draw(new, bench)
        files["plot"] = str(args.plot)
    data = {"title": experiment.title, "rows": [row.to_json() for row in rows], "judged": [asdict(one) for one in verdicts], "files": files}
    return Result(data=data, text=table.text(experiment, rows, verdicts))


def load(path: Path, overrides: Sequence[str] = ()) -> Experiment:
    """Raises ConfigError with every problem."""
    from rig.hybrid.realtime.experiment import Experiment

    tree, text = read(path, "real-time hybrid test")
    source = Source(path, tree, text, [parse_override(one) for one in overrides])
    source.put, source.misplaced, _ = apply(Experiment, tree, source.overrides)
    return source.built(Experiment, lambda made: [Problem(tuple(key.split(".")), text) for key, text in made.faults()])
