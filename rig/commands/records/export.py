"""`rig export RUN --to FORMAT`: a record as a file of another program."""

from __future__ import annotations

import argparse
from pathlib import Path

from rig.command_line.names import file_path
from rig.command_line.result import Result
from rig.console.counted import counted
from rig.exchange.export import export, place
from rig.exchange.outgoing import Wanted
from rig.formats.writing import FORMATS
from rig.recorder import embedded
from rig.recorder.examination import need_readable
from rig.recorder.folders import find_record
from rig.recorder.reading import read_run
from rig.supervision.unfinished import readable


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig export`."""
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a run, or its run.h5, or a part of it")
    parser.add_argument("--to", metavar="FORMAT", required=True, choices=FORMATS, help=f"format: {', '.join(FORMATS)}")
    text = "channels, with commas between: stroke (of every stream), measured/stroke, or a whole stream (default: all)"
    parser.add_argument("--channels", metavar="A,B", type=_names, default=(), help=text)
    parser.add_argument("--from", metavar="S", type=float, dest="begin", help="first moment, s of the record")
    parser.add_argument("--until", metavar="S", type=float, help="last moment, s of the record")
    parser.add_argument("--rate", metavar="HZ", type=float, help="another rate, behind an anti-alias filter (default: the record's)")
    parser.add_argument("--out", metavar="FILE", type=file_path, help="file to write (default: named after the run, in its folder)")


def execute(args: argparse.Namespace) -> Result:
    """Write the file; it is there whole, or not at all. Raises ConfigError."""
    path = place(args.out, args.run, args.to)
    with readable(args.run) as there:
        need_readable(find_record(there.run))
        run = read_run(there.run)
        done = export(run, args.to, Wanted(args.channels, args.begin, args.until, args.rate), path)
        said = [*([there.said] if there.said else []), *done.said, *embedded.doubts(run)]
    made = done.table
    data = {
        "files": [
            {"path": file, "bytes": file.stat().st_size, "format": "json" if n else args.to} for n, file in enumerate(done.files)
        ],
        "record": run.path, "record_sha256": made.about["record_sha256"], "rate_hz": made.rate, "samples": made.samples,
        "start_time": made.start.isoformat(), "begin_s": made.begin, "filter": made.about.get("filter"), "gaps": made.about["gaps"],
        "channels": [{"name": column.label, "unit": column.unit} for column in made.columns],
    }  # fmt: skip
    text = f"{counted(made.samples, 'sample')} of {counted(len(made.columns), 'channel')} at {made.rate:.10g} Hz, {args.to}"
    filtered = [f"filter: {made.about['filter']}"] if "filter" in made.about else []
    return Result(data=data, text="\n".join([text, *filtered, *map(str, done.files)]), warnings=said)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names:
        raise argparse.ArgumentTypeError("expected names of channels with commas between")
    return names
