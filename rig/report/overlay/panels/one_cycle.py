"""One cycle in close-up, where there is no load reversal to look at: a stroke is commanded, or a load that keeps its sign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec

from rig.report.names import quantity
from rig.report.overlay.content import OverlayData
from rig.report.overlay.panels.report_panel import ReportPanel
from rig.report.palette import COMMAND, MEASURED, PREDICTED
from rig.report.panel import dress, say
from rig.report.reducing import envelopes
from rig.signals.engineering_units import shown

SECOND = 1.0  # s: what is shown of a test without a period


@dataclass(frozen=True)
class Config(ReportPanel):
    """Of a loader: the cycle in the middle of what counts; of a test without a period a second."""

    PLACE: ClassVar[str] = "middle"

    def fits(self, data: OverlayData) -> bool:
        return data.turn is None and data.impacts is None

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        _draw(figure.add_subplot(place), data)


def _draw(axes: Axes, data: OverlayData) -> None:
    unit, factor = shown(data.controlled.unit)
    period = data.agreement.period_s if data.agreement is not None else None
    title = "One second" if period is None else "One cycle"
    dress(axes, f"{title} in the middle of what counts", "time, s", f"{quantity(data.controlled.unit)}, {unit}")
    if not data.counts:
        say(axes, "no counted cycle")
        return
    first, last = _middle(data.counts, (period or SECOND) * data.rate)
    n, curves = envelopes(data.shown, first, last)
    looks = ((COMMAND, 1.4), (MEASURED, 2.8), (PREDICTED, 1.4))
    commanded = data.command_unit in ("", data.controlled.unit)
    for y, (colour, width) in list(zip(curves, looks, strict=False))[0 if commanded else 1 :]:
        axes.plot(n / data.rate, y * factor, color=colour, linewidth=width)
    axes.margins(x=0.0, y=0.08)


def _middle(counts: range, samples: float) -> tuple[int, int]:
    """(first, behind the last) of so many samples in the middle of those that count; of fewer all."""
    spare = max(0.0, len(counts) - samples)
    return counts.start + round(0.5 * spare), counts.stop - round(0.5 * spare)
