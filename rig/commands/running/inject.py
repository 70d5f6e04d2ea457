"""`rig inject RUN FAULT`: a fault of the table on the virtual bench of a running test, to see what is done about it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from rig.command_line.operating import add_arguments, line, status_of
from rig.command_line.result import Result
from rig.config.plan import Plan
from rig.config.transport import to_json
from rig.errors import ConfigError
from rig.faults.table import Row, read
from rig.supervision.injecting import REAL
from rig.supervision.operation_client import ask


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig inject`."""
    add_arguments(parser, waits=False)
    parser.add_argument("fault", metavar="FAULT", nargs="?", help='kind of fault, as "sensor frozen"; docs/faults.md has them all')
    parser.add_argument("--target", metavar="NAME", default="", help="where, if the table has it at several places (default: the first)")
    parser.add_argument("--list", action="store_true", help="only say what there is for this run's rig")


def execute(args: argparse.Namespace) -> Result:
    """Ask for it. Refused on real hardware, and where no test runs."""
    rows, names = _rows(args.run)
    if args.list or args.fault is None:
        listed = [_entry(row) for row in rows]
        return Result("done", 0, {"run": args.run.name, "faults": listed}, "\n".join(_words(row) for row in rows))
    row = _chosen(rows, args.fault, args.target)
    injections = [to_json(one) for one in row.injections(names, 0.0)]
    ask(
        args.run,
        "inject",
        operator=args.operator,
        reason=args.reason,
        fault=", ".join(filter(None, (row.fault, row.target))),
        injections=injections,
    )
    status = status_of(args.run)
    return Result("done", 0, {**status, "injected": _entry(row)}, f"{line(status)}; injected: {row.name}; expected: {row.expected}")


def _rows(run: Path) -> tuple[list[Row], dict[str, str]]:
    """Rows of the table that can be injected into that run, and the names of its rig."""
    folder = run if run.is_dir() else run.parent
    if not (folder / "plan.json").exists():
        raise ConfigError(f"{run}: no such run; expected the folder of a run")
    plan = Plan.read(folder)
    if plan.bench.plant is None:
        raise ConfigError(f"{folder.name}: inject refused: {REAL}")
    table = read()
    rig = table.of_plant(type(plan.bench.plant).__module__.rpartition(".")[2])
    return [row for row in table.rows if row.rig == rig and row.inject], dict(table.rigs[rig].names)


def _chosen(rows: list[Row], fault: str, target: str) -> Row:
    found = [row for row in rows if row.fault == fault and target in ("", row.target)]
    if not found:
        known = ", ".join(dict.fromkeys(row.fault for row in rows))
        raise ConfigError(f"{fault}{' at ' + target if target else ''}: expected one of {known} (rig inject RUN --list)")
    return found[0]


def _entry(row: Row) -> dict[str, object]:
    found: Iterator[str] = iter(row.found_by)
    return {"fault": row.fault, "target": row.target, "expected": row.expected, "action": row.action, "found_by": [*found], "why": row.why}


def _words(row: Row) -> str:
    return f"{row.fault:26} {row.target:20} {row.expected:6} {', '.join(row.found_by) or row.why}"
