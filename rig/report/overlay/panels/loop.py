"""Force over stroke of the last counted cycle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec

from rig.report.names import quantity
from rig.report.overlay.content import OverlayData
from rig.report.overlay.panels.report_panel import ReportPanel
from rig.report.palette import MEASURED, PREDICTED
from rig.report.panel import dress, say
from rig.report.reducing import along, thinned
from rig.signals.engineering_units import shown


@dataclass(frozen=True)
class Config(ReportPanel):
    """Of a loader: what the specimen does in one cycle."""

    PLACE: ClassVar[str] = "middle right"

    def fits(self, data: OverlayData) -> bool:
        return data.turn is None

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        _draw(figure.add_subplot(place), data)


def _draw(axes: Axes, data: OverlayData) -> None:
    unit, factor = shown(data.controlled.unit)
    dress(axes, "Force and stroke, last counted cycle", "stroke, mm", f"{quantity(data.controlled.unit)}, {unit}")
    if data.stroke is None or data.stroke is data.controlled:
        say(axes, "no second channel to plot against")
        return
    first, last = _last_cycle(data)
    followed = data.stroke.measured if data.stroke.predicted is None else data.stroke.predicted  # a stroke that leads the model is its own
    pairs = ((data.stroke.measured, data.controlled.measured, MEASURED, 2.6), (followed, data.controlled.predicted, PREDICTED, 1.2))
    for stroke, force, colour, width in pairs:
        if force is None:
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
    period = round((known or 1.0) * data.rate)
    for one in reversed(data.interruptions):  # a specimen that is held, or on its way to it, makes no loop
        until = math.inf if one.end is None else one.end * data.rate
        if one.begin * data.rate < end and until + period > end - period and one.end != one.begin:
            end = round(one.begin * data.rate)
    return max(0, end - period), end
