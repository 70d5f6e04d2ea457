"""The band of an ensemble: what it says, and how far the test keeps to that, as the test said it."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.files.plain_values import Json
from rig.comparison.bands.agreement import OPEN, TOO_NARROW
from rig.report.document.agreement_tables import figure_of
from rig.report.document.content import DOUBTED, Row, Section, Table
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.signals.engineering_units import fitting, number

COLUMNS = ("channel", "of", "unit", "width", "width_share", "score", "inside", "bounds", "nominal", "said")


def bands(run: ReportedRun, words: Words) -> Section | None:
    """Two rows a channel, of its samples and of the largest values of its cycles; None where no band was recorded."""
    told = {name: a for name, a in run.part("agreement").items() if isinstance(a, Mapping)}
    rows = [row for name, a in told.items() if isinstance(one := a.get("ensemble"), Mapping) for row in _rows(name, a, one, words)]
    if not rows:
        return None
    heads = [words.titled(f"bands.{name}") for name in COLUMNS]
    table = Table("", heads, rows, left=3, note=words["bands.note"])
    return Section("bands", words.titled("section.bands"), paragraphs=[words["bands.text"]], tables=[table])


def _rows(name: str, a: Mapping[str, Json], one: Mapping[str, Json], words: Words) -> list[Row]:
    unit, factor = fitting(str(a.get("unit", "")), figure_of(one, "width"))
    sizes = [
        number(figure_of(one, "width"), factor, 3),
        _percent(figure_of(one, "width_share")),
        number(figure_of(one, "score"), factor, 3),
    ]
    found = []
    for of, said in (("inside", "said"), ("peaks", "peaks_said")):
        word = str(one.get(said))
        cells = [name, words[f"bands.of_{of}"], unit, *sizes, _percent(figure_of(one, of)), _bounds(one, of)]
        cells += [_percent(figure_of(one, "nominal")), words.get(f"bands.{word}", word)]
        found.append(Row(cells, DOUBTED if word in (TOO_NARROW, OPEN) else ""))
        name, unit, sizes = "", "", ["", "", ""]
    return found


def _bounds(one: Mapping[str, Json], of: str) -> str:
    intervals = one.get("intervals")
    sure = intervals.get(of) if isinstance(intervals, Mapping) else None
    if not isinstance(sure, Mapping):
        return NONE
    ends = [figure_of(sure, end) for end in ("low_95", "high_95")]
    return " … ".join(_percent(None if end is None else min(1.0, max(0.0, end))) for end in ends)


def _percent(share: float | None) -> str:
    return NONE if share is None else f"{100.0 * share:.1f}"
