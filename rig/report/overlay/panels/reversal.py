"""One load reversal in close-up: when each signal hits, how hard, and both once more magnified."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec

from rig.comparison.responses import IMPACT_LEVEL
from rig.report.names import quantity
from rig.report.overlay.content import Impacts, OverlayData
from rig.report.overlay.panels.report_panel import ReportPanel
from rig.report.palette import COMMAND, GRID, MEASURED, MUTED, PREDICTED, mono
from rig.report.panel import dress
from rig.report.reducing import envelopes
from rig.signals.engineering_units import shown

CLOSER = 0.012
"""The impacts are magnified when they are this near to each other, s."""


@dataclass(frozen=True)
class Config(ReportPanel):
    """Of a loader whose load reverses in what counts; else there is one cycle in its place."""

    PLACE: ClassVar[str] = "middle"

    def fits(self, data: OverlayData) -> bool:
        return data.turn is None and data.impacts is not None

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        _draw(figure.add_subplot(place), data)


def _draw(axes: Axes, data: OverlayData) -> None:
    unit, factor = shown(data.controlled.unit)
    force = f"{quantity(data.controlled.unit)}, {unit}"
    assert data.impacts is not None
    at = data.impacts.reversal
    first, last = _around(data.impacts, data.rate, len(data.command))
    axes.axhline(at.sign * IMPACT_LEVEL * at.amplitude * factor, color=MUTED, linewidth=0.8, linestyle=(0, (5, 4)))
    _draw_reversal(axes, data, first, last, factor)
    dress(axes, f"One load reversal, cycle {at.cycle}", "time after the zero of the command, ms", force)
    axes.margins(x=0.0, y=0.12)
    _mark_impacts(axes, data.impacts, factor, unit)
    _draw_closer(axes, data, factor)


def _draw_reversal(axes: Axes, data: OverlayData, first: int, last: int, factor: float, width: float = 1.4) -> None:
    """Command, measured and predicted over milliseconds after the zero."""
    assert data.impacts is not None
    n, reduced = envelopes(data.shown, first, last)
    ms = (n - data.impacts.reversal.zero) / data.rate * 1e3
    looks = ((COMMAND, width), (MEASURED, 2.0 * width), (PREDICTED, width))
    for y, (colour, linewidth) in zip(reduced, looks, strict=False):
        axes.plot(ms, y * factor, color=colour, linewidth=linewidth)


def _draw_closer(axes: Axes, data: OverlayData, factor: float) -> None:
    """The impacts once more, magnified, in the half of the panel that the force leaves free; only when they lie close together."""
    assert data.impacts is not None
    times, at = data.impacts.times, data.impacts.reversal
    if not times or max(times) - min(times) > CLOSER:
        return
    first, last = int(at.zero + (min(times) - 0.003) * data.rate), int(at.zero + (max(times) + CLOSER) * data.rate)
    first, last = max(0, first), min(last, len(data.command))
    inset = axes.inset_axes((0.69, 0.10, 0.30, 0.52) if at.sign > 0 else (0.69, 0.40, 0.30, 0.52))
    _draw_reversal(inset, data, first, last, factor, width=0.9)
    inset.margins(x=0.0, y=0.1)
    inset.tick_params(labelsize=8, colors=MUTED, length=2)
    inset.grid(True, color=GRID, linewidth=0.6)
    for spine in inset.spines.values():
        spine.set_color(MUTED)
    inset.set_title("magnified", loc="right", fontsize=8, color=MUTED, pad=2)
    for connector in axes.indicate_inset_zoom(inset, edgecolor=MUTED, linewidth=0.8).connectors or ():
        connector.set_visible(False)


def _around(impacts: Impacts, rate: float, count: int) -> tuple[int, int]:
    """Samples from a little before the zero to a little after the later impact's peak window."""
    at = impacts.reversal
    after = max(impacts.times) * rate + 0.12 * at.period if impacts.times else 0.40 * at.period
    return max(0, int(at.zero - 0.03 * at.period)), min(count, int(at.zero + after + 0.010 * rate))


def _mark_impacts(axes: Axes, impacts: Impacts, factor: float, unit: str) -> None:
    """First impact as a line on the time axis, impact peak as a level, both with their numbers."""
    at = impacts.reversal
    level = at.sign * IMPACT_LEVEL * at.amplitude * factor
    axes.annotate("0.1 A", (0.0, level), xycoords=("axes fraction", "data"), xytext=(4, 4), textcoords="offset points",
                  fontsize=8.5, color=MUTED)  # fmt: skip
    rows = [(f"{'':<10}{'first impact':>14}{'peak in 10 ms':>16}", MUTED)]
    for name, response, colour in impacts.responses:
        if not math.isfinite(response.first_impact):
            rows.append((f"{name:<10}{'none':>14}", colour))
            continue
        ms, peak = response.first_impact * 1e3, at.sign * response.impact_peak * factor
        axes.plot(
            [ms],
            [level],
            marker="o",
            markersize=10 if colour == MEASURED else 6,
            color=colour,
            markeredgecolor="white",
            markeredgewidth=1.0,
            zorder=5,
        )
        axes.plot([ms, ms + 10.0], [peak, peak], color=colour, linewidth=1.2, linestyle=(0, (2, 1.5)), zorder=4)
        rows.append((f"{name:<10}{ms:11.2f} ms{peak:13.3f} {unit}", colour))
    for i, (text, colour) in enumerate(rows):
        axes.text(0.015, (0.93 if at.sign > 0 else 0.22) - 0.075 * i, f"{text:<40}", **mono(axes, colour))
