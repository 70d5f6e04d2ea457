"""The whole run: command, measured and predicted over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec

from rig.report.names import words
from rig.report.overlay.content import OverlayData
from rig.report.overlay.panels.report_panel import ReportPanel, dress_time, mark_interruptions, shade
from rig.report.palette import COMMAND, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress
from rig.report.reducing import Floats
from rig.signals.engineering_units import shown

TURN = 2.0 * np.pi


@dataclass(frozen=True)
class Config(ReportPanel):
    """Everything that was recorded, grey where it does not count."""

    PLACE: ClassVar[str] = "top"

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        _draw(figure.add_subplot(place), data)


def _draw(axes: Axes, data: OverlayData) -> None:
    time, curves = data.whole
    unit, factor = shown(data.controlled.unit)
    shade(axes, data)
    mark_interruptions(axes, data, words=True)
    apart = data.command_unit not in ("", data.controlled.unit)
    looks = ((COMMAND, 1.0, "command"), (MEASURED, 1.9, "measured"), (PREDICTED, 0.9, "predicted"))
    for y, (colour, width, label) in list(zip(curves[: len(data.shown)], looks, strict=False))[apart:]:
        axes.plot(time, y * factor, color=colour, linewidth=width, label=label)
    if apart:
        _draw_command(axes, data, time, curves[0])
    dress(axes, f"{words(data.channel)}, whole run (grey: does not count)", "time, s", f"{data.quantity}, {unit}")
    axes.margins(x=0.0, y=0.08)
    dress_time(axes, data, words=True)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, frameon=False, fontsize=9.5, borderaxespad=0.2)


def _draw_command(axes: Axes, data: OverlayData, time: Floats, command: Floats) -> None:
    """The command on a scale of its own, at the right: it is in another unit."""
    unit, factor = ("turns", 1.0 / TURN) if data.command_unit == "rad" else shown(data.command_unit)
    axes.plot([], [], color=COMMAND, linewidth=1.6, label="command")
    other = axes.twinx()
    other.plot(time, command * factor, color=COMMAND, linewidth=1.6)
    if float(np.nanmin(command, initial=0.0)) >= 0.0:  # a way that only grows, from its beginning
        other.set_ylim(bottom=0.0)
    other.tick_params(labelsize=8.5, colors=MUTED, length=3)
    other.yaxis.set_major_formatter(lambda value, _: f"{value:g} {unit}")
    for spine in other.spines.values():
        spine.set_visible(False)
