"""Levels in the band that are judged: of every counted cycle, of the whole, and what the tolerance allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import MaxNLocator

from rig.comparison import ChannelAgreement, Line
from rig.report.lines import error_text
from rig.report.names import words
from rig.report.overlay.content import OverlayData
from rig.report.overlay.panels.report_panel import OF_THE_USER, ReportPanel
from rig.report.palette import GOOD, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress, say
from rig.signals.engineering_units import fitting

METRIC = "band_level"
FEW = 60
"""Cycles that are drawn as points."""
HEADROOM = 0.35
"""Above the highest of what is drawn, for the words, as a share of it."""


@dataclass(frozen=True)
class Config(ReportPanel):
    """Beside a turn where nothing else stands there, else under everything."""

    def fits(self, data: OverlayData) -> bool:
        return data.verdict is not None and any(line.metric == METRIC for line in data.verdict.lines)

    def place(self, data: OverlayData) -> str:
        return "middle right" if data.turn is not None and data.losses is None else OF_THE_USER

    def draw(self, figure: Figure, place: SubplotSpec, data: OverlayData) -> None:
        lines = [line for line in data.verdict.lines if line.metric == METRIC] if data.verdict else []
        grid = place.subgridspec(len(lines), 1, hspace=0.32)
        for i, line in enumerate(lines):
            _draw(figure.add_subplot(grid[i]), line, data.agreements.get(line.channel), data.band, i == len(lines) - 1)


def _draw(axes: Axes, line: Line, agreement: ChannelAgreement | None, band: tuple[float, float] | None, last: bool) -> None:
    edges = "" if band is None else f", {band[0]:g} to {band[1]:g} Hz"
    measured = None if agreement is None else agreement.band_level_measured
    unit, factor = fitting("" if agreement is None else agreement.unit, measured)
    dress(axes, f"{words(line.channel)}: level{edges}", "counted cycle" if last else "", f"rms, {unit}")
    if agreement is None or measured is None or agreement.band_level_predicted is None:
        say(axes, "no level could be told")
        return
    predicted, allowed = agreement.band_level_predicted * factor, (measured * (1.0 - line.tolerance), measured * (1.0 + line.tolerance))
    axes.axhspan(allowed[0] * factor, allowed[1] * factor, color=GOOD, alpha=0.13, linewidth=0)
    axes.axhline(measured * factor, color=MEASURED, linewidth=1.6)
    axes.axhline(predicted, color=PREDICTED, linewidth=1.6, linestyle=(0, (5, 3)))
    highest = max(allowed[1] * factor, predicted, _cycles(axes, agreement, factor))
    axes.set_ylim(0.0, highest * (1.0 + HEADROOM))
    _say(axes, line, measured * factor, predicted)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.04)


def _cycles(axes: Axes, agreement: ChannelAgreement, factor: float) -> float:
    """Each cycle by itself; returns the highest."""
    rows = agreement.band_cycles
    numbers = np.array([one.cycle for one in rows])
    both = factor * np.array([[one.measured, one.predicted] for one in rows]).reshape(-1, 2)
    for values, colour, size in ((both[:, 0], MEASURED, 5.5), (both[:, 1], PREDICTED, 3.5)):
        axes.plot(numbers, values, "o" if len(rows) <= FEW else "-", color=colour, markersize=size, linewidth=0.8, alpha=0.75)
    return float(np.max(both, initial=0.0))


def _say(axes: Axes, line: Line, measured: float, predicted: float) -> None:
    """The two levels in words, and how far they may be apart."""
    said = (
        (0.0, "left", f"measured {measured:.3g}", MEASURED),
        (0.5, "center", f"predicted {predicted:.3g} ({error_text(line)} %)", PREDICTED),
        (1.0, "right", f"allowed ± {100.0 * line.tolerance:g} %", GOOD if line.passed else MUTED),
    )
    for x, side, text, colour in said:
        style: dict[str, Any] = {"fontsize": 8.8, "color": colour, "ha": side, "va": "top"}
        if x == 0.5 and not line.passed:
            style["fontweight"] = "bold"
        axes.annotate(text, (x, 1.0), xycoords="axes fraction", xytext=(4 - 8 * x, -4), textcoords="offset points", **style)
