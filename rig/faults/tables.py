"""Tables of a fault campaign: for a person at its end, and for docs/faults.md (`python -m rig.faults.manual`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rig.console.counted import counted

Row = Mapping[str, Any]
Values = Mapping[tuple[str, str, str], Mapping[str, float]]
"""Of a row (rig, fault, target): term of a bound -> s."""


def text(data: Mapping[str, Any]) -> str:
    """For a terminal: rows by rig, expected, got and latency, then what is not as declared."""
    lines = []
    for rig in data["rigs"]:
        times = f"{'latency':>9} {'blocks':>7} {'bound':>9} {'blocks':>7}"
        lines += ["", rig, f"  {'fault':26} {'target':20} {'expected':10} {'got':14} {'found by':20} {times}  n"]
        lines += [_line(row) for row in data["rows"] if row["rig"] == rig]
    wrong = [f"{_name(row)}: {said}" for row in data["rows"] for said in row["wrong"]]
    clean, totals = data["clean"], data["totals"]
    share = "-" if totals["safe_share"] is None else f"{100.0 * totals['safe_share']:.4g} %"
    lines += [
        "",
        f"{data['injections']} injections, {data['fault_kinds']} kinds, {len(data['rigs'])} rigs, pace {data['pace']}: "
        f"{totals['as_declared']} as declared, {share} safe, {totals['lost_undeclared']} samples lost without a word",
        f"without a fault: {without_fault(clean)}",
    ]
    return "\n".join([*lines, *(["", "not as declared:", *wrong] if wrong else [])]).strip("\n")


def without_fault(clean: Mapping[str, Any]) -> str:
    """How long tests without a fault ran, and in how many of them something was found."""
    tests, trips = counted(clean["tests"], "test"), counted(clean["false_trips"], "false trip")
    return f"{clean['simulated_s']:.3g} s in {tests}, {trips}"


def _name(row: Row) -> str:
    return ", ".join(part for part in (row["fault"], row["rig"], row["target"]) if part)


def _line(row: Row) -> str:
    mark = " " if row["as_declared"] == row["n"] else "*"
    return (
        f"{mark} {row['fault']:26} {row['target']:20} {row['expected']:10} {_counted(row['got']):14} "
        f"{_counted(row['detected_by']):20} {_time(row, row['latency_samples']['max'])} {_time(row, row['bound_samples'])}  {row['n']}"
    )


def _time(row: Row, samples: float | None) -> str:
    """In ms and in blocks, as far as it is known."""
    rate, block = row.get("rate_hz"), row.get("block_samples")
    shown = "-" if samples is None else _ms(samples / rate) if rate else f"{samples:.0f} samples"
    return f"{shown:>9} {'-' if samples is None or not block else f'{samples / block:.2f}':>7}"


def _counted(found: Mapping[str, int]) -> str:
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(f"{name} {count}" for name, count in found.items())


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def markdown(rows: Sequence[Row], without: Iterable[Mapping[str, str]], values: Values | None = None) -> str:
    """The tables of docs/faults.md: what is found, what is not, what does not apply. values: of the terms of each row's bound."""
    head = ["| fault | rig | target | expected | found by | bound | seen | samples | tests |", "|---|---|---|---|---|---|---|---|---|"]
    found = [_found(row, (values or {}).get((row["rig"], row["fault"], row["target"]))) for row in rows if row["expected"] != "none"]
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


def _found(row: Row, values: Mapping[str, float] | None) -> str:
    expected = row["expected"] if row["action"] in ("none", row["expected"]) else f"{row['expected']}, {row['action']}"
    largest, most, rate = row["latency_samples"]["max"], row["bound_samples"], row["rate_hz"]
    bound = " + ".join(_merged(row["bound"], values))
    if most is not None and rate:
        bound += f" = {_ms(most / rate)}" if len(row["bound"]) > 1 or not values else ""
    bound += "" if row["counts_from"] == "fault" else " (from the limit)"
    seen = _ms(largest / rate) if largest is not None and rate else "-"
    samples = "-" if largest is None else f"{largest:.0f} of {_number(most)}"
    by = ", ".join(row["detected_by"]) or "-"
    return f"| {row['fault']} | {row['rig']} | {_code(row['target'])} | {expected} | {by} | {bound} | {seen} | {samples} | {row['n']} |"


def _ms(seconds: float) -> str:
    """Three digits, as 63.8 ms."""
    return f"{float(f'{1e3 * seconds:.3g}'):g} ms"


def _code(target: str) -> str:
    return f"`{target}`" if target else ""


def _merged(terms: Sequence[str], values: Mapping[str, float] | None) -> list[str]:
    """Each term once, with how often and what it all amounts to. One that this rig has not takes no time."""
    counts = {term: terms.count(term) for term in dict.fromkeys(terms)}
    named = {term: term if count == 1 else f"{count} {term}" for term, count in counts.items()}
    return [name if values is None else f"{name} {_ms(counts[term] * values.get(term, 0.0))}" for term, name in named.items()]
