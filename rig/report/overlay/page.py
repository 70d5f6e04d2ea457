"""overlay.png: measured and predicted over each other, as one page. Drawn by matplotlib's Agg; no window system is touched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.gridspec import GridSpec
from matplotlib.ticker import MaxNLocator

from rig.comparison import CONVENTION
from rig.comparison.series import Series
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.names import quantity, words
from rig.report.overlay import loss_panel, reversal_panel, turn_panel, verdict_box
from rig.report.overlay.panels import OverlayData
from rig.report.palette import COMMAND, GOOD, INK, MEASURED, MUTED, PREDICTED, SHADE
from rig.report.panel import dress, say
from rig.report.reducing import Floats, along, envelopes, thinned
from rig.signals.engineering_units import shown

SIZE = (16.0, 10.0)
DPI = 125
TURN = 2.0 * np.pi


def overlay(path: Path, data: OverlayData) -> None:
    """Write the page to `path` (PNG), replacing what is there."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(
        3, 2, width_ratios=(2.05, 1.0), height_ratios=(1.0, 1.35, 0.85) if data.turn is None else (0.85, 1.75, 0.7),
        left=0.052, right=0.985, top=0.882, bottom=0.062, hspace=0.36, wspace=0.13,
    )  # fmt: skip
    full, box, difference, cycles = (figure.add_subplot(grid[row, column]) for row in (0, 2) for column in (0, 1))
    _heading(figure, data)
    n, curves = envelopes([*data.shown, *_gap(data)], 0, len(data.command))
    _draw_full(full, data, n / data.rate, curves)
    _draw_middle(figure, grid, data)
    _draw_difference(difference, data, n / data.rate, curves[-1])
    difference.sharex(full)
    verdict_box.draw(box, data.verdict, data.agreements, data.channel)
    _draw_cycles(cycles, data)
    new = path.with_name(path.name + ".new")
    figure.savefig(new, format="png")
    new.replace(path)


def _draw_middle(figure: Figure, grid: GridSpec, data: OverlayData) -> None:
    """A closer look: at a load reversal and the loop, or at one turn of a motor rig and where contact is lost."""
    if data.turn is None:
        reversal_panel.draw(figure.add_subplot(grid[1, 0]), data)
        _draw_loop(figure.add_subplot(grid[1, 1]), data)
    elif data.losses is None:
        turn_panel.draw(figure, grid[1, :], data.turn, None)
    else:
        turn_panel.draw(figure, grid[1, 0], data.turn, data.losses)
        loss_panel.draw(figure.add_subplot(grid[1, 1]), data.losses)


def _heading(figure: Figure, data: OverlayData) -> None:
    figure.text(0.052, 0.969, literal(data.title), fontsize=17, fontweight="bold", color=INK, va="center")
    figure.text(0.052, 0.937, literal(data.subtitle), fontsize=10.5, color=MUTED, va="center")


class Difference:
    """predicted - measured, (N,): `rig.comparison.CONVENTION`."""

    def __init__(self, measured: Series, predicted: Series) -> None:
        self._measured, self._predicted = measured, predicted

    def __len__(self) -> int:
        return len(self._measured)

    def __getitem__(self, part: slice) -> Floats:
        return np.asarray(self._predicted[part] - self._measured[part])


def _gap(data: OverlayData) -> list[Series]:
    return [] if data.controlled.predicted is None else [Difference(data.controlled.measured, data.controlled.predicted)]


def _shade(axes: Axes, data: OverlayData) -> None:
    """Mark what does not count: soft start and stop, and the first cycles."""
    end = len(data.command) - 1
    ends = (0, data.counts[0], data.counts[-1], end) if data.counts else (0, end)
    for first, last in zip(ends[::2], ends[1::2], strict=True):
        axes.axvspan(first / data.rate, last / data.rate, color=SHADE, linewidth=0, zorder=0)


