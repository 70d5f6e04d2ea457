"""One page of an identification: the cycle as measured and as fitted, what is left beside right specimens, each number's profile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from rig.config.spreads import FreeNumber
from rig.identification.identified import Curve, Identified
from rig.identification.profiles import Profile
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.names import quantity
from rig.report.palette import COMMAND, GOOD, INK, MEASURED, MUTED, PREDICTED, SHADE
from rig.report.panel import dress
from rig.signals.engineering_units import shown

WIDTH, ROW, HEAD = 16.0, 3.3, 1.1  # inches
DPI = 110


def draw(found: Identified, title: str, subtitle: str, path: Path) -> None:
    """Write the page as PNG."""
    rows = max(len(found.curves), len(found.free))
    height = HEAD + ROW * rows
    figure = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(
        rows,
        3,
        left=0.055,
        right=0.985,
        top=1.0 - HEAD / height,
        bottom=0.62 / height,
        hspace=0.42,
        wspace=0.24,
        width_ratios=(1.1, 1.1, 1.0),
    )
    figure.text(0.055, 1.0 - 0.3 / height, literal(title), fontsize=17, fontweight="bold", color=INK, va="center")
    figure.text(0.055, 1.0 - 0.62 / height, literal(subtitle), fontsize=10.5, color=MUTED, va="center")
    for k, curve in enumerate(found.curves):
        _cycle(figure.add_subplot(grid[k, 0]), curve)
        _left(figure.add_subplot(grid[k, 1]), curve)
    for k, (one, profile) in enumerate(zip(found.free, found.profiles, strict=True)):
        _profile(figure.add_subplot(grid[k, 2]), one, profile, float(found.values[k]), (float(found.low[k]), float(found.high[k])))
    figure.savefig(path, format="png")


def _cycle(axes: Axes, curve: Curve) -> None:
    unit, factor = shown(curve.unit)
    phase = np.linspace(0.0, 360.0, len(curve.measured), endpoint=False)
    for values, colour, width, label in (
        (curve.filed, COMMAND, 1.2, "model of the file"),
        (curve.measured, MEASURED, 2.2, "measured"),
        (curve.fitted, PREDICTED, 1.0, "model as fitted"),
    ):
        axes.plot(phase, factor * values, color=colour, linewidth=width, label=label)
    _dressed(axes, f"{curve.channel}, mean cycle as fitted", f"{quantity(curve.unit)}, {unit}")
    axes.legend(frameon=False, fontsize=8.5, loc="best")


def _left(axes: Axes, curve: Curve) -> None:
    unit, factor = shown(curve.unit)
    phase = np.linspace(0.0, 360.0, len(curve.measured), endpoint=False)
    axes.fill_between(phase, factor * curve.low, factor * curve.high, color=SHADE, linewidth=0.0, label="95 % of right specimens")
    axes.plot(phase, factor * (curve.measured - curve.filed), color=COMMAND, linewidth=1.0, label="measured - model of the file")
    axes.plot(phase, factor * (curve.measured - curve.fitted), color=MEASURED, linewidth=1.2, label="measured - model as fitted")
    _dressed(axes, "What is left", f"{quantity(curve.unit)}, {unit}")
    axes.legend(frameon=False, fontsize=8.5, loc="best")


def _dressed(axes: Axes, title: str, what: str) -> None:
    dress(axes, title, "phase of the cycle, deg", what)
    axes.set_xticks(range(0, 361, 60))
    axes.set_xlim(0.0, 360.0)


def _profile(axes: Axes, one: FreeNumber, profile: Profile, value: float, interval: tuple[float, float]) -> None:
    unit, factor = one.shown
    values = factor * np.array([one.value(float(share)) for share in profile.shares])
    scale = profile.level or 1.0
    axes.axvspan(factor * interval[0], factor * interval[1], color=SHADE, linewidth=0.0, label="95 % interval")
    axes.plot(values, profile.rise / scale, color=INK, linewidth=1.4, label="rise of the misfit")
    axes.axhline(1.0, color=MUTED, linewidth=0.9, linestyle="--", label="95 % of right specimens rise by less")
    axes.axvline(factor * value, color=PREDICTED, linewidth=1.4, label="identified")
    if values[0] <= factor * one.nominal <= values[-1]:
        axes.axvline(factor * one.nominal, color=GOOD, linewidth=1.2, linestyle=":", label="in the file")
    if one.prior is not None:
        axes.errorbar(factor * one.prior, 0.5, xerr=factor * one.prior_std, color=MEASURED, marker="o", capsize=3, label="prior, one sigma")
    axes.set_xlim(values[0], values[-1])
    axes.set_ylim(0.0, 6.0)
    dress(axes, one.key, one.key if unit == "1" else f"{one.key}, {unit}", "rise, of the dashed line")
    axes.legend(facecolor="white", framealpha=0.85, edgecolor="none", fontsize=8.5, loc="upper right")
