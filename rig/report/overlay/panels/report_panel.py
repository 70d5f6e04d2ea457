"""The contract of a panel of overlay.png: where it stands, when, and how it is filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.patheffects import withStroke

from rig.report.overlay.content import OverlayData
from rig.report.palette import DOUBTFUL, INK, SHADE

OF_THE_USER = "below"
"""Two in a row, under everything else."""
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
        axes.axvspan(first / data.rate, last / data.rate, color=SHADE, linewidth=0, zorder=0)


def mark_interruptions(axes: Axes, data: OverlayData, words: bool = False) -> None:
    """A band where the test was held, a line where it was broken off and went on; with words, where these do not hide each other."""
    whole = max(len(data.command) / data.rate, 1e-9)
    last = -NEAR
    for one in data.interruptions:
        end = whole if one.end is None else one.end
        if end > one.begin:
            axes.axvspan(one.begin, end, color=DOUBTFUL, alpha=0.18, linewidth=0, zorder=0.5)
        else:
            axes.axvline(one.begin, color=DOUBTFUL, linewidth=1.4, linestyle=(0, (6, 2)), zorder=4)
        if words and one.begin / whole - last >= NEAR:
            last = one.begin / whole
            outline = [withStroke(linewidth=2.5, foreground="white")]
            axes.annotate(one.words, (one.begin, 1.0), xycoords=("data", "axes fraction"), xytext=(3, -3), textcoords="offset points",
                          rotation=90, ha="left", va="top", fontsize=8.5, color=INK, zorder=6, path_effects=outline)  # fmt: skip
