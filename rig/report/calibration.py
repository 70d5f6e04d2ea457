"""The picture of `rig calibrate`: the channel over the reference, and what it is off the new line by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.palette import COMMAND, INK, MEASURED, MUTED, PREDICTED, SHADE
from rig.report.panel import dress
from rig.sensors.calibration import Line, Point
from rig.signals.engineering_units import number, shown

SIZE, DPI = (11.0, 8.0), 100
MARGIN = 0.04
"""Of the span, beyond the points."""


def calibration(path: Path, title: str, unit: str, points: Sequence[Point], line: Line) -> None:
    """Write the picture to `path`, replacing what is there."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(0.085, 0.965, literal(title), fontsize=14, fontweight="bold", color=INK, va="center")
    figure.text(0.085, 0.932, _figures(line, unit), fontsize=10, color=MUTED, va="center")
    name, factor = shown(unit)
    _draw_line(figure.add_axes((0.085, 0.52, 0.885, 0.36)), points, line, name, factor)
    _draw_residuals(figure.add_axes((0.085, 0.08, 0.885, 0.34)), points, line, unit)
    figure.savefig(path)


def _figures(line: Line, unit: str) -> str:
    name, factor = shown(unit)
    scale = f"{line.sensitivity:.7g} {unit}/V, offset {line.offset:.4g} {unit}"
    parts = [scale, f"non-linearity {line.nonlinearity / line.span:.3%} of span"]
    if line.hysteresis is not None:
        parts.append(f"hysteresis {line.hysteresis / line.span:.3%}")
    if line.uncertainty is not None:
        parts.append(f"U (k=2) at {number(line.high, factor)} {name}: {expanded(line, line.high):.3g} {unit}")
    return "   |   ".join(parts)


def expanded(line: Line, reading: float) -> float:
    """U (k = 2) of a reading by the new line."""
    assert line.uncertainty is not None and line.zero_uncertainty is not None
    return math.hypot(line.uncertainty * reading, line.zero_uncertainty)


def _draw_line(axes: Axes, points: Sequence[Point], line: Line, name: str, factor: float) -> None:
    ends = np.array([line.low - MARGIN * line.span, line.high + MARGIN * line.span])
    axes.plot(ends * factor, (ends - line.offset) / line.sensitivity, color=COMMAND, linewidth=1.4, label="new line")
    for way, label, marker, colour in _ways(line):
        chosen = [points[i] for i in way]
        axes.plot([p.reference * factor for p in chosen], [p.volts for p in chosen], marker, color=colour, markersize=7, label=label)
    dress(axes, "Output of the sensor", f"reference, {name}", "V")
    axes.legend(frameon=False, fontsize=9.5, loc="upper left")


def _draw_residuals(axes: Axes, points: Sequence[Point], line: Line, unit: str) -> None:
    name, factor = shown(unit)
    grid = np.linspace(line.low - MARGIN * line.span, line.high + MARGIN * line.span, 201)
    if line.uncertainty is not None:
        band = np.array([expanded(line, reading) for reading in grid])
        axes.fill_between(grid * factor, -band, band, color=SHADE, linewidth=0.0, label="U (k=2)")
    axes.axhline(0.0, color=COMMAND, linewidth=1.4)
    for way, label, marker, colour in _ways(line):
        references = [points[i].reference * factor for i in way]
        axes.plot(references, [line.residuals[i] for i in way], f"{marker}-", color=colour, markersize=7, linewidth=1.0, label=label)
    dress(axes, "What the channel shows less the reference, by the new line", f"reference, {name}", unit)
    axes.legend(frameon=False, fontsize=9.5, loc="upper left", ncols=3)


def _ways(line: Line) -> list[tuple[list[int], str, str, str]]:
    """Points come to from below and from above; what there is of them."""
    looks = ((True, "going up", "^", MEASURED), (False, "going down", "v", PREDICTED))
    both = [([i for i, up in enumerate(line.rising) if up == way], label, marker, colour) for way, label, marker, colour in looks]
    return [one for one in both if one[0]]
