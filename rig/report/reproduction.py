"""The picture of a reproduced paper: what was computed, and every statement with its verdict."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes

from rig.report.drawing import Figure, FigureCanvasAgg
from rig.report.palette import COMMAND, DOUBTFUL, GOOD, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress
from rig.report.reproduction_table import told_verdict
from rig.reproduction.groups import Decision
from rig.reproduction.rows import Row
from rig.reproduction.study import Panel, Study

COLUMNS = 3
COLOURS = (MEASURED, PREDICTED, GOOD, DOUBTFUL, MUTED)
MARKS = {
    "reproduced": ("\N{BLACK CIRCLE}", GOOD),
    "order_of_magnitude": ("\N{BLACK UP-POINTING TRIANGLE}", DOUBTFUL),
    "not_reproduced": ("\N{BLACK SQUARE}", PREDICTED),
    "not_checkable": ("\N{WHITE CIRCLE}", COMMAND),
}
LINE, LONG, ACROSS = 0.185, 92, 230  # inches a line of the list, characters of a statement's line, of one across the page


def panels(paper: str, study: Study) -> Sequence[Panel]:
    """What the paper's module draws: [{title, x, y, lines: [(label, x, y)]}]."""
    found: Sequence[Panel] = importlib.import_module(f"rig.reproduction.{paper}").picture(study)
    return found


def draw(path: Path, paper: str, rows: Sequence[Row], drawn: Sequence[Panel], decided: Sequence[Decision] = ()) -> None:
    """Write the page to `path` (PNG), replacing what is there; `decided`: what the rows decide of what the paper leaves open."""
    above = -(-len(drawn) // COLUMNS)
    left_open = [line for one in decided for line in textwrap.wrap(f"{one['verdict']}: {one['question']} ({one['why']})", ACROSS)]
    lines = sum(len(_wrapped(row)) for row in rows) + len(left_open) + (1 if left_open else 0)
    height = 0.9 + 3.1 * above + LINE * (lines + 3)
    figure = Figure(figsize=(17.0, height), dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(0.03, 1.0 - 0.35 / height, f"{paper}: printed and computed", fontsize=16, fontweight="bold", color=INK, va="center")
    bottom = LINE * (lines + 3) / height
    if drawn:
        grid = figure.add_gridspec(
            above, COLUMNS, left=0.05, right=0.985, top=1.0 - 1.0 / height, bottom=bottom + 0.6 / height, hspace=0.45, wspace=0.22
        )
        for place, panel in enumerate(drawn):
            _panel(figure.add_subplot(grid[place // COLUMNS, place % COLUMNS]), panel)
    _list(figure, rows, height, len(left_open) + (1 if left_open else 0))
    for below, text in enumerate(reversed(left_open)):
        figure.text(0.03, LINE * (below + 0.8) / height, text, fontsize=8.5, color=INK, va="center")
    new = path.with_name(path.name + ".new")
    figure.savefig(new, format="png")
    new.replace(path)


def _panel(axes: Axes, panel: Panel) -> None:
    for (label, x, y), colour in zip(panel["lines"], COLOURS, strict=False):
        axes.plot(x, y, color=colour, linewidth=1.1, label=label)
    dress(axes, panel["title"], panel["x"], panel["y"])
    if len(panel["lines"]) > 1:
        axes.legend(fontsize=8.5, frameon=False, loc="best")


def _wrapped(row: Row) -> list[str]:
    return textwrap.wrap(row["statement"], LONG) or [""]


def _list(figure: Figure, rows: Sequence[Row], height: float, below_it: int) -> None:
    """The statements, so many lines above the page's foot."""
    from rig.reproduction.values import shown_value

    columns = ((0.03, ""), (0.045, "where"), (0.18, "statement"), (0.60, "printed"), (0.68, "computed"), (0.83, "verdict"))
    left = sum(len(_wrapped(row)) for row in rows) + below_it  # lines
    top = LINE * (left + 1.6) / height
    for x, word in columns:
        figure.text(x, top, word, fontsize=9, fontweight="bold", color=INK, va="center")
    for row in rows:
        first, *more = _wrapped(row)
        y = LINE * (left + 0.3) / height
        left -= 1 + len(more)
        for below, text in enumerate(more, start=1):
            figure.text(columns[2][0], y - below * LINE / height, text, fontsize=8.5, color=INK, va="center")
        mark, colour = MARKS[row["verdict"]]
        texts = (mark, row["where"], first, shown_value(row["published"]),
                 f"{shown_value(row['computed'])} {'' if row['unit'] == '1' else row['unit']}",
                 told_verdict(row))  # fmt: skip
        for (x, _), text in zip(columns, texts, strict=True):
            figure.text(x, y, text, fontsize=8.5, color=colour if text in (mark, texts[-1]) else INK, va="center")
