"""overlay.png: measured and predicted over each other, as one page. Drawn by matplotlib's Agg; no window system is touched."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rig.report import reversal_panel, verdict_box
from rig.report.page import OverlayData
from rig.report.palette import COMMAND, GOOD, INK, MEASURED, MUTED, PREDICTED, SHADE
from rig.report.panel import dress, quantity, say, words
from rig.report.reducing import along, envelope
from rig.report.units import shown

Floats = NDArray[np.float64]
SIZE = (16.0, 10.0)
DPI = 125


def overlay(path: Path, data: OverlayData) -> None:
    """Write the page to `path` (PNG), replacing what is there."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(
        3, 2, width_ratios=(2.05, 1.0), height_ratios=(1.0, 1.35, 0.85),
        left=0.052, right=0.985, top=0.882, bottom=0.062, hspace=0.36, wspace=0.13,
    )  # fmt: skip
    places = [grid[row, column] for row in range(3) for column in range(2)]
    full, box, zoom, loop, difference, cycles = (figure.add_subplot(place) for place in places)
    _heading(figure, data)
    _draw_full(full, data)
    reversal_panel.draw(zoom, data)
    _draw_difference(difference, data)
    difference.sharex(full)
    verdict_box.draw(box, data.verdict, data.agreement)
    _draw_loop(loop, data)
    _draw_cycles(cycles, data)
    new = path.with_name(path.name + ".new")
    figure.savefig(new, format="png")
    new.replace(path)


def _heading(figure: Figure, data: OverlayData) -> None:
    figure.text(0.052, 0.969, data.title, fontsize=17, fontweight="bold", color=INK, va="center")
    figure.text(0.052, 0.937, data.subtitle, fontsize=10.5, color=MUTED, va="center")


def _shade(axes: Axes, data: OverlayData) -> None:
    """Mark what does not count: soft start and stop, and the first cycles."""
    kept = np.flatnonzero(data.kept)
    ends = (0, kept[0], kept[-1], len(data.kept) - 1) if len(kept) else (0, len(data.kept) - 1)
    for first, last in zip(ends[::2], ends[1::2], strict=True):
        axes.axvspan(first / data.rate, last / data.rate, color=SHADE, linewidth=0, zorder=0)


def _draw_full(axes: Axes, data: OverlayData) -> None:
    unit, factor = shown(data.controlled.unit)
    time = data.time
    _shade(axes, data)
    axes.plot(*envelope(time, data.command * factor), color=COMMAND, linewidth=1.0, label="command")
    axes.plot(*envelope(time, data.controlled.measured * factor), color=MEASURED, linewidth=1.9, label="measured")
    if data.controlled.predicted is not None:
        axes.plot(*envelope(time, data.controlled.predicted * factor), color=PREDICTED, linewidth=0.9, label="predicted")
    dress(axes, f"{words(data.channel)}, whole run (grey: does not count)", "time, s", f"{quantity(data.controlled.unit)}, {unit}")
    axes.margins(x=0.0, y=0.08)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, frameon=False, fontsize=9.5, borderaxespad=0.2)


def _draw_difference(axes: Axes, data: OverlayData) -> None:
    unit, factor = shown(data.controlled.unit)
    dress(axes, "Measured minus predicted", "time, s", unit)
    if data.controlled.predicted is None:
        say(axes, "no prediction recorded")
        return
    _shade(axes, data)
    gap = (data.controlled.measured - data.controlled.predicted) * factor
    if data.agreement is not None and data.agreement.amplitude:
        bound = 0.05 * data.agreement.amplitude * factor
        axes.axhspan(-bound, bound, color=GOOD, alpha=0.10, linewidth=0)
        axes.annotate("± 5 % A", (0.0, bound), xycoords=("axes fraction", "data"), xytext=(4, 2), textcoords="offset points",
                      fontsize=8.5, color=GOOD)  # fmt: skip
    axes.plot(*envelope(data.time, gap), color=INK, linewidth=0.8)
    axes.margins(x=0.0, y=0.12)


def _draw_loop(axes: Axes, data: OverlayData) -> None:
    unit, factor = shown(data.controlled.unit)
    dress(axes, "Force and stroke, last counted cycle", "stroke, mm", f"{quantity(data.controlled.unit)}, {unit}")
    if data.stroke is None or data.stroke is data.controlled:
        say(axes, "no second channel to plot against")
        return
    part = _last_cycle(data)
    pairs = (
        (data.stroke.measured, data.controlled.measured, MEASURED, 2.6),
        (data.stroke.predicted, data.controlled.predicted, PREDICTED, 1.2),
    )
    for stroke, force, colour, width in pairs:
        if stroke is None or force is None:
            continue
        known = np.isfinite(stroke[part]) & np.isfinite(force[part])
        x, y = stroke[part][known] * 1e3, force[part][known] * factor
        if len(x) == 0:
            continue
        chosen = along(x, y)
        axes.plot(x[chosen], y[chosen], color=colour, linewidth=width)
    axes.margins(0.06)


def _last_cycle(data: OverlayData) -> slice:
    """The last period of what counts, or the last second of it."""
    kept = np.flatnonzero(data.kept)
    stop = int(kept[-1]) + 1 if len(kept) else len(data.kept)
    known = data.agreement.period_s if data.agreement is not None else None
    return slice(max(0, stop - round((known or 1.0) * data.rate)), stop)


def _draw_cycles(axes: Axes, data: OverlayData) -> None:
    dress(axes, "Error of the largest force, by cycle", "counted cycle", "%")
    rows = [c for c in data.agreement.cycles if c.error is not None] if data.agreement is not None else []
    if not rows:
        say(axes, "no counted cycle")
        return
    numbers = np.array([c.cycle for c in rows])
    errors = np.array([100.0 * (c.error or 0.0) for c in rows])
    axes.axhline(0.0, color=MUTED, linewidth=0.9)
    if len(rows) <= 60:
        axes.vlines(numbers, 0.0, errors, color=PREDICTED, linewidth=1.6)
        axes.plot(numbers, errors, "o", color=PREDICTED, markersize=5)
    else:
        axes.plot(numbers, errors, color=PREDICTED, linewidth=1.0)
    tolerance = next((line.tolerance for line in data.verdict.lines if line.metric == "max"), None) if data.verdict else None
    if tolerance is not None:
        for bound in (-100.0 * tolerance, 100.0 * tolerance):
            axes.axhline(bound, color=MUTED, linewidth=0.9, linestyle=(0, (5, 4)))
        axes.annotate("tolerance", (1.0, 100.0 * tolerance), xycoords=("axes fraction", "data"), xytext=(-2, -10),
                      textcoords="offset points", ha="right", fontsize=8.5, color=MUTED)  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.04, y=0.12)
