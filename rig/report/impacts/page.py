"""The impact map: impacts over angle and cycle as measured and as predicted, coloured by strength; and which are missed or extra."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.ticker import MaxNLocator

from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.impacts.found import Impacts
from rig.report.lines import cut
from rig.report.names import words
from rig.report.palette import COMMAND, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress, say
from rig.signals.engineering_units import fitting

SIZE, DPI = (14.0, 6.4), 115
LEFT, RIGHT, BOTTOM, TOP, BETWEEN = 0.055, 0.925, 0.1, 0.78, 0.06
COLOURS = ListedColormap(colormaps["viridis_r"](np.linspace(0.12, 1.0, 256)))
"""Without its lightest, which are not seen on white."""
NARROWEST = 2.0
"""Of the strengths, as a ratio: smaller differences shall not look large."""
TITLE = 110


def impact_map(path: Path, found: Impacts, title: str) -> None:
    """Write the page to `path` (PNG)."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(LEFT, 0.955, literal(cut(title, TITLE)), fontsize=14, fontweight="bold", color=INK, va="center")
    figure.text(LEFT, 0.905, literal(_said(found)), fontsize=10, color=MUTED, va="center")
    grid = figure.add_gridspec(1, 3, left=LEFT, right=RIGHT, bottom=BOTTOM, top=TOP, wspace=BETWEEN)
    places = [figure.add_subplot(grid[0, k]) for k in range(3)]
    for axes in places[1:]:
        axes.sharex(places[0])
        axes.sharey(places[0])
        axes.tick_params(labelleft=False)
    scale = _scale(found)
    if scale is not None:
        _coloured(figure, places, found, scale)
    for axes, side, name in zip(places, (found.measured, found.predicted), ("Measured", "Predicted"), strict=False):
        dress(axes, f"{name}: {len(side.spikes)} impacts", found.label, "cycle" if side is found.measured else "")
        if not len(side.spikes):
            say(axes, "no impact")
    compare(places[2], found)
    _range(places[0], found)
    figure.savefig(path, format="png")


def _said(found: Impacts) -> str:
    begin, end = (n / found.rate for n in (found.looked_at.start, found.looked_at.stop))
    told = f"{words(found.channel).lower()}, {begin:.4g} to {end:.4g} s: spikes over the smooth course, found alike on both sides"
    if not len(found.pairs[0]):
        return told
    late = 1e3 * float(np.median(found.late))
    medians = f"{abs(late):.3g} ms {'early' if late < 0.0 else 'late'}, {np.median(found.ratio):.3g} times as strong"
    return f"{told}; the model's, of those matched: {medians} (medians)"


def _scale(found: Impacts) -> LogNorm | None:
    both = np.concatenate((found.measured.strength, found.predicted.strength))
    return LogNorm(min(float(both.min()), float(both.max()) / NARROWEST), float(both.max())) if len(both) else None


def _coloured(figure: Figure, places: list[Axes], found: Impacts, scale: LogNorm) -> None:
    """Dots of both sides by one scale, the strong ones above the weak ones."""
    for axes, side in zip(places, (found.measured, found.predicted), strict=False):
        order = np.argsort(side.strength)
        axes.scatter(
            side.angle[order], side.cycle[order], c=side.strength[order], cmap=COLOURS, norm=scale, s=_size(found), linewidths=0, zorder=3
        )
    unit, factor = fitting(found.unit, scale.vmax)
    shown = LogNorm(scale.vmin * factor, scale.vmax * factor)  # type: ignore[operator]
    bar = figure.colorbar(ScalarMappable(shown, COLOURS), cax=figure.add_axes((RIGHT + 0.015, BOTTOM, 0.012, TOP - BOTTOM)), format="%g")
    bar.set_label(f"strength  {unit}", fontsize=9, color=INK)
    bar.ax.tick_params(labelsize=8, colors=INK, which="both")
    bar.ax.yaxis.set_minor_formatter(lambda value, _: f"{value:.3g}" if scale.vmax / scale.vmin < 20.0 else "")  # type: ignore[operator]


def compare(axes: Axes, found: Impacts) -> None:
    """Those matched as grey lines from test to model; missed and extra ones stand out."""
    dress(axes, f"{len(found.pairs[0])} matched, {len(found.missed)} missed, {len(found.extra)} extra", found.label, "")
    first, second = found.pairs
    ends = np.stack((found.measured.angle[first], found.predicted.angle[second]))
    across = np.abs(ends[0] - ends[1]) > 180.0  # over the edge: drawn as two dots would be
    level = np.stack((found.measured.cycle[first], found.predicted.cycle[second]))
    axes.plot(ends[:, ~across], level[:, ~across], "-", color=COMMAND, linewidth=1.0, zorder=1)
    axes.plot(found.measured.angle[first], found.measured.cycle[first], ".", color=COMMAND, markersize=4, zorder=1.5, label="matched")
    for side, which, colour, mark, name in (
        (found.measured, found.missed, MEASURED, "o", "missed: measured only"),
        (found.predicted, found.extra, PREDICTED, "X", "extra: predicted only"),
    ):
        axes.plot(
            side.angle[which],
            side.cycle[which],
            mark,
            color=colour,
            markersize=_size(found) ** 0.5 + 0.8,
            mec="white",
            mew=0.6,
            zorder=3,
            label=name,
        )
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.075), ncols=3, fontsize=8.5, frameon=False, borderaxespad=0.0, handletextpad=0.2,
                columnspacing=1.0)  # fmt: skip


def _size(found: Impacts) -> float:
    return float(np.clip(4000.0 / max(1, len(found.measured.spikes)), 7.0, 34.0))


def _range(axes: Axes, found: Impacts) -> None:
    axes.set_xlim(0.0, 360.0)
    axes.set_xticks(range(0, 361, 60))
    cycles = np.concatenate((found.measured.cycle, found.predicted.cycle))
    if len(cycles):
        axes.set_ylim(float(cycles.min()) - 0.7, float(cycles.max()) + 0.7)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=10))
