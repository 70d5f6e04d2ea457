"""trend.png: values of every cycle over the cycles, with limits, holds and breaks. Drawn by Agg; no window system is touched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from rig.console.durations import duration
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.endurance.bounds import Bounds
from rig.report.endurance.course import Course
from rig.report.endurance.selection import Panel
from rig.report.endurance.stops import Stop
from rig.report.lines import cut
from rig.report.palette import DOUBTFUL, GOOD, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress
from rig.signals.engineering_units import fitting, number
from rig.streaming.interruptions import HELD

WIDTH, ROW, HEAD, FOOT, LINE = 16.0, 2.0, 1.15, 0.75, 0.21
"""Inch: of the page, of a panel, above and below them, and of a line of text."""
DPI = 110
LEFT, RIGHT = 0.07, 0.985
TITLE, WORDS = 105, 165
"""Characters of a line, at the size of the title and of the list."""
STOPS = 12
"""Stops that are listed in words, and drawn with words; of more the first ones."""
NEAR = 0.02
"""Share of the axis between the words of two stops."""
BOUND = 0.1
"""Share of the axis that the words of a bound take."""
REACH = 1.5
"""A bound that is further from the curves than so many times their height is told, not drawn."""


def trend(path: Path, found: Course, title: str, subtitle: str) -> None:
    """Write the page to `path` (PNG), replacing what is there."""
    said = _listed(found.happened)
    height = HEAD + ROW * len(found.panels) + FOOT + LINE * len(said)
    figure = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    heads = ((0.32, title, 17.0, "bold", INK, TITLE), (0.66, subtitle, 10.5, "normal", MUTED, WORDS))
    for at, text, size, weight, colour, most in heads:
        short = literal(cut(text, most))
        figure.text(LEFT, 1.0 - at / height, short, fontsize=size, fontweight=weight, color=colour, va="center")
    bottom = (FOOT + LINE * len(said)) / height
    grid = figure.add_gridspec(len(found.panels), 1, left=LEFT, right=RIGHT, top=1.0 - HEAD / height, bottom=bottom, hspace=0.42)
    for i, panel in enumerate(found.panels):
        _draw(figure.add_subplot(grid[i]), panel, found, first=i == 0, last=i == len(found.panels) - 1)
    for i, line in enumerate(said):
        place = (0.12 + LINE * (len(said) - 1 - i)) / height
        figure.text(LEFT, place, literal(line), fontsize=9.0, color=INK if i else MUTED, va="bottom")
    new = path.with_name(path.name + ".new")
    figure.savefig(new, format="png")
    new.replace(path)


def _draw(axes: Axes, panel: Panel, found: Course, first: bool, last: bool) -> None:
    curves = [found.curves[value] for value in panel.values]
    heights = np.concatenate([y[np.isfinite(y)] for _, y in curves])
    unit, factor = fitting(panel.unit, float(np.max(np.abs(heights), initial=0.0)) if len(heights) else None)
    dress(axes, panel.title, "cycle" if last else "", "" if unit == "1" else unit)
    for (x, y), colour, value in zip(curves, (MEASURED, PREDICTED), panel.values, strict=False):
        alone = np.count_nonzero(np.isfinite(y)) < 2
        axes.plot(x, y * factor, "." if alone else "-", color=colour, linewidth=1.1, label=value.value)
    if len(panel.values) > 1:
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=9.0, borderaxespad=0.2)
    if len(heights):
        _bound(axes, found, found.bounds[panel.title], (float(heights.min()), float(heights.max())), factor, unit)
    axes.set_xlim(found.first - 0.5, found.last + 0.5)
    axes.margins(y=0.12)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
    axes.ticklabel_format(axis="both", style="plain", useOffset=False)
    _mark(axes, found, words=first)


def _bound(axes: Axes, found: Course, limits: Sequence[Bounds], ends: tuple[float, float], factor: float, unit: str) -> None:
    """A band or a line for each bound that is near enough to be seen; the others in words."""
    far = []
    for one in limits:
        reach = REACH * max(ends[1] - ends[0], 0.0 if not one.learned else (one.high or 0.0) - (one.low or 0.0))
        near = [y for y in (one.low, one.high) if y is not None and ends[0] - reach <= y <= ends[1] + reach]
        if len(near) < sum(y is not None for y in (one.low, one.high)):
            far.append(f"{_bounded(one, factor)} {unit} ({one.action})".replace(" 1 (", " ("))
        if not near:
            continue
        begin = found.first - 0.5 if one.since is None else float(one.since)
        end = found.last + 0.5 if one.until is None else float(one.until)
        if one.low in near and one.high in near and one.learned:
            axes.fill_between([begin, end], one.low * factor, one.high * factor, color=GOOD, alpha=0.10, linewidth=0)
        axes.hlines([y * factor for y in near], begin, end, color=GOOD, linewidth=1.0, linestyle=(0, (5, 3)))
        if one.until is not None:
            continue  # the words stand at the one that is the last
        word = "learned limit" if one.learned else "limit"
        share, side = _free(found, begin)
        axes.annotate(f"{word}: {one.action}", (share, max(near) * factor), xycoords=("axes fraction", "data"),
                      xytext=(-4 if side == "right" else 4, -3), textcoords="offset points", ha=side, va="top", fontsize=8.5, color=GOOD,
                      path_effects=_outline())  # fmt: skip
    if far:
        axes.annotate(f"beyond the scale: limit {', '.join(far)}", (1.0, 0.0), xycoords="axes fraction", xytext=(-4, 4),
                      textcoords="offset points", ha="right", fontsize=8.5, color=MUTED, path_effects=_outline())  # fmt: skip


def _free(found: Course, begin: float) -> tuple[float, Literal["right", "left"]]:
    """Share of the axis at which the words of a bound from cycle `begin` on stand, and which side of them is there: at the right end, else
    behind a stop where there is room up to the next one."""
    shown = found.last - found.first + 1
    at = sorted((stop.cycle - found.first + 0.5) / shown for stop in found.stops if stop.cycle is not None)
    if not at or 1.0 - at[-1] >= BOUND:
        return 1.0, "right"
    first = max(0.0, (begin - found.first + 0.5) / shown)
    starts = [first, *(share + NEAR for share in at if share > first)]
    for start in starts:
        if start + BOUND <= 1.0 and not any(start <= share < start + BOUND for share in at):
            return start, "left"
    return 1.0, "right"


def _bounded(one: Bounds, factor: float) -> str:
    low, high = (None if y is None else number(y, factor) for y in (one.low, one.high))
    if low is None or high is None:
        return f"≥ {low}" if high is None else f"≤ {high}"
    return f"{low} to {high}"


def _mark(axes: Axes, found: Course, words: bool) -> None:
    """A line in the cycle of each hold, break and change; those of stops with words where these do not hide each other."""
    for act in found.acts:
        if act.cycle is not None:
            axes.axvline(act.cycle, color=DOUBTFUL, linewidth=1.1, linestyle=(0, (1, 3)), zorder=1.5)
    shown, last = found.last - found.first + 1, -np.inf
    for stop in found.stops:
        if stop.cycle is None:
            continue
        axes.axvline(stop.cycle, color=DOUBTFUL, linewidth=1.3, linestyle="-" if stop.words == HELD else (0, (6, 2)), zorder=1.5)
        if words and (stop.cycle - last) / shown >= NEAR:
            last = stop.cycle
            end = (found.last - stop.cycle) / shown < NEAR  # no room at its right
            axes.annotate(_short(stop), (stop.cycle, 1.0), xycoords=("data", "axes fraction"), xytext=(-3 if end else 3, -3), rotation=90,
                          textcoords="offset points", ha="right" if end else "left", va="top", fontsize=8.5, color=INK,
                          path_effects=_outline())  # fmt: skip


def _outline() -> list[withStroke]:
    return [withStroke(linewidth=2.5, foreground="white")]


def _short(stop: Stop) -> str:
    if stop.words != HELD:
        return stop.words
    return HELD if stop.end is None else f"{HELD} {duration(stop.end - stop.begin)}"


def _listed(found: Sequence[Stop]) -> list[str]:
    """Stops and changes in words, each on its line; a long reason is cut, and stands as a whole in the events of the record."""
    if not found:
        return []
    lines = ["holds, breaks and changes; the events of the record have each reason as a whole"]
    for stop in found[:STOPS]:
        at = "before the first cycle" if stop.cycle is None else f"cycle {stop.cycle}"
        lines.append(cut(f"{at}, {_short(stop)}{stop.why}", WORDS))
    return lines if len(found) <= STOPS else [*lines, f"... and {len(found) - STOPS} more"]
