"""Cycle by cycle: peaks measured and predicted, levels in the band, and what many cycles came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drivers.files.plain_values import Json
from rig.report.document.agreement_tables import figure_of
from rig.report.document.content import Row, Section, Table
from rig.report.document.criteria import lines_of
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.signals.engineering_units import fitting, number

LISTED = 40
"""Rows of a table; of more cycles the first, the last and the worst, and those between them at equal steps. The record has all."""
Cycle = Mapping[str, Json]


def judged_channels(run: ReportedRun) -> list[str]:
    """Those that a criterion is about, and the one that is shown first."""
    agreement = run.part("agreement")
    names = dict.fromkeys([*(str(line.get("channel")) for line in lines_of(run)), run.signals.feedback])
    return [name for name in names if isinstance(agreement.get(name), Mapping)]


def cycles_of(run: ReportedRun, channel: str, key: str = "cycles") -> list[Cycle]:
    """What the comparison lists of the cycles of a channel."""
    told = run.part("agreement").get(channel)
    found = told.get(key) if isinstance(told, Mapping) else None
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def cycle_tables(run: ReportedRun, words: Words) -> Section:
    """A table for each channel that is judged."""
    tables = []
    for channel in judged_channels(run):
        for key, names in (("cycles", ("peak_measured", "peak_predicted")), ("band_cycles", ("measured", "predicted"))):
            if rows := cycles_of(run, channel, key):
                tables.append(_table(run, channel, key, names, rows, words))
    return Section("cycles", words.titled("section.cycles"), tables=tables, empty=words["cycles.none"])


def _table(run: ReportedRun, channel: str, key: str, names: Sequence[str], rows: Sequence[Cycle], words: Words) -> Table:
    told = run.part("agreement")[channel]
    unit = str(told.get("unit", "")) if isinstance(told, Mapping) else ""
    largest = max((abs(value) for row in rows if (value := figure_of(row, names[0])) is not None), default=None)
    shown, factor = fitting(unit, largest)
    listed = chosen(rows)
    cells = [[str(row.get("cycle")), *(number(figure_of(row, name), factor, 5) for name in names), _error(row, names)] for row in listed]
    heads = ["cycle", "measured", "predicted", "error"]
    note = words["cycles.left_out"].format(listed=len(listed), all=len(rows)) if len(listed) < len(rows) else ""
    titled = [words.titled(f"cycles.{head}") for head in heads]
    titled[1:3] = [f"{head}, {shown}" for head in titled[1:3]]
    return Table(f"{channel}: {words[f'cycles.of_{key}']}", titled, [Row(row) for row in cells], note=note)


def chosen(rows: Sequence[Cycle]) -> list[Cycle]:
    """At most LISTED and a few of them, in order."""
    if len(rows) <= LISTED:
        return list(rows)
    steps = {round(k * (len(rows) - 1) / (LISTED - 1)) for k in range(LISTED)}
    worst = sorted(range(len(rows)), key=lambda k: -abs(figure_of(rows[k], "error") or 0.0))[:3]
    return [rows[k] for k in sorted(steps | {*worst})]


def _error(row: Cycle, names: Sequence[str]) -> str:
    value, both = figure_of(row, "error"), [figure_of(row, name) for name in names]
    if value is None and both[0] and both[1] is not None:
        value = both[1] / both[0] - 1.0
    return NONE if value is None else f"{round(100.0 * value, 2) + 0.0:+.2f}"


def endurance(run: ReportedRun, words: Words) -> Section | None:
    """Sessions, holds, breaks, and what changed from the first cycles to the last; None of a short test."""
    told = run.part("endurance")
    if not told:
        return None
    tables = [_counts(told, words), _stops(told, words), _changes(told, words)]
    return Section("endurance", words.titled("section.endurance"), tables=[table for table in tables if table.rows])


def _counts(told: Mapping[str, Json], words: Words) -> Table:
    counts = told.get("cycles")
    cycles = {f"cycles_{key}": value for key, value in counts.items()} if isinstance(counts, Mapping) else {}
    damage = told.get("damage")
    lost = {str(key): value for key, value in damage.items()} if isinstance(damage, Mapping) else {}
    plain = {key: told.get(key) for key in ("sessions", "run_s", "held_s")}
    rows = [Row([words[f"endurance.{key}"], _shown(value)]) for key, value in {**cycles, **plain}.items() if value is not None]
    rows += [Row([f"{words['endurance.damage']}: {name}", _shown(value)]) for name, value in lost.items()]
    return Table("", [words.titled("endurance.what"), words.titled("endurance.value")], rows)


def _stops(told: Mapping[str, Json], words: Words) -> Table:
    rows = []
    for name in ("holds", "breaks"):
        found = told.get(name)
        for one in found if isinstance(found, list) else []:
            if isinstance(one, Mapping):
                cells = [
                    str(one.get("what")),
                    str(one.get("reason") or NONE),
                    *(_shown(one.get(key)) for key in ("cycle", "time_s", "duration_s")),
                ]
                rows.append(Row(cells))
    heads = [words.titled(f"endurance.{name}") for name in ("stop", "reason", "cycle", "time_s", "duration_s")]
    return Table(words.titled("endurance.stops"), heads, rows, left=2)


def _changes(told: Mapping[str, Json], words: Words) -> Table:
    found = told.get("values")
    rows = []
    for one in found if isinstance(found, list) else []:
        if isinstance(one, Mapping):
            both = [figure_of(one, key) for key in ("start", "end", "change")]
            unit, factor = fitting(str(one.get("unit", "")), max((abs(x) for x in both[:2] if x is not None), default=None))
            less = f"{words['endurance.error_of']} " if one.get("less") else ""
            name = f"{one.get('channel')}, {less}{words['value.' + str(one.get('value'))]}"
            rows.append(Row([name, unit, *(number(x, factor, 5) for x in both)]))
    heads = [words.titled(f"endurance.{name}") for name in ("of_cycle", "unit", "first", "last", "change")]
    return Table(words.titled("endurance.changes"), heads, rows, left=2)


def _shown(value: Json) -> str:
    return NONE if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
