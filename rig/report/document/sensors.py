"""With which sensors: where each is wired, its serial number and certificate, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.files.plain_values import Json
from rig.report.document.content import DOUBTED, Row, Section, Table
from rig.report.document.reported_run import ReportedRun
from rig.report.document.wording import Words
from rig.signals.engineering_units import fitting, number

COLUMNS = ("channel", "terminal", "sensor", "serial", "certificate", "calibrated", "expires", "class", "uncertainty")
NONE = "–"


def sensors(run: ReportedRun, words: Words) -> Section:
    """One row a channel; what has run out is marked."""
    told = run.part("sensors")
    rows = [_row(name, record, told.get(name), words) for name, record in run.record.sensors.items()]
    expired = any(row.mark for row in rows)
    note = words["sensors.note"] + (f" {words['sensors.expired']}" if expired else "")
    table = Table("", [words.titled(f"sensors.{name}") for name in COLUMNS], rows, left=len(COLUMNS) - 1, note=note)
    return Section("sensors", words.titled("section.sensors"), tables=[table, *_tares(run, words)])


def _row(name: str, record: Mapping[str, Json], told: Json, words: Words) -> Row:
    known = told if isinstance(told, Mapping) else {}
    certificate = ", ".join(str(record[key]) for key in ("certificate", "laboratory") if record.get(key))
    before, behind = ("terminal", "model", "serial"), ("calibrated", "expires", "accuracy_class")
    cells = [str(record.get(key) or NONE) for key in (*before, *behind)]
    cells = [name, *cells[: len(before)], certificate or NONE, *cells[len(before) :]]
    expired = bool(record.get("expired"))
    if expired:
        cells[COLUMNS.index("expires")] += f" ({words['sensors.is_expired']})"
    return Row([*cells, _uncertainty(known.get("uncertainty_at_max"), str(record.get("unit", "")))], DOUBTED if expired else "")


def _uncertainty(value: Json, unit: str) -> str:
    if not isinstance(value, (int, float)):
        return NONE
    shown, factor = fitting(unit, value)
    return f"{number(value, factor, 3)} {shown}"


def _tares(run: ReportedRun, words: Words) -> list[Table]:
    """What was taken for zero, where that was something else."""
    rows = []
    for name, record in run.record.sensors.items():
        if tared := str(record.get("tared") or ""):
            tare = record.get("tare")
            unit, factor = fitting(str(record.get("unit", "")), abs(tare) if isinstance(tare, (int, float)) else None)
            rows.append(Row([name, tared, f"{number(tare if isinstance(tare, (int, float)) else None, factor)} {unit}"]))
    heads = [words.titled("sensors.channel"), words.titled("sensors.tared"), words.titled("sensors.tare")]
    return [Table(words.titled("sensors.tares"), heads, rows, left=2)] if rows else []
