"""One page of a tap: the channel as it rings down with what is fitted, and what that leaves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.identification.tapped import Tapped
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.names import quantity
from rig.report.palette import INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress
from rig.signals.engineering_units import shown

SIZE, DPI = (14.0, 7.0), 110


def draw(found: Tapped, path: Path) -> None:
    """Write the page as PNG."""
    unit, factor = shown(found.unit)
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    (upper, lower) = figure.subplots(2, 1, sharex=True, height_ratios=(2.2, 1.0))
    figure.subplots_adjust(left=0.07, right=0.985, top=0.83, bottom=0.09, hspace=0.28)
    figure.text(0.07, 0.955, literal(f"{found.channel} rings down"), fontsize=17, fontweight="bold", color=INK, va="center")
    modes = ";  ".join(f"{one.frequency:.5g} Hz, damping {100.0 * one.damping:.3g} %" for one in found.found.modes)
    figure.text(0.07, 0.905, literal(f"{found.run}: {modes}"), fontsize=10.5, color=MUTED, va="center")
    t = found.begin + np.arange(len(found.x)) / found.rate
    upper.plot(t, factor * found.x, color=MEASURED, linewidth=1.8, label="measured")
    upper.plot(t, factor * found.found.fitted, color=PREDICTED, linewidth=0.9, label="as fitted")
    upper.legend(frameon=False, fontsize=9, loc="upper right")
    lower.plot(t, factor * (found.x - found.found.fitted), color=MUTED, linewidth=0.9)
    dress(upper, "behind the tap", "", f"{quantity(found.unit)}, {unit}")
    dress(lower, "what the fit leaves", "time of the record, s", unit)
    figure.savefig(path, format="png")
