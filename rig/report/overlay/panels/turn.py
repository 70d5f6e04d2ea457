"""One turn in close-up: every compared channel over the angle, under each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec

from rig.report.names import words
from rig.report.overlay.content import OverlayData
from rig.report.overlay.loss_angles import CHANNEL, LossAngles
from rig.report.overlay.panels.report_panel import ReportPanel
from rig.report.overlay.turn import Row, Turn
from rig.report.palette import MEASURED, MUTED, PREDICTED
from rig.report.panel import dress
from rig.report.reducing import envelope
from rig.signals.engineering_units import fitting

HIGHEST = 3
"""Channels under each other; of more there are two columns."""
TICK = 45.0  # deg


@dataclass(frozen=True)
class Config(ReportPanel):
    """Of a motor rig; across the page where nothing is known of contact losses."""

    PLACE: ClassVar[str] = "middle"

    def fits(self, data: OverlayData) -> bool:
        return data.turn is not None

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        assert data.turn is not None
        _draw_all(figure, place, data.turn, data.losses)


def _draw_all(figure: Figure, place: SubplotSpec, turn: Turn, losses: LossAngles | None) -> None:
    columns = 1 if len(turn.rows) <= HIGHEST else 2
    rows = -(-len(turn.rows) // columns)
    grid = place.subgridspec(rows, columns, hspace=0.32 if rows > 1 else 0.0, wspace=0.14)
    for i, row in enumerate(turn.rows):
        axes = figure.add_subplot(grid[i % rows, i // rows])
        last = i % rows == rows - 1 or i == len(turn.rows) - 1
        _draw(axes, turn, row, f"{turn.title}: {words(row.name).lower()}" if i == 0 else words(row.name), last)
        if losses is not None and row.name == CHANNEL:
            _mark(axes, turn, losses)


def _draw(axes: Axes, turn: Turn, row: Row, title: str, last: bool) -> None:
    unit, factor = fitting(row.unit, float(np.nanmax(np.abs(row.measured), initial=0.0)))
    _curves(axes, turn, row, factor, 1.4)
    dress(axes, title, turn.label if last else "", unit)
    axes.set_xlim(turn.begin, turn.begin + 360.0)
    ticks = TICK * np.arange(np.ceil(turn.begin / TICK), np.floor((turn.begin + 360.0) / TICK) + 1.0)
    axes.set_xticks(ticks, [f"{tick:g}" if tick <= 360.0 else f"{tick - 360.0:g}" for tick in ticks])
    if not last:
        axes.tick_params(labelbottom=False)
    axes.margins(y=0.1)


def _curves(axes: Axes, turn: Turn, row: Row, factor: float, width: float) -> None:
    order = np.argsort(turn.along, kind="stable")  # a shaft may be turned backwards
    for values, colour, thick in ((row.measured, MEASURED, 2.0 * width), (row.predicted, PREDICTED, width)):
        x, y = envelope(turn.along[order], values[order] * factor)
        axes.plot(x, y, color=colour, linewidth=thick)


def _mark(axes: Axes, turn: Turn, losses: LossAngles) -> None:
    """The contact losses of this turn as marks on the angle's axis."""
    for found, colour, size in ((losses.measured, MEASURED, 9.0), (losses.predicted, PREDICTED, 6.0)):
        angles = np.degrees(losses.whole(found) - turn.before)
        angles = angles[(angles >= turn.begin) & (angles < turn.begin + 360.0)]
        axes.plot(angles, np.zeros_like(angles), "^", color=colour, markersize=size, markeredgecolor="white", markeredgewidth=0.6,
                  transform=axes.get_xaxis_transform(), clip_on=False, zorder=5)  # fmt: skip
    axes.annotate("▲ contact lost", (1.0, 1.0), xycoords="axes fraction", xytext=(0, 4), textcoords="offset points", ha="right",
                  fontsize=8.5, color=MUTED)  # fmt: skip
