"""The contract of a panel of overlay.png: where it stands, when, and how it is filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.patheffects import withStroke

from rig.console.durations import duration
from rig.report.lines import cut
from rig.report.overlay.content import OverlayData
from rig.report.palette import DOUBTFUL, INK, MUTED, SHADE

LONGEST = 24
"""Characters of what is written along an interruption, at the height of a panel."""
OF_THE_USER = "below"
"""Two in a row, under everything else."""
READABLE = 0.012
"""Share of the axis that a break takes at least to have words in it."""
NEAR = 0.02
"""Share of the time axis between the words of two interruptions: nearer ones are marked without words."""


@dataclass(frozen=True)
class ReportPanel:
    """What `Config` of a panel's file derives from. A panel of the user's own leaves `PLACE` as it is."""

    PLACE: ClassVar[str] = OF_THE_USER

    def fits(self, data: OverlayData) -> bool:
        """Whether the page of this run has it."""
        return True

    def place(self, data: OverlayData) -> str:
        """Where it stands on the page of this run."""
        return self.PLACE

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        """Fill the place: `figure.add_subplot(place)`. `rig.report.panel` has the look that the others have."""
        raise NotImplementedError(f"{type(self).__module__}: a panel has a method draw(figure, place, data)")


def shade(axes: Axes, data: OverlayData) -> None:
    """Mark what does not count: soft start and stop, and the first cycles."""
    end = len(data.command) - 1
    ends = (0, data.counts[0], data.counts[-1], end) if data.counts else (0, end)
    for first, last in zip(ends[::2], ends[1::2], strict=True):
        axes.axvspan(data.shown_time(first / data.rate), data.shown_time(last / data.rate), color=SHADE, linewidth=0, zorder=0)


def mark_interruptions(axes: Axes, data: OverlayData, words: bool = False) -> None:
    """A band where the test was held, a line where it was broken off and went on; with words, where these do not hide each other."""
    shown = data.shown_time
    whole = max(shown.end, 1e-9)
    last = -NEAR
    for one in data.interruptions:
        begin, end = shown(one.begin), whole if one.end is None else shown(one.end)
        if end > begin:
            axes.axvspan(begin, end, color=DOUBTFUL, alpha=0.18, linewidth=0, zorder=0.5)
        else:
            axes.axvline(begin, color=DOUBTFUL, linewidth=1.4, linestyle=(0, (6, 2)), zorder=4)
        if words and begin / whole - last >= NEAR:
            last = begin / whole
            outline = [withStroke(linewidth=2.5, foreground="white")]
            axes.annotate(cut(one.words, LONGEST), (begin, 1.0), xycoords=("data", "axes fraction"), xytext=(3, -3),
                          textcoords="offset points", rotation=90, ha="left", va="top", fontsize=8.5, color=INK, zorder=6,
                          path_effects=outline)  # fmt: skip


def dress_time(axes: Axes, data: OverlayData, words: bool = False) -> None:
    """Figures of the axis of time, and a gap with a jagged edge where it is broken; with words how long that was, where there is room."""
    shown = data.shown_time
    if not shown.breaks:
        return
    ticks = shown.ticks()
    axes.set_xticks([shown(time) for time in ticks], [f"{time:g}" for time in ticks])
    for one in shown.breaks:
        begin = shown(one.begin)
        axes.axvspan(begin, begin + shown.width, facecolor="white", edgecolor=MUTED, hatch="////", linewidth=0, alpha=0.45, zorder=5)
        for edge in (begin, begin + shown.width):
            axes.axvline(edge, color=MUTED, linewidth=0.9, linestyle=(0, (2, 2)), zorder=5.5)
        if words and shown.width >= READABLE * shown.end:
            axes.annotate(f"{one.words} {duration(one.end - one.begin)}", (begin + 0.5 * shown.width, 0.5), rotation=90, ha="center",
                          xycoords=("data", "axes fraction"), va="center", fontsize=8.5, color=INK, zorder=6,
                          path_effects=[withStroke(linewidth=2.5, foreground="white")])  # fmt: skip
