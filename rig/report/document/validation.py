"""Comparison error against validation uncertainty of each criterion, after ASME V&V 20, as the test said it."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.files.plain_values import Json
from rig.comparison import METRICS
from rig.report.document.content import Row, Section, Table
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.signals.engineering_units import fitting, number

PARTS = ("random", "sensor", "input", "numerical", "expanded")


def validation(run: ReportedRun, words: Words) -> Section | None:
    """One row a criterion; None where the test said nothing of it, as one of before."""
    told = run.rows("validation")
    if not told:
        return None
    heads = [words.titled(f"validation.{name}") for name in ("channel", "metric", "error", *PARTS, "said", "area")]
    rows = [_row(one, words) for one in told]
    return Section(
        "validation", words.titled("section.validation"), paragraphs=[words["validation.text"]],
        tables=[Table("", heads, rows, left=2, note=words["validation.note"])],
    )  # fmt: skip


def _row(one: Mapping[str, Json], words: Words) -> Row:
    name, beyond = str(one.get("metric", "")), one.get("beyond")
    metric = METRICS.get(name)
    unit, title = (metric.unit, metric.title) if metric is not None else ("", name)
    shown = [f"{_figure(one, 'error', 3)} {unit}".strip(), *(_figure(one, part, 2) for part in PARTS)]
    said = NONE if beyond is None else words["validation.beyond" if beyond else "validation.within"]
    return Row([str(one.get("channel", "")), words.get(f"metric.{name}", title), *shown, said, _area(one)])


def _figure(one: Mapping[str, Json], key: str, digits: int) -> str:
    """In the measure that the metric is stated in."""
    value, metric = one.get(key), METRICS.get(str(one.get("metric")))
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    return f"{float(value) * (metric.scale if metric is not None else 1.0):.{digits}g}" if known else NONE  # type: ignore[arg-type]


def _area(one: Mapping[str, Json]) -> str:
    value = one.get("area")
    if not isinstance(value, (int, float)):
        return NONE
    unit, factor = fitting(str(one.get("area_unit", "")), float(value))
    return f"{number(float(value), factor, 3)} {unit}".strip()
