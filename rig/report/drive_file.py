"""What remains of an iterated drive: iteration.h5 with the signals and the lines, iteration.png with the picture."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import h5py
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogFormatter
from numpy.typing import NDArray

from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.drive_page import DrivePage
from rig.report.names import quantity
from rig.report.palette import COMMAND, GOOD, INK, MEASURED, MUTED, PREDICTED
from rig.report.panel import dress, say
from rig.report.reducing import envelope
from rig.signals.engineering_units import shown

Floats = NDArray[np.float64]
ZOOM = 0.5  # s
RECORD, PICTURE = "iteration.h5", "iteration.png"


def write(run_dir: Path, page: DrivePage) -> dict[str, Path]:
    """Write both files; returns where they are."""
    _record(run_dir / RECORD, page)
    _picture(run_dir / PICTURE, page)
    return {"iteration": run_dir / RECORD, "picture": run_dir / PICTURE}


def _record(path: Path, page: DrivePage) -> None:
    with h5py.File(path, "w") as file:
        for name, values in (("target", page.target.value), ("first", page.first), ("best", page.best)):
            file.create_dataset(f"signals/{name}", data=values).attrs.update({"units": page.unit, "rate": page.target.rate})
        file["signals/best"].attrs["pass"] = page.best_pass
        file["signals/counted"] = page.target.counted.astype(np.int8)
        for name in ("frequency", "value", "coherence", "deviation"):
            file[f"response/{name}"] = getattr(page.response, name)
        for number, lines in enumerate(page.lines):
            for name in ("frequency", "error", "predicted", "measured"):  # after pass `number`: how it should go on, and how it did
                file[f"lines/after_pass_{number}/{name}"] = getattr(lines, name)


def _picture(path: Path, page: DrivePage) -> None:
    target = page.target
    figure = Figure(figsize=(16.0, 10.0), dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(
        3, 3, left=0.052, right=0.985, top=0.89, bottom=0.062, hspace=0.38, wspace=0.2, height_ratios=(1.1, 0.8, 1.1)
    )
    figure.text(0.052, 0.965, literal(page.title), fontsize=17, fontweight="bold", color=INK, va="center")
    figure.text(0.052, 0.932, literal(page.subtitle), fontsize=10.5, color=MUTED, va="center")
    unit, factor = shown(page.unit)
    what = f"{quantity(page.unit)}, {unit}"
    whole, zoom, error = figure.add_subplot(grid[0, :2]), figure.add_subplot(grid[0, 2]), figure.add_subplot(grid[1, :])
    middle = len(target.value) // 2
    near = slice(middle - round(0.5 * ZOOM * target.rate), middle + round(0.5 * ZOOM * target.rate))
    for axes, part, name in ((whole, slice(None), "Asked and achieved"), (zoom, near, f"{ZOOM:g} s of it")):
        _signals(axes, part, page, factor)
        dress(axes, name, "time, s", what)
    whole.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, frameon=False, fontsize=9.5, borderaxespad=0.2)
    _errors(error, page, factor)
    dress(error, "Asked minus achieved, counted part", "time, s", what)
    _by_pass(figure.add_subplot(grid[2, 0]), page)
    _by_line(figure.add_subplot(grid[2, 1]), page)
    _response(figure.add_subplot(grid[2, 2]), page)
    figure.savefig(path, format="png")


def _signals(axes: Axes, part: slice, page: DrivePage, factor: float) -> None:
    time = np.arange(len(page.target.value)) / page.target.rate
    for values, colour, width, label in (
        (page.first, PREDICTED, 1.0, "pass 0"),
        (page.best, MEASURED, 1.6, f"pass {page.best_pass}"),
        (page.target.value, COMMAND, 1.0, "asked"),
    ):
        axes.plot(*envelope(time[part], values[part] * factor), color=colour, linewidth=width, label=label)
    axes.margins(x=0.0)


def _errors(axes: Axes, page: DrivePage, factor: float) -> None:
    c = page.target.counted
    time = np.flatnonzero(c) / page.target.rate
    for measured, colour in ((page.first, PREDICTED), (page.best, MEASURED)):
        axes.plot(*envelope(time, (page.target.value - measured)[c] * factor), color=colour, linewidth=0.9)
    axes.margins(x=0.0)


def _by_pass(axes: Axes, page: DrivePage) -> None:
    numbers = [row.iteration for row in page.rows]
    for name, colour, label in (("full", PREDICTED, "full band"), ("outside", MUTED, "outside the band"), ("in_band", MEASURED, "in band")):
        axes.semilogy(numbers, [100.0 * getattr(row.errors, name) for row in page.rows], "o-", color=colour, label=label, linewidth=1.4)
    later = [(before, row) for before, row in pairwise(page.rows) if row.predicted is not None]
    expected = [100.0 * (row.predicted or 0.0) * before.errors.in_band for before, row in later]
    axes.semilogy([row.iteration for _, row in later], expected, "x", color=INK, markersize=9, label="in band, predicted")
    axes.axhline(100.0 * page.tolerance, color=GOOD, linewidth=1.0, linestyle="--")
    axes.set_xticks(numbers)
    for part in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
        part(LogFormatter(labelOnlyBase=False, minor_thresholds=(2, 0.5)))
    dress(axes, "Error by pass (dashed: tolerance)", "pass", "% of what was asked, rms")
    axes.legend(frameon=False, fontsize=8.5)


def _by_line(axes: Axes, page: DrivePage) -> None:
    dress(axes, "Contraction by line, from pass 0 to pass 1", "frequency, Hz", "1")
    if not page.lines or not len(page.lines[0].measured):
        say(axes, "no second pass")
        return
    lines = page.lines[0]
    axes.plot(lines.frequency, lines.measured, ".", color=MEASURED, markersize=4, label="measured")
    axes.plot(lines.frequency, lines.predicted, color=INK, linewidth=1.2, label="predicted, |1 - a C H/Ĥ|")
    axes.axhline(1.0, color=PREDICTED, linewidth=0.9)
    axes.set_ylim(0.0, max(1.1, 1.05 * float(np.quantile(lines.measured, 0.98))))
    axes.legend(frameon=False, fontsize=8.5)


def _response(axes: Axes, page: DrivePage) -> None:
    response = page.response
    axes.plot(response.frequency, np.abs(response.value), color=MEASURED, label="gain")
    axes.plot(response.frequency, response.coherence, color=MUTED, linewidth=0.9, label="coherence")
    axes.plot(response.frequency, np.degrees(np.angle(response.value)) / -90.0, color=PREDICTED, label="lag, of 90 deg")
    dress(axes, "Response found in the identification", "frequency, Hz", "1")
    axes.legend(frameon=False, fontsize=8.5)
