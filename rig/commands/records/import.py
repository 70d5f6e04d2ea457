"""`rig import FILE --out RUN`: a recording of another system as a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from rig.command_line.names import file_path
from rig.command_line.result import Result
from rig.console.counted import counted
from rig.exchange import mapping
from rig.exchange.imported import import_file


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig import`."""
    parser.add_argument("file", metavar="FILE", type=file_path, help="CSV, MAT, UFF 58, TDMS, MDF, Parquet, RPC III, WAV or XLSX")
    parser.add_argument("--out", metavar="RUN", type=Path, required=True, help="folder to make; run.h5 in it is the record")
    parser.add_argument("--map", metavar="FILE.toml", type=file_path, help="which column is which channel, units, time, zone")


def execute(args: argparse.Namespace) -> Result:
    """Import; the record is there whole, or not at all. Raises ConfigError."""
    given = mapping.read(args.map) if args.map else mapping.Mapping_()
    done = import_file(args.file, args.out, given)
    data = {
        "files": [{"path": done.record, "bytes": done.record.stat().st_size, "format": "h5"}], "record": done.record,
        "channels": [
            {"name": f"{one.stream}/{one.name}", "unit": one.unit, "from": one.source, "scale": one.scale} for one in done.channels
        ],
        "rate_hz": done.rate, "samples": done.samples, "start_time": done.start.isoformat(),
        "format": done.format, "found": list(done.said),
    }  # fmt: skip
    lines = [f"{args.file}: {done.format}, {counted(done.samples, 'sample')} at {done.rate:.10g} Hz, from {done.start.isoformat()} on"]
    lines += [f"  {one.stream + '/' + one.name:40} {one.unit:8} from {one.source!r}" for one in done.channels]
    return Result(data=data, text="\n".join([*lines, *(f"  {said}" for said in done.said), f"record: {done.record}"]))