def _draw_full(axes: Axes, data: OverlayData, time: Floats, curves: Sequence[Floats]) -> None:
    unit, factor = shown(data.controlled.unit)
    _shade(axes, data)
    apart = data.command_unit not in ("", data.controlled.unit)
    looks = ((COMMAND, 1.0, "command"), (MEASURED, 1.9, "measured"), (PREDICTED, 0.9, "predicted"))
    for y, (colour, width, label) in list(zip(curves[: len(data.shown)], looks, strict=False))[apart:]:
        axes.plot(time, y * factor, color=colour, linewidth=width, label=label)
    if apart:
        _draw_command(axes, data, time, curves[0])
    dress(axes, f"{words(data.channel)}, whole run (grey: does not count)", "time, s", f"{_quantity(data)}, {unit}")
    axes.margins(x=0.0, y=0.08)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, frameon=False, fontsize=9.5, borderaxespad=0.2)


def _draw_command(axes: Axes, data: OverlayData, time: Floats, command: Floats) -> None:
    """The command on a scale of its own, at the right: it is in another unit, and grows."""
    unit, factor = (" turns", 1.0 / TURN) if data.command_unit == "rad" else (f" {data.command_unit}", 1.0)
    axes.plot([], [], color=COMMAND, linewidth=1.6, label="command")
    other = axes.twinx()
    other.plot(time, command * factor, color=COMMAND, linewidth=1.6)
    other.set_ylim(bottom=0.0)
    other.tick_params(labelsize=8.5, colors=MUTED, length=3)
    other.yaxis.set_major_formatter(lambda value, _: f"{value:g}{unit}")
    for spine in other.spines.values():
        spine.set_visible(False)


def _quantity(data: OverlayData) -> str:
    """Of a motor rig every channel is a quantity of its own."""
    return quantity(data.controlled.unit) if data.turn is None else words(data.channel).lower()


def _draw_difference(axes: Axes, data: OverlayData, time: Floats, gap: Floats) -> None:
    unit, factor = shown(data.controlled.unit)
    dress(axes, "Predicted minus measured", "time, s", f"{CONVENTION}, {unit}")
    if data.controlled.predicted is None:
        say(axes, "no prediction recorded")
        return
    _shade(axes, data)
    if data.agreement is not None and data.agreement.amplitude:
        bound = 0.05 * data.agreement.amplitude * factor
        axes.axhspan(-bound, bound, color=GOOD, alpha=0.10, linewidth=0)
        axes.annotate("± 5 % A", (0.0, bound), xycoords=("axes fraction", "data"), xytext=(4, 2), textcoords="offset points",
                      fontsize=8.5, color=GOOD)  # fmt: skip
    axes.plot(time, gap * factor, color=INK, linewidth=0.8)
    axes.margins(x=0.0, y=0.12)


def _draw_loop(axes: Axes, data: OverlayData) -> None:
    unit, factor = shown(data.controlled.unit)
    dress(axes, "Force and stroke, last counted cycle", "stroke, mm", f"{quantity(data.controlled.unit)}, {unit}")
    if data.stroke is None or data.stroke is data.controlled:
        say(axes, "no second channel to plot against")
        return
    first, last = _last_cycle(data)
    pairs = (
        (data.stroke.measured, data.controlled.measured, MEASURED, 2.6),
        (data.stroke.predicted, data.controlled.predicted, PREDICTED, 1.2),
    )
    for stroke, force, colour, width in pairs:
        if stroke is None or force is None:
            continue
        x, y = thinned((stroke, force), first, last)
        known = np.isfinite(x) & np.isfinite(y)
        x, y = x[known] * 1e3, y[known] * factor
        if len(x) == 0:
            continue
        chosen = along(x, y)
        axes.plot(x[chosen], y[chosen], color=colour, linewidth=width)
    axes.margins(0.06)


def _last_cycle(data: OverlayData) -> tuple[int, int]:
    """(first, behind the last) sample of the last period of what counts, or of the last second of it."""
    end = data.counts.stop if data.counts else len(data.command)
    known = data.agreement.period_s if data.agreement is not None else None
    return max(0, end - round((known or 1.0) * data.rate)), end


def _draw_cycles(axes: Axes, data: OverlayData) -> None:
    dress(axes, f"Error of the largest {_quantity(data)}, by cycle", "counted cycle", f"{CONVENTION}, %")
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
