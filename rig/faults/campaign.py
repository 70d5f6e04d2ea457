"""The fault campaign: every row of the table of faults, again and again until so many have been injected, and the result as one object."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from rig.faults.cases import injected
from rig.faults.injecting import Course, clean
from rig.faults.table import Row, Table
from rig.host import clock
from rig.signals.summary_statistics import statistics

CLEAN = "none"
"""In place of a fault: a test without one."""
Tell = Callable[[str], None]


class Findings:
    """What has been found, by case; with a file a line of JSON each, so that an interrupted campaign goes on where it was."""

    def __init__(self, path: Path | None = None) -> None:
        """Raises OSError."""
        self._path = path
        self._rows: dict[str, dict[str, Any]] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.endswith("}"):  # a line that was cut off is none
                    row = json.loads(line)
                    self._rows[row["case"]] = row["found"]

    def once(self, case: str, find: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What is known of a case, or is found out now."""
        if case not in self._rows:
            self._rows[case] = find()
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"case": case, "found": self._rows[case]}) + "\n")
        return self._rows[case]


def cases(rows: Sequence[Row], injections: int, first_seed: int) -> Iterator[tuple[Row, int]]:
    """(row, seed), each row once with a seed before any gets another one, until there are so many; 0: each once."""
    left = injections or len(rows)
    for seed in count(first_seed):
        for row in rows:
            if left <= 0:
                return
            left -= 1
            yield row, seed


def key(row: Row | None, rig: str, pace: str, seed: int) -> str:
    """Of a case: `faults/lockstep/linkage/sensor frozen/stroke_monitor/1`."""
    kind, target = (CLEAN, "") if row is None else (row.fault, row.target)
    return f"faults/{pace}/{rig}/{kind}/{target}/{seed}"


def run(
    table: Table, rows: Sequence[Row], course: Course, injections: int, clean_seeds: Sequence[int], seed: int, kept: Findings, tell: Tell
) -> dict[str, Any]:
    """JSON object of `rig campaign faults --json`. kept: what is known already; tell: progress."""
    begun = clock.now()
    todo = list(cases(rows, injections, seed))
    found: dict[Row, list[dict[str, Any]]] = {row: [] for row in rows}
    for n, (row, one) in enumerate(todo, 1):
        tell(f"{n} of {len(todo)}: {row.name}, seed {one}")
        case = key(row, row.rig, course.pace, one)
        found[row].append(kept.once(case, lambda row=row, one=one: injected(course, row, table.rigs[row.rig], one)))  # type: ignore[misc]
    rigs = list(dict.fromkeys(row.rig for row in rows))
    controls = []
    for rig in rigs:
        for one in clean_seeds:
            tell(f"without a fault: {rig}, seed {one}")
            case = key(None, rig, course.pace, one)
            controls.append(kept.once(case, lambda rig=rig, one=one: clean(course, table.rigs[rig], one)))  # type: ignore[misc]
    kinds = {row.fault for row in rows}
    without = [
        {"fault": kind, "rig": rig, "why": why} for (kind, rig), why in table.not_applicable.items() if rig in rigs and kind in kinds
    ]
    return summary(found, controls, without, course.pace, seed, clock.now() - begun)


def summary(
    found: Mapping[Row, Sequence[Mapping[str, Any]]], controls: Sequence[Mapping[str, Any]], without: Sequence[Mapping[str, str]],
    pace: str, seed: int, wall: float,
) -> dict[str, Any]:  # fmt: skip
    """The object, from what each injection has given."""
    rows = [_row(row, results) for row, results in found.items() if results]
    everything = [one for results in found.values() for one in results]
    return {
        "pace": pace,
        "seed": seed,
        "injections": len(everything),
        "fault_kinds": len({row["fault"] for row in rows}),
        "rigs": list(dict.fromkeys(row["rig"] for row in rows)),
        "wall_s": round(wall, 1),
        "rows": rows,
        "not_applicable": list(without),
        "clean": {
            "simulated_s": sum(one["simulated_s"] for one in controls), "false_trips": sum(one["false_trips"] for one in controls),
            "tests": len(controls), "said": [said for one in controls for said in one["said"]],
        },
        "totals": {
            "safe_share": sum(bool(one["safe"]) for one in everything) / len(everything) if everything else None,
            "lost_undeclared": sum(int(one.get("lost_undeclared") or 0) for one in everything),
            "latency_samples": statistics([one["latency"] for one in everything if one.get("latency") is not None]),
            "as_declared": sum(not one["wrong"] for one in everything),
        },
    }  # fmt: skip


def _row(row: Row, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    latencies = [one["latency"] for one in results if one.get("latency") is not None]
    bounds = [one["bound"] for one in results if one.get("bound") is not None]
    return {
        "fault": row.fault, "rig": row.rig, "target": row.target, "expected": row.expected, "action": row.action,
        "found_by": list(row.found_by), "bound": list(row.bound), "counts_from": row.counts_from, "why": row.why,
        "n": len(results), "safe": sum(bool(one["safe"]) for one in results),
        "as_declared": sum(not one["wrong"] for one in results),
        "got": dict(Counter(str(one.get("got")) for one in results)),
        "detected_by": dict(Counter(str(one["detected_by"]) for one in results if one.get("detected_by"))),
        "rate_hz": next((one["rate"] for one in results if one.get("rate")), None),
        "block_samples": next((one["block_samples"] for one in results if one.get("block_samples")), None),
        "latency_samples": statistics(latencies), "latency_from_fault_samples": statistics(
            [one["latency_from_fault"] for one in results if one.get("latency_from_fault") is not None]),
        "bound_samples": max(bounds, default=None),
        "lost_declared": sum(int(one.get("lost_declared") or 0) for one in results),
        "lost_undeclared": sum(int(one.get("lost_undeclared") or 0) for one in results),
        "wrong": list(dict.fromkeys(str(one["wrong"]) for one in results if one["wrong"]))[:5],
    }  # fmt: skip
