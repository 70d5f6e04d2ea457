"""Work (processor time, as in the ratios) against precision, a panel for each case and error: all points, and each program's front."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rig.benchmark.front import front
from rig.benchmark.result_row import RatioRow, Row
from rig.report.drawing import Figure, FigureCanvasAgg
from rig.report.palette import DOUBTFUL, GOOD, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3
COLOURS = (MEASURED, PREDICTED, GOOD, DOUBTFUL)
MARKS = "osD^vP*X"
FEW = 4  # names that have room among the points


def draw(path: Path, rows: Sequence[Row], ratios: Sequence[RatioRow]) -> None:
    """Write the picture to `path` (PNG), replacing what is there."""
    panels = list(dict.fromkeys((row["case"], metric) for row in rows if (metric := row["error_metric"]) is not None and _known(row)))
    alone = list(dict.fromkeys(row["case"] for row in rows if row["error_metric"] is None))
    count = max(1, len(panels) + bool(alone))
    down = -(-count // COLUMNS)
    figure = Figure(figsize=(5.6 * min(count, COLUMNS), 4.4 * down), dpi=110, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    for place, (case, metric) in enumerate(panels):
        chosen = [row for row in rows if (row["case"], row["error_metric"]) == (case, metric) and _known(row)]
        _panel(figure.add_subplot(down, COLUMNS if count > COLUMNS else count, place + 1), case, metric, chosen, ratios)
    if alone:
        _bars(figure.add_subplot(down, COLUMNS if count > COLUMNS else count, count), [row for row in rows if row["error_metric"] is None])
    new = path.with_name(path.name + ".new")
    figure.savefig(new, format="png")
    new.replace(path)


def _panel(axes: Axes, case: str, metric: str, rows: Sequence[Row], ratios: Sequence[RatioRow]) -> None:
    simulated = rows[0]["simulated_s"]
    for program, colour in zip(dict.fromkeys(row["program"] for row in rows), COLOURS, strict=False):
        own = [row for row in rows if row["program"] == program]
        solvers = list(dict.fromkeys(_solver(row) for row in own))
        for solver, mark in zip(solvers, MARKS * 4, strict=False):
            points = [row for row in own if _solver(row) == solver]
            x, y = [_error(row) for row in points], [row["cpu_s"]["min"] / simulated for row in points]
            axes.plot(x, y, mark, color=colour, markersize=5, alpha=0.75, label=solver, linestyle="none")
        line = front([(_error(row), row["cpu_s"]["min"] / simulated) for row in own])
        axes.plot([x for x, _ in line], [y for _, y in line], color=colour, linewidth=1.4)
    here = [one for one in ratios if (one["case"], one["error_metric"]) == (case, metric)]
    for place, one in enumerate(here):
        axes.axvline(one["at_error"], color=MUTED, linewidth=0.8, linestyle="--")
        said = f"x {one['speedup']:{'.0f' if one['speedup'] >= 10.0 else '.2g'}}" + (f" {one['peer']}" if len(here) > 1 else "")
        at, below = (one["at_error"], 0.98), (4, -14 * place)
        axes.annotate(said, at, color=INK, va="top", xycoords=("data", "axes fraction"), xytext=below, textcoords="offset points")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*_decades([_error(row) for row in rows]))
    axes.set_ylim(*_decades([row["cpu_s"]["min"] / simulated for row in rows]))
    axes.axhline(1.0, color=MUTED, linewidth=0.8)
    dress(axes, case.replace("_", " "), f"{metric}, {rows[0]['error_unit']}", "processor time by simulated time")
    many = len(axes.get_legend_handles_labels()[1]) > FEW
    if many:
        axes.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    else:
        axes.legend(fontsize=8, frameon=False)


def _error(row: Row) -> float:
    """0 where it is not known."""
    error = row["error"]
    return error if error is not None and math.isfinite(error) else 0.0


def _known(row: Row) -> bool:
    return _error(row) > 0.0


def _solver(row: Row) -> str:
    """What a mark stands for: the program, with its solver where it has several."""
    settings = row["settings"]
    solver = settings.get("solver", settings.get("integrator.kind"))
    return f"{row['program']} {solver}" if solver else str(row["program"])


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """Limits with room around the values that are finite, two decades at least."""
    known = [value for value in values if math.isfinite(value)]
    low, high = min(known), max(known)
    room = max(2.0, math.sqrt(100.0 * low / high))
    return low / room, high * room


def _bars(axes: Axes, rows: Sequence[Row]) -> None:
    """Cases without an error: their real-time factors."""
    names = [" ".join(f"{value}" for value in row["settings"].values() if isinstance(value, str)) or row["case"] for row in rows]
    axes.barh(range(len(rows)), [row["rtf"] for row in rows], color=MEASURED, height=0.5)
    axes.axvline(1.0, color=MUTED, linewidth=0.8)
    axes.set_yticks(range(len(rows)), names)
    dress(axes, rows[0]["case"].replace("_", " "), "real-time factor", "")
