"""The tables of docs/faults.md, from what a campaign has found.

`python -m rig.faults.manual campaign/results/faults.json` writes them to standard output. The file is one of `campaign/results/`, or the
lines of `rig campaign faults --results`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rig.config import load
from rig.examples import tree
from rig.faults import table
from rig.faults.bounds import terms
from rig.faults.campaign import CLEAN, summary
from rig.faults.tables import Values, markdown, without_fault

PACES = ("lockstep", "real")


def found(path: Path) -> list[Mapping[str, Any]]:
    """Cases of a file, each with `case` and `found`. Raises OSError, ValueError."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.endswith("}")]
    return list(json.loads(text)["cases"])


def collected(cases: Iterable[Mapping[str, Any]], pace: str) -> dict[str, Any]:
    """The object of `rig campaign faults` from cases of that pace; what the table has no row for any more is left out."""
    whole = table.read()
    rows = {(row.rig, row.fault, row.target): row for row in whole.rows}
    results: dict[table.Row, list[Mapping[str, Any]]] = {row: [] for row in whole.rows}
    controls = []
    for case in cases:
        _, at, rig, kind, target, _ = case["case"].split("/")
        if at != pace:
            continue
        if kind == CLEAN:
            controls.append(case["found"])
        elif (rig, kind, target) in rows:
            results[rows[rig, kind, target]].append(case["found"])
    without = [{"fault": kind, "rig": rig, "why": why} for (kind, rig), why in whole.not_applicable.items()]
    return summary(results, controls, without, pace, 1, 0.0)


def text(data: Mapping[str, Any], values: Values | None = None) -> str:
    """What stands above the tables, and the tables."""
    clean, totals = data["clean"], data["totals"]
    head = (
        f"{data['injections']} injections of {data['fault_kinds']} kinds on {len(data['rigs'])} rigs in {data['pace']}: "
        f"{totals['as_declared']} as declared, {totals['lost_undeclared']} samples lost without a word. Without a fault: "
        f"{without_fault(clean)}."
    )
    return f"{head}\n\n{markdown(data['rows'], data['not_applicable'], values)}"


def values_of(rows: Mapping[str, table.Rig], chosen: Iterable[table.Row]) -> Values:
    """What the terms of each row's bound amount to on its rig, with the settings of the row; s. Raises ConfigError."""
    known = cache(lambda rig, sets: terms(load(tree.experiment(rows[rig].experiment), list(sets))))
    return {(row.rig, row.fault, row.target): known(row.rig, (*rows[row.rig].sets, *row.sets)) for row in chosen if row.bound}


def main() -> None:
    """Print the tables of a result file."""
    parser = argparse.ArgumentParser(prog="python -m rig.faults.manual")
    parser.add_argument("file", type=Path, help="campaign/results/faults.json, or what --results has")
    parser.add_argument("--pace", choices=PACES, default=PACES[0])
    args = parser.parse_args()
    whole = table.read()
    print(text(collected(found(args.file), args.pace), values_of(whole.rigs, whole.rows)))


if __name__ == "__main__":
    main()
