"""`rig benchmark [CASE...]`: real-time factors and errors of this program, beside other programs where they are installed."""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rig.command_line.result import Result
from rig.errors import ConfigError
from rig.files import output_files

if TYPE_CHECKING:  # what measures takes a second to load
    from rig.benchmark.result_row import Machine, RatioRow, Row

REPEATS = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig benchmark`."""
    add = parser.add_argument
    add("cases", metavar="CASE", nargs="*", help="which; default all (an unknown name lists them)")
    add("--repeats", metavar="N", type=int, default=REPEATS, help="runs of each setting; the least counts; default %(default)s")
    add("--quick", action="store_true", help="two runs of each, shorter, and fewer settings of the others")
    add("--cold", action="store_true", help="compile everything anew, into a folder that is thrown away: compile_s is then that")
    add("--out", metavar="DIR", type=Path, default=Path("runs/benchmark"), help="folder of the picture; default %(default)s")


def execute(args: argparse.Namespace) -> Result:
    """Measure. Raises ConfigError for an unknown case, ModelError for what cannot be run."""
    if args.repeats < 1:
        raise ConfigError(f"benchmark: --repeats: expected at least 1, got {args.repeats}")
    if not args.cold:
        return _measured(args)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        return _measured(args)


def _measured(args: argparse.Namespace) -> Result:
    from rig.benchmark.machine import described

    machine = described()
    from rig.benchmark import benchmarking, plot
    from rig.benchmark.cases import CASES

    known = {case.name: case for case in CASES}
    if unknown := [name for name in args.cases if name not in known]:
        raise ConfigError(f"benchmark: expected {', '.join(known)}; got {', '.join(unknown)}")
    output_files.folder("--out", args.out)
    rows: list[Row] = []
    ratios: list[RatioRow] = []
    warnings: list[str] = []
    for case in [case for case in CASES if case.name in args.cases or not args.cases]:
        print(f"benchmark: {case.name} ...", file=sys.stderr)
        found, remarks = benchmarking.measure(case, args.repeats, args.quick)
        rows, ratios, warnings = rows + found, ratios + benchmarking.ratios(case, found), warnings + remarks
    file = args.out / "benchmark.png"
    plot.draw(file, rows, ratios)
    data = {"machine": machine, "cases": rows, "ratios": ratios, "files": {"picture": str(file)}}
    return Result(data=data, text=_text(machine, rows, ratios, file), warnings=warnings)


def _text(machine: Machine, rows: Sequence[Row], ratios: Sequence[RatioRow], file: Path) -> str:
    load, calibration = machine["load_before"], f"calibration {machine['calibration_s'] * 1e3:.1f} ms"
    before = f"load {load:.2f} before, " if load is not None else ""
    head = (
        f"{'case':28} {'program':14} {'settings':46} {'RTF':>9} {'error':>10} {'':6} {'rhs ns':>7} {'frame, CPU ms: median 99 % max':>32}"
    )
    lines = [f"{machine['cpu']}, {machine['cores']} cores, {before}{calibration}", head]
    told = None
    for row in rows:
        if row["compile_s"] is not None and row["case"] != told:
            lines += ["", f"{row['case']}: {row['simulated_s']:g} s simulated, loaded or compiled in {row['compile_s']:.2f} s"]
            told = row["case"]
        lines.append(_line(row))
    lines += ["", *(_ratio(one) for one in ratios), f"picture in {file}"]
    return "\n".join(lines)


def _line(row: Row) -> str:
    settings = ", ".join(_setting(key, value) for key, value in row["settings"].items())
    frame = row["frame_cpu_s"]
    frames = " ".join(f"{(s or 0.0) * 1e3:.3f}" for s in (frame["median"], frame["p99"], frame["max"])) if frame else ""
    error, rhs = row["error"], row["rhs_ns"]
    reached = "-" if error is None else f"{error:.2e}" if math.isfinite(error) else "gave up"
    evaluation = "-" if rhs is None else f"{rhs:.0f}"
    took = f"{row['rtf']:9.4f} {reached:>10} {row['error_unit'] or '':6} {evaluation:>7} {frames:>32}"
    return f"{row['case']:28} {row['program']:14} {settings[:46]:46} {took}"


def _setting(key: str, value: object) -> str:
    if isinstance(value, bool):
        return key if value else f"no {key}"
    return f"{key.rpartition('.')[2]} {value:g}" if isinstance(value, float) else f"{value}"


def _ratio(one: RatioRow) -> str:
    remark = f" ({one['remark']})" if one["remark"] else ""
    where = f"{one['at_error']:.1e} {one['error_unit']}"
    by = f"by processor time, {one['speedup_wall']:.1f} by the clock"
    return f"{one['case']}: {one['speedup']:.1f} times as fast as {one['peer']} at {where} {by}{remark}"
