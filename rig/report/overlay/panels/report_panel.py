"""The contract of a panel of overlay.png: where it stands, when, and how it is filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec

from rig.report.overlay.content import OverlayData
from rig.report.palette import SHADE

OF_THE_USER = "below"
"""Two in a row, under everything else."""


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
