"""Error of the largest value, cycle by cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import MaxNLocator

from rig.comparison import CONVENTION
from rig.report.overlay.content import OverlayData
from rig.report.overlay.panels.report_panel import ReportPanel
from rig.report.palette import MUTED, PREDICTED
from rig.report.panel import dress, say


@dataclass(frozen=True)
class Config(ReportPanel):
    """Every counted cycle as a point, and the tolerance."""

    PLACE: ClassVar[str] = "bottom right"

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        _draw(figure.add_subplot(place), data)


def _draw(axes: Axes, data: OverlayData) -> None:
    dress(axes, f"Error of the largest {data.quantity}, by cycle", "counted cycle", f"{CONVENTION}, %")
    rows = [(c.cycle, c.error) for c in data.agreement.cycles if c.error is not None] if data.agreement is not None else []
    if not rows:
        say(axes, "no counted cycle")
        return
    numbers = np.array([number for number, _ in rows])
    errors = np.array([100.0 * error for _, error in rows])
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
