"""The verdict, and every criterion behind it. Results and columns that this program does not know yet are shown as they are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drivers.files.plain_values import Json
from rig.comparison import METRICS
from rig.report.document.content import DOUBTED, FAILED, PASSED, Judgement, Row, Section, Table
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.report.lines import compared_values
from rig.signals.engineering_units import fitting, number, shown

MARKS = {"pass": PASSED, "fail": FAILED}
SHOWN = ("channel", "metric", "error", "tolerance", "passed", "undecided", "result", "text")
"""Of a criterion: what has a column of its own below, or stands in the reason."""
OWN_MEASURE = ("error", "tolerance", "alternative", "low", "high")
"""Names of figures in the metric's own measure."""
Line = Mapping[str, Json]


def judgement(run: ReportedRun, words: Words) -> Judgement:
    """The test's own; a result is doubted that is neither a pass nor a failure."""
    told = run.part("verdict")
    result = str(told.get("result", "none"))
    return Judgement(result, words[f"verdict.{result}"], MARKS.get(result, DOUBTED), str(told.get("reason", "")))


def criteria(run: ReportedRun, words: Words) -> Section:
    """One row a criterion, with every figure that the verdict has of it."""
    lines = lines_of(run)
    more = [name for name in dict.fromkeys(key for line in lines for key in line if key not in SHOWN) if _is_told(lines, name)]
    heads = [
        words.titled(f"criteria.{name}") for name in ("channel", "metric", "measured", "predicted", "error", "tolerance", *more, "result")
    ]
    agreement = run.part("agreement")
    rows = [_row(line, agreement.get(str(line.get("channel"))), more, words) for line in lines]
    table = [Table("", heads, rows, left=2, note=words["criteria.sign"])] if rows else []
    told = run.part("verdict").get("beside")
    said = [f"{words.titled('criteria.beside')}: {text}" for text in told] if isinstance(told, list) else []
    return Section("criteria", words.titled("section.criteria"), paragraphs=said, tables=table, empty=words["criteria.none"])


def lines_of(run: ReportedRun) -> list[Line]:
    """The criteria of a verdict, each as its JSON has it."""
    found = run.part("verdict").get("lines")
    return [line for line in found if isinstance(line, Mapping)] if isinstance(found, list) else []


def result_of(line: Line) -> str:
    """As the line says it, else by whether it holds, or is undecided."""
    if line.get("result"):
        return str(line["result"])
    return "pass" if line.get("passed") else "cannot_be_judged" if line.get("undecided") else "fail"


def figure(line: Line, key: str) -> float | None:
    """A figure of a criterion as it is shown: in the measure that the metric is stated in."""
    value = line.get(key)
    return float(value) * _scale(line, key) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def unit_of(line: Line) -> str:
    """Of those figures."""
    metric = METRICS.get(str(line.get("metric")))
    return metric.unit if metric is not None else ""


def metric_words(line: Line, words: Words) -> str:
    """What is judged, as a person says it."""
    name = str(line.get("metric", ""))
    return words[f"metric.{name}"] if f"metric.{name}" in words or name not in METRICS else METRICS[name].title


def _is_told(lines: Sequence[Line], name: str) -> bool:
    return any(line.get(name) not in (None, "", [], {}) for line in lines)


def _scale(line: Line, key: str) -> float:
    metric = METRICS.get(str(line.get("metric")))
    return metric.scale if metric is not None and key in OWN_MEASURE else 1.0


def _row(line: Line, agreement: Json, more: Sequence[str], words: Words) -> Row:
    result = result_of(line)
    cells = [str(line.get("channel", "")), metric_words(line, words), *_both(line, agreement), _error(line), _tolerance(line)]
    cells += [_cell(line, name, words) for name in more]
    return Row([*cells, words[f"result.{result}"]], MARKS.get(result, DOUBTED))


def _both(line: Line, agreement: Json) -> tuple[str, str]:
    """Measured and predicted value with unit, where the metric compares two."""
    if not isinstance(agreement, Mapping):
        return "", ""
    names = compared_values(str(line.get("metric")), agreement.get("peak_measured") is not None)
    if names is None:
        return "", ""
    values = [value if isinstance(value := agreement.get(name), (int, float)) else None for name in names]
    largest = max((abs(value) for value in values if value is not None), default=None)
    unit, factor = shown("s") if line.get("metric") == "first_impact" else fitting(str(agreement.get("unit", "")), largest)
    measured, predicted = (NONE if value is None else f"{number(value, factor)} {unit}" for value in values)
    return measured, predicted


def _error(line: Line) -> str:
    value, metric = figure(line, "error"), METRICS.get(str(line.get("metric")))
    if value is None:
        return NONE
    one_way = metric is not None and (metric.unsigned or metric.at_least)
    return f"{round(value, 3) + 0.0:{'' if one_way else '+'}.3g} {unit_of(line)}".strip()


def _tolerance(line: Line) -> str:
    value, metric = figure(line, "tolerance"), METRICS.get(str(line.get("metric")))
    sign = "≥" if metric is not None and metric.at_least else "≤"
    return NONE if value is None else f"{sign} {value:.4g} {unit_of(line)}".strip()


def _cell(line: Line, name: str, words: Words) -> str:
    value = line.get(name)
    if isinstance(value, bool):
        return words["yes" if value else "no"]
    if (shown_value := figure(line, name)) is not None:
        return f"{shown_value:.3g} {unit_of(line) if name in OWN_MEASURE else ''}".strip()
    return NONE if value in (None, "", [], {}) else str(value).replace("_", " ")
