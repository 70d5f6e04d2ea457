"""Predicted less measured over the whole run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.patheffects import withStroke

from rig.comparison import CONVENTION
from rig.report.overlay.content import OverlayData
from rig.report.overlay.panels.report_panel import ReportPanel, dress_time, mark_interruptions, shade
from rig.report.palette import GOOD, INK
from rig.report.panel import dress, say
from rig.signals.engineering_units import shown


@dataclass(frozen=True)
class Config(ReportPanel):
    """Under the whole run, over the same time."""

    PLACE: ClassVar[str] = "bottom"

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        _draw(figure.add_subplot(place), data)


def _draw(axes: Axes, data: OverlayData) -> None:
    unit, factor = shown(data.controlled.unit)
    dress(axes, "Predicted minus measured", "time, s", f"{CONVENTION}, {unit}")
    if data.controlled.predicted is None:
        say(axes, "no prediction recorded")
        return
    time, curves = data.whole
    shade(axes, data)
    mark_interruptions(axes, data)
    if data.agreement is not None and data.agreement.amplitude:
        bound = 0.05 * data.agreement.amplitude * factor
        axes.axhspan(-bound, bound, color=GOOD, alpha=0.10, linewidth=0)
        axes.annotate("± 5 % A", (0.0, bound), xycoords=("axes fraction", "data"), xytext=(4, 2), textcoords="offset points",
                      fontsize=8.5, color=GOOD, zorder=5, path_effects=[withStroke(linewidth=2.5, foreground="white")])  # fmt: skip
    axes.plot(time, curves[-1] * factor, color=INK, linewidth=0.8)
    axes.margins(x=0.0, y=0.12)
    dress_time(axes, data)
