"""overlay.png: measured and predicted over each other, as one page. Drawn by matplotlib's Agg; no window system is touched."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from matplotlib.gridspec import GridSpec, SubplotSpec

from rig.config import kinds
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.lines import cut
from rig.report.overlay.content import OverlayData
from rig.report.overlay.panels.report_panel import OF_THE_USER, ReportPanel
from rig.report.palette import INK, MUTED
from rig.report.panel import dress, say

SIZE = (16.0, 10.0)
DPI = 125
ROOM = "rig.report.overlay.panels"
LEFT, RIGHT, TOP, BOTTOM = 0.052, 0.985, 0.882, 0.062
"""Edges of the panels, as shares of the page."""
ROW = 3.4
"""Height that two panels of the user's own add, inch."""
TITLE, SUBTITLE = 105, 190
"""Characters that fit across the page."""
LINE = 80
"""Characters of a line that says why a panel is not there."""
MARGIN = 0.62
"""Below each such row, for what stands at its axis, inch."""


Draw = Callable[[Figure, SubplotSpec, OverlayData], None]


def overlay(path: Path, data: OverlayData) -> None:
    """Write the page to `path` (PNG), replacing what is there."""
    found, wrong = _panels(data)
    own = [panel for panel in found if panel.place(data) == OF_THE_USER]
    more = [*(_shielded(panel) for panel in own), *(_absent(name, why) for name, why in wrong.items())]
    added = ROW * -(-len(more) // 2)
    figure = Figure(figsize=(SIZE[0], SIZE[1] + added), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    share = SIZE[1] / (SIZE[1] + added)
    heads = ((0.969, data.title, 17, "bold", INK, TITLE), (0.937, data.subtitle, 10.5, "normal", MUTED, SUBTITLE))
    for height, text, size, weight, colour, most in heads:
        figure.text(
            LEFT, 1.0 - (1.0 - height) * share, literal(cut(text, most)), fontsize=size, fontweight=weight, color=colour, va="center"
        )
    places = _places(figure, data, found, share)
    for panel in found:
        if panel.place(data) in places:
            panel.draw(figure, places[panel.place(data)], data)
    for draw, place in zip(more, _below(figure, len(more), 1.0 - share), strict=True):
        draw(figure, place, data)
    new = path.with_name(path.name + ".new")
    figure.savefig(new, format="png")
    new.replace(path)


def _shielded(panel: ReportPanel) -> Draw:
    """What draws a panel of the user's own, whose faults stand in its place: the verdict beside it is to be seen all the same."""

    def draw(figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        there = len(figure.axes)
        try:
            panel.draw(figure, place, data)
        except Exception as error:  # the user's program: it may raise whatever it likes
            for axes in figure.axes[there:]:
                axes.remove()
            _absent(kinds.kind_of(panel), f"cannot be drawn: {type(error).__name__}: {error}")(figure, place, data)

    return draw


def _absent(name: str, why: str) -> Draw:
    """A panel that says why there is none."""

    def draw(figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        axes = figure.add_subplot(place)
        dress(axes, name, "", "")
        say(axes, literal(textwrap.fill(why, LINE)))

    return draw


def _panels(data: OverlayData) -> tuple[list[ReportPanel], dict[str, str]]:
    """Those that fit, of the program and of the user, in the order of their names; and why others cannot be taken."""
    found: list[ReportPanel] = []
    wrong = dict(kinds.faults(ROOM))
    for name in kinds.names(ROOM):
        try:
            panel: ReportPanel = kinds.config_class(ROOM, name)()
            found += [panel] if panel.fits(data) else []
        except Exception as error:  # perhaps the user's program: it may raise whatever it likes
            wrong[name] = f"{name} cannot be taken: {type(error).__name__}: {error}"
    return found, wrong


def _grid(figure: Figure, data: OverlayData, share: float) -> GridSpec:
    return figure.add_gridspec(
        3, 2, width_ratios=(2.05, 1.0), height_ratios=(1.0, 1.35, 0.85) if data.turn is None else (0.85, 1.75, 0.7),
        left=LEFT, right=RIGHT, top=1.0 - (1.0 - TOP) * share, bottom=1.0 - (1.0 - BOTTOM) * share, hspace=0.36, wspace=0.13,
    )  # fmt: skip


def _places(figure: Figure, data: OverlayData, found: Sequence[ReportPanel], share: float) -> Mapping[str, SubplotSpec]:
    """The middle goes across the page where nothing stands beside it."""
    grid = _grid(figure, data, share)
    rows = {name: (grid[row, 0], grid[row, 1]) for row, name in enumerate(("top", "middle", "bottom"))}
    places = {name: left for name, (left, _) in rows.items()} | {f"{name} right": right for name, (_, right) in rows.items()}
    if not any(panel.place(data) == "middle right" for panel in found):
        places["middle"] = grid[1, :]
    return places


def _below(figure: Figure, count: int, share: float) -> list[SubplotSpec]:
    """Places for panels of the user's own in the lowest `share` of the page."""
    if not count:
        return []
    rows = -(-count // 2)
    margin = MARGIN / ROW * share / rows
    grid = figure.add_gridspec(rows, 2, left=LEFT, right=RIGHT, top=share - margin, bottom=margin, hspace=0.36, wspace=0.13)
    return [grid[i // 2, i % 2] for i in range(count)]
