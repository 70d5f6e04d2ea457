"""Tables of a fault campaign: for a person at its end, and for docs/faults.md (`python -m rig.faults.manual`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def text(data: Mapping[str, Any]) -> str:
    """For a terminal: rows by rig, expected, got and latency, then what is not as declared."""
    lines = []
    for rig in data["rigs"]:
        lines += ["", rig, f"  {'fault':26} {'target':20} {'expected':10} {'got':14} {'found by':20} {'latency':>9} {'bound':>7}  n"]
        lines += [_line(row) for row in data["rows"] if row["rig"] == rig]
    wrong = [f"{_name(row)}: {said}" for row in data["rows"] for said in row["wrong"]]
    clean, totals = data["clean"], data["totals"]
    share = "-" if totals["safe_share"] is None else f"{100.0 * totals['safe_share']:.4g} %"
    lines += [
        "",
        f"{data['injections']} injections, {data['fault_kinds']} kinds, {len(data['rigs'])} rigs, pace {data['pace']}: "
        f"{totals['as_declared']} as declared, {share} safe, {totals['lost_undeclared']} samples lost without a word",
        f"without a fault: {clean['simulated_s']:.1f} s in {clean['tests']} tests, {clean['false_trips']} false trips",
    ]
    return "\n".join([*lines, *(["", "not as declared:", *wrong] if wrong else [])]).strip("\n")


def _name(row: Row) -> str:
    return ", ".join(part for part in (row["fault"], row["rig"], row["target"]) if part)


def _line(row: Row) -> str:
    mark = " " if row["as_declared"] == row["n"] else "*"
    return (
        f"{mark} {row['fault']:26} {row['target']:20} {row['expected']:10} {_counted(row['got']):14} "
        f"{_counted(row['detected_by']):20} {_number(row['latency_samples']['max']):>9} {_number(row['bound_samples']):>7}  {row['n']}"
    )


def _counted(found: Mapping[str, int]) -> str:
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(f"{name} {count}" for name, count in found.items())


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def markdown(rows: Sequence[Row], without: Iterable[Mapping[str, str]]) -> str:
    """The tables of docs/faults.md: what is found, what is not, what does not apply."""
    head = ["| fault | rig | target | expected | found by | bound | seen | tests |", "|---|---|---|---|---|---|---|---|"]
    found = [_found(row) for row in rows if row["expected"] != "none"]
    nobody = [
        f"| {row['fault']} | {row['rig']} | {_code(row['target'])} | {row['why']} | {row['n']} |"
        for row in rows
        if row["expected"] == "none"
    ]
    parts = [
        "### Found",
        "",
        *head,
        *found,
        "",
        "### Found by nobody",
        "",
        "| fault | rig | target | why | tests |",
        "|---|---|---|---|---|",
        *nobody,
    ]
    reasons: dict[tuple[str, str], list[str]] = {}
    for one in without:
        reasons.setdefault((one["fault"], one["why"]), []).append(one["rig"])
    rest = [f"| {fault} | {', '.join(rigs)} | {why} |" for (fault, why), rigs in reasons.items()]
    return "\n".join([*parts, "", "### Not applicable", "", "| fault | rig | why |", "|---|---|---|", *rest])


def _found(row: Row) -> str:
    expected = row["expected"] if row["action"] in ("none", row["expected"]) else f"{row['expected']}, {row['action']}"
    bound = " + ".join(_merged(row["bound"])) + ("" if row["counts_from"] == "fault" else " (from the limit)")
    latency = row["latency_samples"]
    seen = "-" if latency["max"] is None else f"{latency['max']:.0f} of {_number(row['bound_samples'])}"
    by = ", ".join(row["detected_by"]) or "-"
    return f"| {row['fault']} | {row['rig']} | {_code(row['target'])} | {expected} | {by} | {bound} | {seen} | {row['n']} |"


def _code(target: str) -> str:
    return f"`{target}`" if target else ""


def _merged(terms: Sequence[str]) -> list[str]:
    counts = {term: terms.count(term) for term in dict.fromkeys(terms)}
    return [term if count == 1 else f"{count} {term}" for term, count in counts.items()]
